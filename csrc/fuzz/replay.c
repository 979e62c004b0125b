// SPDX-License-Identifier: MIT
// Stands in for libFuzzer: feeds every file of the given directories to the target once. Built with
// any compiler, so the corpora are replayed by the tests under ASan, Valgrind and gcc alike.
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(_WIN32)
#define alarm(seconds) ((void)(seconds)) // there is none: whoever runs this has to watch the time
#endif

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// A hang is a failure: SIGALRM ends the process. Generous, since sanitizers are slow.
#define SECONDS_PER_FILE 20

static int replay_file(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        if (file)
            fclose(file);
        return -1;
    }
    long size = ftell(file);
    rewind(file);
    // The exact size on the heap: one byte too far is then seen by ASan.
    uint8_t* data = size >= 0 ? malloc(size > 0 ? (size_t)size : 1) : NULL;
    int result = -1;
    if (data && fread(data, 1, (size_t)size, file) == (size_t)size) {
        printf("%s\n", path);
        fflush(stdout); // before the call: after a crash the last line names the file
        alarm(SECONDS_PER_FILE);
        LLVMFuzzerTestOneInput(data, (size_t)size);
        alarm(0);
        result = 0;
    } else {
        perror(path);
    }
    free(data);
    fclose(file);
    return result;
}

// Returns the number of files replayed, or -1.
static int replay_directory(const char* path)
{
    DIR* directory = opendir(path);
    if (!directory) {
        perror(path);
        return -1;
    }
    int count = 0;
    for (struct dirent* entry; count >= 0 && (entry = readdir(directory)) != NULL;) {
        char name[4096];
        struct stat info;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        if (stat(name, &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        count = replay_file(name) == 0 ? count + 1 : -1;
    }
    closedir(directory);
    return count;
}

int main(int argc, char** argv)
{
    int total = 0;
    for (int i = 1; i < argc; ++i) {
        int count = replay_directory(argv[i]);
        if (count < 0)
            return 1;
        total += count;
    }
    printf("%d files replayed\n", total);
    return total > 0 ? 0 : 1; // a corpus that is not found is a check that cannot fail
}
