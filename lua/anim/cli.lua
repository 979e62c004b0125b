--- The command `anim`: looks into files of characters, checks, converts and shows them.
---
--- `require("anim.cli")(arguments [, streams])` runs it and returns the exit code; `streams` may hold `out` and `err`,
--- files to write to instead of the standard ones.
local anim = require("anim")
local json = require("anim.view.json")

local overview = [[
anim: character animation files

  anim info FILE                what a file holds
  anim validate FILE...         what is likely wrong with files
  anim pack IN OUT              converts to .anim, which loads fastest
  anim view FILE [-o OUT]       a web page that plays it

  anim COMMAND --help           all about a command
  anim --version

Reads glTF 2.0 (.gltf, .glb), BVH and .anim, by content. Results go to standard output, errors and progress to
standard error. Exit codes: 0 fine, 1 the file was read and something is wrong with it (validate), 2 a file could not
be read or written, or the command line is wrong.
]]

local silence = 1 -- seconds of work before progress is told, and between two tellings
local largeFile = 64e6 -- bytes; from here on reading takes long enough to say so

-- Text -------------------------------------------------------------------------------------------------

-- Names from files on one line of a terminal, without what would steer it.
local function plain(text)
  return (json.utf8(text):gsub("[%c\127]", function(c) return ("\\x%02x"):format(c:byte()) end))
end

local function grouped(n)
  local text = ("%d"):format(n)
  while true do
    local more, count = text:gsub("^(%d+)(%d%d%d)", "%1,%2")
    if count == 0 then return text end
    text = more
  end
end

local function sized(bytes)
  if bytes < 1024 then return ("%d B"):format(bytes) end
  if bytes < 1024 * 1024 then return ("%.1f KB"):format(bytes / 1024) end
  return ("%.1f MB"):format(bytes / 1024 / 1024)
end

local function counted(n, word) return ("%s %s%s"):format(grouped(n), word, n == 1 and "" or "s") end

-- Characters to change, add or leave out to make one word of another.
local function distance(a, b)
  local row = {}
  for j = 0, #b do row[j] = j end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local change = diagonal + (a:byte(i) == b:byte(j) and 0 or 1)
      diagonal = row[j]
      row[j] = math.min(row[j] + 1, row[j - 1] + 1, change)
    end
  end
  return row[#b]
end

local function nearest(word, known)
  local best, least = known[1], math.huge
  for _, candidate in ipairs(known) do
    local far = distance(word, candidate)
    if far < least then best, least = candidate, far end
  end
  return best
end

-- Files --------------------------------------------------------------------------------------------------

-- nil where it cannot be read; directories can be opened, too.
local function fileSize(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local _, failure = file:read(1)
  local size = not failure and file:seek("end") or nil
  file:close()
  return size
end

-- Tells how far work is, on one line each, once it has taken a while.
local function newProgress(run)
  local last = os.clock()
  return function(text)
    local now = os.clock()
    if now - last < silence then return end
    last = now
    run.err:write("anim: ", text(), "\n")
  end
end

-- A line on standard error, and the exit code.
local function complain(run, message)
  run.err:write("anim: ", (plain((message:gsub("%s*\n%s*", " ")))), "\n")
  return 2
end

local function load(run, path)
  local size = fileSize(path)
  if size and size >= largeFile then run.err:write("anim: reading ", plain(path), ", ", sized(size), "\n") end
  local ran, model, message = pcall(anim.load, path)
  if ran and model then return model, size end
  complain(run, ran and message or ("%s: %s"):format(path, model))
end

-- info -----------------------------------------------------------------------------------------------------

local loopWords = { [true] = "loops", [false] = "once", pingpong = "to and fro" }

-- "footstep 2, swing": names and how often, in order of the first.
local function tally(list)
  local names, counts = {}, {}
  for _, item in ipairs(list) do
    local name = plain(item.name)
    if not counts[name] then names[#names + 1] = name end
    counts[name] = (counts[name] or 0) + 1
  end
  for i, name in ipairs(names) do
    names[i] = counts[name] > 1 and ("%s %d"):format(name, counts[name]) or name
  end
  return table.concat(names, ", ")
end

local function skinJoints(model)
  local seen, count = {}, 0
  for _, skin in ipairs(model.skins) do
    for i = 1, #skin do
      local joint = skin:getJoint(i)
      if not seen[joint] then seen[joint], count = true, count + 1 end
    end
  end
  return count
end

local function printJoints(out, skeleton)
  local depth = {}
  for j = 1, #skeleton do
    local parent = skeleton:getParent(j)
    depth[j] = parent and depth[parent] + 1 or 0
    out:write(("  %4d  %s%s\n"):format(j, ("  "):rep(depth[j]), plain(skeleton:getName(j))))
  end
end

local function printClips(out, clips)
  local width, total = 4, 0
  for _, clip in ipairs(clips) do
    width = math.max(width, math.min(40, #plain(clip:getName())))
    total = total + clip:getDuration()
  end
  out:write(("clips     %d, %.2f s in all\n"):format(#clips, total))
  for i, clip in ipairs(clips) do
    local marks = {}
    local events, markers = clip:getEvents(), clip:getMarkers()
    if #events > 0 then marks[#marks + 1] = "  events: " .. tally(events) end
    if #markers > 0 then marks[#marks + 1] = "  markers: " .. tally(markers) end
    out:write(("  %4d  %-" .. width .. "s %8.2f s  %-10s %9s%s%s\n"):format(i, plain(clip:getName()),
      clip:getDuration(), loopWords[clip:getLoop()], sized(clip:getSize()), clip:isAdditive() and "  additive" or "",
      table.concat(marks)))
  end
end

local function printInfo(out, path, model, size, withJoints)
  local skeleton = model.skeleton
  out:write(("%s  %s bytes\n"):format(plain(path), grouped(size)))
  local inSkins = #model.skins > 0 and (", %d of them in skins"):format(skinJoints(model)) or ""
  out:write(("joints    %d%s\n"):format(#skeleton, inSkins))
  if withJoints then printJoints(out, skeleton) end
  out:write(("skins     %d\n"):format(#model.skins))
  for i, skin in ipairs(model.skins) do
    out:write(("  %4d  %s  %s\n"):format(i, plain(skin:getName()), counted(#skin, "joint")))
  end
  printClips(out, model.clips)
  if #model.morphs > 0 then out:write(("morphs    %d\n"):format(#model.morphs)) end
  for i, morph in ipairs(model.morphs) do
    out:write(("  %4d  %s  %s\n"):format(i, plain(morph.name), counted(#morph.targets, "target")))
  end
  out:write(("warnings  %d\n"):format(#model.warnings))
  for _, text in ipairs(model.warnings) do out:write("  ", plain(text), "\n") end
end

local function describeClip(clip)
  local events = {}
  for i, event in ipairs(clip:getEvents()) do
    local data = event.data
    events[i] = { time = event.time, name = event.name, duration = event.duration, data = data }
  end
  return { name = clip:getName(), seconds = clip:getDuration(), loop = clip:getLoop(), additive = clip:isAdditive(),
    bytes = clip:getSize(), events = events, markers = clip:getMarkers(), curves = clip:getCurves(),
    properties = clip:getProperties() }
end

local function describe(path, model, size)
  local joints, skins, clips, morphs = {}, {}, {}, {}
  for j = 1, #model.skeleton do
    joints[j] = { name = model.skeleton:getName(j), parent = model.skeleton:getParent(j) }
  end
  for i, skin in ipairs(model.skins) do
    local list = {}
    for k = 1, #skin do list[k] = skin:getJoint(k) end
    skins[i] = { name = skin:getName(), joints = list }
  end
  for i, clip in ipairs(model.clips) do clips[i] = describeClip(clip) end
  for i, morph in ipairs(model.morphs) do morphs[i] = { name = morph.name, targets = morph.targets } end
  return { file = path, bytes = size, joints = joints, skins = skins, clips = clips, morphs = morphs,
    warnings = model.warnings }
end

local function info(run, arguments)
  local model, size = load(run, arguments[1])
  if not model then return 2 end
  if arguments.json then
    run.out:write(json.encode(describe(arguments[1], model, size)), "\n")
  else
    printInfo(run.out, arguments[1], model, size, arguments.joints)
  end
  return 0
end

-- validate ---------------------------------------------------------------------------------------------------

-- What makes a character look wrong wherever it plays; other kinds may be meant.
local errorKinds = { rotation = true, joint = true, scale = true, empty = true }

local function report(run, path, findings)
  local errors = 0
  for _, finding in ipairs(findings) do
    local isError = errorKinds[finding.kind] or false
    errors = errors + (isError and 1 or 0)
    run.out:write(("%s: %s: %s\n"):format(plain(path), isError and "error" or "note", plain(tostring(finding))))
  end
  if #findings == 0 then run.out:write(plain(path), ": nothing found\n") end
  return errors
end

local function validate(run, arguments)
  local code, progress = 0, newProgress(run)
  for i, path in ipairs(arguments) do
    progress(function() return ("file %d of %d"):format(i, #arguments) end)
    local model = load(run, path)
    if model then
      local findings = anim.validate(model)
      local errors = report(run, path, findings)
      if errors > 0 or (arguments.strict and #findings > 0) then code = math.max(code, 1) end
    else
      code = 2
    end
  end
  return code
end

-- pack ---------------------------------------------------------------------------------------------------------

-- The number that an option gives: nil where it is not given, false where it is none above 0.
local function above(text)
  local x = tonumber(text)
  if text == nil then return nil end
  return x and x > 0 and x < math.huge and x or false
end

local function packOptions(arguments)
  local options = { form = arguments.form or "small", error = above(arguments.error), rate = above(arguments.rate) }
  if options.form ~= "small" and options.form ~= "fast" and options.form ~= "exact" then
    return nil, ("option --form is '%s': small, fast or exact expected"):format(options.form)
  end
  for _, name in ipairs({ "error", "rate" }) do
    if options[name] == false then return nil, ("option --%s: number above 0 expected"):format(name) end
  end
  return options
end

-- Packs the clips of a model in their places. Returns the largest error with its clip and joint, and how many tracks
-- stayed keys.
local function packClips(run, model, options)
  local worst, kept, progress = nil, 0, newProgress(run)
  for i, clip in ipairs(model.clips) do
    progress(function() return ("packed %d of %d clips"):format(i - 1, #model.clips) end)
    if clip:getForm() ~= options.form or options.error or options.rate then
      local packed, outcome = clip:pack(options)
      model.clips[i], model.clips[clip:getName()] = packed, packed
      kept = kept + #outcome.exact
      if not worst or outcome.maxError > worst.maxError then
        worst = outcome
        worst.clip = clip:getName()
      end
    end
  end
  return worst, kept
end

local function pack(run, arguments)
  local from, to = arguments[1], arguments[2]
  if from == to then return complain(run, to .. ": is the file to read; name another to write") end
  local options, wrong = packOptions(arguments)
  if not options then return complain(run, "pack: " .. wrong) end
  local model, size = load(run, from)
  if not model then return 2 end
  local worst, kept
  if options.form ~= "exact" then worst, kept = packClips(run, model, options) end
  local saved, message = anim.save(model, to)
  if not saved then return complain(run, message) end
  local packed = fileSize(to)
  run.out:write(("%s  %s bytes\n%s  %s bytes, %.0f %%\n"):format(plain(from), grouped(size), plain(to), grouped(packed),
    100 * packed / math.max(size, 1)))
  if worst then
    run.out:write(("largest error %.3g mm: clip %s, joint %s, %.3f s\n"):format(1000 * worst.maxError,
      plain(worst.clip), plain(worst.worstJoint), worst.worstTime))
    if kept > 0 then run.out:write(counted(kept, "track"), " kept as keys: steps, or too exact to pack\n") end
  end
  if #model.warnings > 0 then
    run.out:write(counted(#model.warnings, "warning"), ": anim info ", plain(from), "\n")
  end
  return 0
end

-- view -----------------------------------------------------------------------------------------------------------

local function view(run, arguments)
  local from = arguments[1]
  local to = arguments.output or (from:gsub("^.*[/\\]", ""):gsub("%.[^.]*$", "") .. ".view.html")
  if from == to then return complain(run, to .. ": is the file to read; name another to write") end
  local model = load(run, from)
  if not model then return 2 end
  local progress = newProgress(run)
  local written, message = anim.view(model, to, { progress = function(done, total)
    progress(function() return ("%d of %d frames"):format(done, total) end)
  end })
  if not written then return complain(run, message) end
  run.out:write(("%s  %s bytes, %s, %s\n"):format(plain(to), grouped(fileSize(to)),
    counted(#model.skeleton, "joint"), counted(#model.clips, "clip")))
  return 0
end

-- The command line -------------------------------------------------------------------------------------------------

-- `files`: least and most. `options`: by name, true where a value follows. `short`: letters for them.
local commands = {
  info = { run = info, files = { 1, 1 }, options = { json = false, joints = false }, help = [[
anim info FILE [--joints] [--json]

Prints what a file holds: joints, skins, clips with length, loop, memory, events and markers, morphs, warnings.
  --joints   all joints too, as a tree
  --json     everything as JSON
]] },
  validate = { run = validate, files = { 1, math.huge }, options = { strict = false }, help = [[
anim validate FILE... [--strict]

Prints what is likely wrong, a line each. An "error" (rotations that are not unit, scales of zero or below, clips
without keys, joints that are missing) makes the exit code 1; a "note" (a loop that does not close, a length that is
not that of the keys, a joint that nothing uses, what the file had that was ignored) may be meant.
  --strict   notes make the exit code 1 too
A file that cannot be read makes it 2; the others are still checked.
]] },
  pack = { run = pack, files = { 2, 2 }, options = { error = true, form = true, rate = true }, help = [[
anim pack IN OUT [--form FORM] [--error METRES] [--rate FPS]

Writes an .anim file, which loads without parsing, and prints both sizes. OUT is replaced if it is there.
  --form FORM      how clips are stored: "small" (default), "fast" (several times larger, sampled faster) or "exact"
                   (the keys as they are)
  --error METRES   how far a packed joint, and points 3 cm around it, may be off; default 0.0001
  --rate FPS       frames a second; default: what the keys need
]] },
  view = { run = view, files = { 1, 1 }, options = { output = true }, short = { o = "output" }, help = [[
anim view FILE [-o OUT]

Writes one web page that plays all clips in 3D and needs no network: turn, zoom, scrub, search the clips.
  -o, --output OUT   the page; default: the file's name with .view.html in the current directory. It is replaced if
                     it is there.
A link can name a moment: page.html#clip=walk&t=0.4&view=side&paused. With #sheet=8&clip=walk it shows eight frames
side by side, with clip=* those of all clips.
]] },
}
local commandNames = { "info", "validate", "pack", "view" }

local function optionNames(command)
  local names = { "--help" }
  for name in pairs(command.options) do names[#names + 1] = "--" .. name end
  for letter in pairs(command.short or {}) do names[#names + 1] = "-" .. letter end
  table.sort(names)
  return names
end

-- The option that a word of the command line names, and the value in the same word ("--output=x", "-ox").
local function splitOption(command, word)
  local name, value = word:match("^%-%-([^=]+)=(.*)$")
  if not name then name = word:match("^%-%-(.+)$") end
  if not name then
    name, value = word:match("^%-(.)(.*)$")
    name = (command.short or {})[name]
    if value == "" then value = nil end
  end
  return name, value
end

-- { files..., option = value } or nil and what is wrong.
local function parse(command, words)
  local out, i, isOver = {}, 2, false
  while words[i] do
    local word = words[i]
    if isOver or word == "-" or word:sub(1, 1) ~= "-" then
      out[#out + 1] = word
    elseif word == "--" then
      isOver = true
    elseif word == "--help" or word == "-h" then
      out.help = true
    else
      local name, value = splitOption(command, word)
      local takesValue = name and command.options[name]
      if takesValue == nil then
        return nil, ("unknown option %s: did you mean %s?"):format(word, nearest(word, optionNames(command)))
      elseif takesValue and not value then
        i = i + 1
        value = words[i]
        if not value then return nil, ("option %s needs a value"):format(word) end
      elseif not takesValue and value then
        return nil, ("option --%s takes no value"):format(name)
      end
      out[name] = value or true
    end
    i = i + 1
  end
  return out
end

local function runCommand(run, name, words)
  local command = commands[name]
  if not command then
    local known = { "--help", "--version", "help", "info", "validate", "pack", "view" }
    local kind = name:sub(1, 1) == "-" and "option" or "command"
    return complain(run, ("unknown %s %s: did you mean %s?"):format(kind, name, nearest(name, known)))
  end
  local arguments, message = parse(command, words)
  if not arguments then return complain(run, ("%s: %s"):format(name, message)) end
  if arguments.help then
    run.out:write(command.help)
    return 0
  end
  local least, most = command.files[1], command.files[2]
  if #arguments < least or #arguments > most then
    return complain(run, ("%s: %d files given, usage: %s"):format(name, #arguments, command.help:match("^[^\n]*")))
  end
  return command.run(run, arguments)
end

local function help(run, words)
  local command = words[2] and commands[words[2]]
  if words[2] and not command then
    return complain(run, ("unknown command %s: did you mean %s?"):format(words[2], nearest(words[2], commandNames)))
  end
  run.out:write(command and command.help or overview)
  return 0
end

return function(words, streams)
  local run = { out = streams and streams.out or io.stdout, err = streams and streams.err or io.stderr }
  local name = words[1]
  if not name then
    run.err:write(overview)
    return 2
  elseif name == "--help" or name == "-h" or name == "help" then
    return help(run, words)
  elseif name == "--version" then
    run.out:write("anim ", anim.version, "\n")
    return 0
  end
  return runCommand(run, name, words)
end
