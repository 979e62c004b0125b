// SPDX-License-Identifier: MIT
#include "import/loader.h"

#include "base/mem.h"
#include "base/ref.h"
#include "base/thread.h"

#include <string.h>

enum { MOST_THREADS = 16 };

// While it asks no thread waits for the answer: with it the import begins anew.
typedef enum stage { WAITS, RUNS, ASKS, DONE } stage;

// What the owner said of another file.
typedef struct answer {
    struct answer* next;
    char* uri;
    anim_code code;
    anim_blob bytes;
    anim_error err;
} answer;

// Who holds it: the owner, and the loader until it is done.
struct anim_loading {
    anim_ref ref;
    anim_loader* loader; // counted
    anim_load_desc desc; // name and bytes are copies of its own
    anim_loading* next;  // in the queue
    // guarded by the loader's mutex
    stage stage;
    bool stopped;
    float progress;
    // of the thread that runs it, and of the owner while it asks or is done
    answer* answers; // the newest is what it asks for while it does
    anim_model* model;
    anim_code code;
    anim_error err;
};

struct anim_loader {
    anim_ref ref; // of its creator and of each loading
    anim_mutex* mutex;
    anim_signal *added, *changed;
    anim_thread* threads[MOST_THREADS];
    uint32_t thread_count;
    bool ends;
    anim_loading *first, *last; // the queue
};

// --- life ---------------------------------------------------------------------------------------------

static void drop_loader(anim_loader* loader)
{
    if (!anim_ref_drop(&loader->ref))
        return;
    anim_signal_destroy(loader->added);
    anim_signal_destroy(loader->changed);
    anim_mutex_destroy(loader->mutex);
    anim_mem_free(loader);
}

static void free_answers(anim_loading* l)
{
    while (l->answers) {
        answer* next = l->answers->next;
        anim_mem_free(l->answers->uri);
        anim_mem_free(l->answers->bytes.bytes);
        anim_mem_free(l->answers);
        l->answers = next;
    }
}

static void drop_loading(anim_loading* l)
{
    if (!anim_ref_drop(&l->ref))
        return;
    free_answers(l);
    anim_model_destroy(l->model);
    anim_mem_free((void*)(uintptr_t)l->desc.name);
    anim_mem_free((void*)(uintptr_t)l->desc.bytes);
    drop_loader(l->loader);
    anim_mem_free(l);
}

// --- one file, on any thread --------------------------------------------------------------------------

static bool is_stopped(anim_loading* l)
{
    anim_mutex_lock(l->loader->mutex);
    bool stopped = l->stopped || l->loader->ends;
    anim_mutex_unlock(l->loader->mutex);
    return stopped;
}

// Of the way that a file takes: reading it, importing it, packing its clips, which is by far the longest.
static const float read_share = 0.05f, import_share_of_packed = 0.15f;

static bool report(anim_loading* l, float progress)
{
    anim_mutex_lock(l->loader->mutex);
    if (progress > l->progress && progress <= 1)
        l->progress = progress;
    bool goes_on = !l->stopped && !l->loader->ends;
    anim_mutex_unlock(l->loader->mutex);
    return goes_on;
}

static bool report_import(void* user, float done)
{
    anim_loading* l = user;
    float share = l->desc.packs ? import_share_of_packed : 1 - read_share;
    return report(l, read_share + share * done);
}

static bool report_pack(void* user, float done)
{
    float before = read_share + import_share_of_packed;
    return report(user, before + (1 - before) * done);
}

static void* copy(const void* bytes, size_t size)
{
    void* out = anim_mem_alloc(size);
    if (out && size > 0)
        memcpy(out, bytes, size);
    return out;
}

// What is asked for: `code` < 0 until it is answered.
static const anim_code unanswered = (anim_code)-1;

static anim_code ask(anim_loading* l, const char* uri, anim_error* err)
{
    answer* a = anim_mem_alloc(sizeof *a);
    if (a && !(a->uri = copy(uri, strlen(uri) + 1))) {
        anim_mem_free(a);
        a = NULL;
    }
    if (!a)
        return anim_fail_memory(err, "another file");
    a->code = unanswered;
    a->next = l->answers;
    l->answers = a;
    return anim_fail(err, ANIM_ERR_IO, "it is asked for");
}

static bool is_asking(const anim_loading* l)
{
    return l->answers && l->answers->code == unanswered;
}

static anim_code read_answer(anim_loading* l, const char* uri, anim_blob* out, anim_error* err)
{
    const answer* a = l->answers;
    if (is_asking(l)) // one at a time; it begins anew anyway
        return anim_fail(err, ANIM_ERR_IO, "it is asked for");
    while (a && strcmp(a->uri, uri) != 0)
        a = a->next;
    if (!a)
        return ask(l, uri, err);
    if (a->code)
        return anim_fail(err, a->code, "%s", a->err.message);
    *out = (anim_blob){copy(a->bytes.bytes, a->bytes.size), a->bytes.size};
    return out->bytes ? ANIM_OK : anim_fail_memory(err, "another file");
}

static anim_code read_other(void* user, const char* uri, anim_blob* out, anim_error* err)
{
    anim_loading* l = user;
    *out = (anim_blob){0};
    return l->desc.read ? l->desc.read((void*)(uintptr_t)l->desc.name, uri, out, err)
                        : read_answer(l, uri, out, err);
}

static anim_code import_and_pack(anim_loading* l, const anim_blob* file, anim_error* err)
{
    anim_import_desc desc = l->desc.import;
    desc.name = l->desc.name;
    desc.bytes = file->bytes;
    desc.size = file->size;
    desc.read = read_other;
    desc.progress = report_import;
    desc.user = l;
    if (!report(l, read_share))
        return anim_fail(err, ANIM_ERR_IO, "cancelled");
    anim_code code = anim_import(&desc, &l->model, err);
    if (code || !l->desc.packs)
        return code;
    code = anim_model_pack(l->model, &l->desc.pack, report_pack, l, err);
    if (!code)
        return ANIM_OK;
    anim_model_destroy(l->model);
    l->model = NULL;
    anim_error_prefix(err, "%.200s: ", l->desc.name);
    return code;
}

static anim_code load(anim_loading* l, anim_error* err)
{
    if (is_stopped(l))
        return anim_fail(err, ANIM_ERR_IO, "cancelled");
    anim_blob file = {(void*)(uintptr_t)l->desc.bytes, l->desc.size};
    anim_code code = l->desc.bytes ? ANIM_OK : l->desc.open(l->desc.name, &file, err);
    if (!code)
        code = import_and_pack(l, &file, err);
    if (!l->desc.bytes)
        anim_mem_free(file.bytes);
    return code;
}

static void run(anim_loading* l)
{
    anim_loader* loader = l->loader;
    l->code = load(l, &l->err);
    bool asks = is_asking(l);
    if (asks) {
        anim_model_destroy(l->model);
        l->model = NULL;
    } else {
        free_answers(l);
    }
    anim_mutex_lock(loader->mutex);
    bool stopped = l->stopped;
    l->stage = asks && !stopped ? ASKS : DONE;
    if (l->stage == DONE)
        l->progress = 1;
    anim_signal_wake_all(loader->changed);
    anim_mutex_unlock(loader->mutex);
    if (!asks || stopped)
        drop_loading(l);
}

// --- the queue ----------------------------------------------------------------------------------------

// The mutex is held.
static void append(anim_loader* loader, anim_loading* l)
{
    l->next = NULL;
    l->stage = WAITS;
    if (loader->last)
        loader->last->next = l;
    else
        loader->first = l;
    loader->last = l;
    anim_signal_wake_all(loader->added);
}

// The mutex is held. NULL: it is empty.
static anim_loading* take_first(anim_loader* loader)
{
    anim_loading* l = loader->first;
    if (!l)
        return NULL;
    loader->first = l->next;
    if (!loader->first)
        loader->last = NULL;
    l->stage = RUNS;
    return l;
}

// The mutex is held. False: it is there no more.
static bool take_out(anim_loader* loader, anim_loading* l)
{
    if (l->stage != WAITS)
        return false;
    anim_loading* before = NULL;
    for (anim_loading* at = loader->first; at != l; at = at->next)
        before = at;
    if (before)
        before->next = l->next;
    else
        loader->first = l->next;
    if (loader->last == l)
        loader->last = before;
    l->stage = RUNS;
    return true;
}

static void serve(void* user)
{
    anim_loader* loader = user;
    anim_mutex_lock(loader->mutex);
    for (;;) {
        anim_loading* l = take_first(loader);
        if (!l && loader->ends)
            break;
        if (!l) {
            anim_signal_wait(loader->added, loader->mutex);
            continue;
        }
        anim_mutex_unlock(loader->mutex);
        run(l);
        anim_mutex_lock(loader->mutex);
    }
    anim_mutex_unlock(loader->mutex);
}

anim_loader* anim_loader_create(uint32_t threads)
{
    anim_loader* loader = anim_mem_alloc(sizeof *loader);
    if (!loader)
        return NULL;
    anim_ref_init(&loader->ref);
    loader->mutex = anim_mutex_create();
    loader->added = anim_signal_create();
    loader->changed = anim_signal_create();
    bool whole = loader->mutex && loader->added && loader->changed;
    for (uint32_t i = 0; i < threads && i < MOST_THREADS && whole; i++) {
        loader->threads[i] = anim_thread_start(serve, loader);
        if (!loader->threads[i])
            break;
        loader->thread_count++;
    }
    if (loader->thread_count > 0)
        return loader;
    drop_loader(loader);
    return NULL;
}

void anim_loader_destroy(anim_loader* loader)
{
    if (!loader)
        return;
    anim_mutex_lock(loader->mutex);
    loader->ends = true;
    anim_signal_wake_all(loader->added);
    anim_signal_wake_all(loader->changed);
    anim_mutex_unlock(loader->mutex);
    for (uint32_t i = 0; i < loader->thread_count; i++)
        anim_thread_join(loader->threads[i]);
    drop_loader(loader);
}

// --- for the owner ------------------------------------------------------------------------------------

anim_code anim_loader_add(anim_loader* loader, const anim_load_desc* desc, anim_loading** out,
                          anim_error* err)
{
    anim_loading* l = *out = anim_mem_alloc(sizeof *l);
    if (!l)
        return anim_fail_memory(err, "a file on its way");
    anim_ref_init(&l->ref);
    l->loader = loader;
    anim_ref_retain(&loader->ref);
    l->desc = *desc;
    l->desc.name = copy(desc->name, strlen(desc->name) + 1);
    l->desc.bytes = desc->bytes ? copy(desc->bytes, desc->size) : NULL;
    if (!l->desc.name || (desc->bytes && !l->desc.bytes)) {
        drop_loading(l);
        *out = NULL;
        return anim_fail_memory(err, "a file on its way");
    }
    anim_ref_retain(&l->ref);
    anim_mutex_lock(loader->mutex);
    append(loader, l);
    anim_mutex_unlock(loader->mutex);
    return ANIM_OK;
}

void anim_loading_release(anim_loading* loading)
{
    if (!loading)
        return;
    anim_loader* loader = loading->loader;
    anim_mutex_lock(loader->mutex);
    loading->stopped = true;
    bool idle = take_out(loader, loading) || loading->stage == ASKS;
    loading->stage = idle ? DONE : loading->stage;
    anim_mutex_unlock(loader->mutex);
    if (idle)
        drop_loading(loading); // what the loader held
    drop_loading(loading);
}

bool anim_loading_is_done(const anim_loading* loading)
{
    anim_mutex_lock(loading->loader->mutex);
    bool done = loading->stage == DONE;
    anim_mutex_unlock(loading->loader->mutex);
    return done;
}

float anim_loading_progress(const anim_loading* loading)
{
    anim_mutex_lock(loading->loader->mutex);
    float progress = loading->progress;
    anim_mutex_unlock(loading->loader->mutex);
    return progress;
}

const char* anim_loading_asks(const anim_loading* loading)
{
    anim_mutex_lock(loading->loader->mutex);
    bool asks = loading->stage == ASKS;
    anim_mutex_unlock(loading->loader->mutex);
    return asks ? loading->answers->uri : NULL;
}

void anim_loading_answer(anim_loading* loading, anim_code code, const anim_blob* bytes,
                         const anim_error* err)
{
    anim_loader* loader = loading->loader;
    answer* a = loading->answers;
    a->code = code;
    if (code)
        a->err = *err;
    else
        a->bytes = *bytes;
    anim_mutex_lock(loader->mutex);
    append(loader, loading);
    anim_mutex_unlock(loader->mutex);
}

void anim_loading_wait(anim_loading* loading)
{
    anim_loader* loader = loading->loader;
    anim_mutex_lock(loader->mutex);
    bool own = take_out(loader, loading);
    while (!own && loading->stage == RUNS)
        anim_signal_wait(loader->changed, loader->mutex);
    anim_mutex_unlock(loader->mutex);
    if (own)
        run(loading);
}

anim_code anim_loading_take(anim_loading* loading, anim_model** out, anim_error* err)
{
    *out = loading->model;
    loading->model = NULL;
    if (!*out && err)
        *err = loading->err;
    return loading->code;
}
