-- The command `anim`: what it prints where, and its exit codes.
local anim = require("anim")
local cli = require("anim.cli")
local data = require("spec.support.data")
local scratch = require("spec.support.scratch")

local unpack = table.unpack or unpack

local function stream()
  local parts = {}
  return {
    write = function(_, ...)
      for i = 1, select("#", ...) do parts[#parts + 1] = (select(i, ...)) end
    end,
    text = function() return table.concat(parts) end,
  }
end

-- Exit code, standard output, standard error.
local function run(...)
  local out, err = stream(), stream()
  local code = cli({ ... }, { out = out, err = err })
  return code, out.text(), err.text()
end

-- A model with one of everything.
local function everything()
  local skeleton = anim.newSkeleton({ { name = "hips", translation = { 0, 1, 0 } }, { name = "leg", parent = "hips",
    translation = { 0, -.5, 0 } }, { name = "foot", parent = "leg", translation = { 0, -.5, 0 } } })
  local turn = { times = { 0, 1, 2 }, values = { 0, 0, 0, 1, .1, 0, 0, 1, 0, 0, 0, 1 } }
  local tracks = { hips = { rotation = turn }, leg = { rotation = turn }, foot = { rotation = turn } }
  local step = anim.newClip({ name = "step", skeleton = skeleton, tracks = tracks, loop = true,
    events = { { time = .5, name = "footstep" }, { time = 1.5, name = "footstep", data = 2 } },
    markers = { { time = 0, name = "L" } }, curves = { blink = { times = { 0 }, values = { 1 } } } })
  local once = anim.newClip({ name = "once", skeleton = skeleton, tracks = tracks, loop = false })
  return { skeleton = skeleton, clips = { step, once }, skins = {}, warnings = {},
    morphs = { { name = "face", targets = { "smile", "frown" } } } }
end

local function everythingFile()
  local path = scratch.path(".anim")
  assert(anim.save(everything(), path))
  return path
end

local badFile = function() return scratch.write(scratch.path(".glb"), "this is no character") end

-- One line that begins as all complaints do and names the file.
local function assertComplaint(err, path)
  assert.is_truthy(err:match("^anim: [^\n]+\n$"), err)
  if path then assert.is_truthy(err:find(path, 1, true), err) end
end

describe("anim command", function()
  teardown(scratch.clear)

  it("explains itself", function()
    for _, words in ipairs({ { "--help" }, { "-h" }, { "help" } }) do
      local code, out, err = run(words[1])
      assert.are.equal(0, code)
      assert.are.equal("", err)
      for _, name in ipairs({ "info", "validate", "pack", "view", "Exit codes" }) do
        assert.is_truthy(out:find(name, 1, true))
      end
    end
    for _, name in ipairs({ "info", "validate", "pack", "view" }) do
      local code, out = run(name, "--help")
      assert.are.equal(0, code)
      assert.is_truthy(out:find("^anim " .. name))
      assert.are.equal(out, (select(2, run("help", name))))
    end
    local code, out = run("--version")
    assert.are.equal(0, code)
    assert.are.equal("anim " .. anim.version .. "\n", out)
  end)

  it("every option that help names is taken, and no other", function()
    for _, name in ipairs({ "info", "validate", "pack", "view" }) do
      local _, help = run(name, "--help")
      for option in help:gmatch("%-%-[a-z]+") do
        local _, _, err = run(name, option)
        assert.is_nil(err:find("unknown option", 1, true), option)
      end
      assert.is_truthy(select(3, run(name, "--nonsense")):find("unknown option --nonsense", 1, true))
    end
  end)

  it("names the nearest where a word is not known", function()
    for _, case in ipairs({
      { { "ifno" }, "did you mean info?" }, { { "--verison" }, "did you mean --version?" },
      { { "view", "--ouput", "x", "y" }, "did you mean --output?" }, { { "help", "veiw" }, "did you mean view?" },
      { { "info", "--jsn", "x" }, "did you mean --json?" }, { { "info", "-x", "y" }, "unknown option -x" },
      { { "validate", "--strickt", "x" }, "did you mean --strict?" },
    }) do
      local code, out, err = run(unpack(case[1]))
      assert.are.equal(2, code)
      assert.are.equal("", out)
      assertComplaint(err)
      assert.is_truthy(err:find(case[2], 1, true), err)
    end
  end)

  it("refuses command lines that are not right", function()
    for _, words in ipairs({ { "info" }, { "info", "a", "b" }, { "validate" }, { "pack", "a" },
      { "pack", "a", "b", "c" }, { "view", "a", "-o" }, { "view", "a", "--output" }, { "info", "--json=yes", "a" } }) do
      local code, out, err = run(unpack(words))
      assert.are.equal(2, code)
      assert.are.equal("", out)
      assertComplaint(err)
    end
    local code, out, err = run()
    assert.are.equal(2, code)
    assert.are.equal("", out)
    assert.is_truthy(err:find("anim COMMAND --help", 1, true))
  end)

  it("says in one line each what cannot be read", function()
    local bad = badFile()
    for _, words in ipairs({ { "info", bad }, { "validate", bad }, { "pack", bad, scratch.path(".anim") },
      { "view", bad, "-o", scratch.path(".html") }, { "info", "/nowhere/at all.glb" }, { "info", "/tmp" } }) do
      local code, out, err = run(unpack(words))
      assert.are.equal(2, code)
      assert.are.equal("", out)
      assertComplaint(err, words[2])
    end
  end)

  it("keeps names from steering the terminal", function()
    local skeleton = anim.newSkeleton({ { name = "a\27[31mred\n" } })
    local path = scratch.path(".anim")
    local clip = anim.newClip({ name = "x\27]0;t\7", skeleton = skeleton })
    assert(anim.save({ skeleton = skeleton, clips = { clip } }, path))
    for _, words in ipairs({ { "info", "--joints", path }, { "validate", path } }) do
      local _, out = run(unpack(words))
      assert.is_nil(out:find("[%z\1-\9\11-\31\127]"))
      assert.is_truthy(out:find("\\x1b", 1, true))
    end
    assertComplaint(select(3, run("info", "no\nsuch\27file")))
  end)

  describe("info", function()
    it("prints what a file holds", function()
      local path = everythingFile()
      local code, out, err = run("info", path)
      assert.are.equal(0, code)
      assert.are.equal("", err)
      assert.is_truthy(out:find(path, 1, true))
      for _, text in ipairs({ "joints    3", "skins     0", "clips     2, 4.00 s in all", "morphs    1",
        "face  2 targets", "warnings  0", "events: footstep 2", "markers: L" }) do
        assert.is_truthy(out:find(text, 1, true), text .. " in " .. out)
      end
      assert.is_truthy(out:find("step +2%.00 s  loops"))
      assert.is_truthy(out:find("once +2%.00 s  once"))
      assert.is_nil(out:find("foot\n", 1, true))
    end)

    it("prints joints as a tree", function()
      local _, out = run("info", "--joints", everythingFile())
      assert.is_truthy(out:find("\n     1  hips\n     2    leg\n     3      foot\n", 1, true), out)
    end)

    it("prints JSON", function()
      local path = everythingFile()
      local code, out = run("info", path, "--json")
      assert.are.equal(0, code)
      local info = data.decode(out)
      assert.are.equal(path, info.file)
      assert.are.equal(#scratch.read(path), info.bytes)
      assert.are.same({ { name = "hips" }, { name = "leg", parent = 1 }, { name = "foot", parent = 2 } }, info.joints)
      assert.are.equal("step", info.clips[1].name)
      assert.are.equal(2, info.clips[1].seconds)
      assert.is_true(info.clips[1].loop)
      assert.is_false(info.clips[2].loop)
      assert.are.same({ { time = .5, name = "footstep" }, { time = 1.5, name = "footstep", data = 2 } },
        info.clips[1].events)
      assert.are.same({ "blink" }, info.clips[1].curves)
      assert.are.same({ "smile", "frown" }, info.morphs[1].targets)
    end)

    data.it(it, pending, "humanoid/robot_expressive/RobotExpressive.glb", "skins and warnings", function()
      local code, out = run("info", data.path("humanoid/robot_expressive/RobotExpressive.glb"))
      assert.are.equal(0, code)
      assert.is_truthy(out:find("joints    %d+, 43 of them in skins"))
      assert.is_truthy(out:find("skins     2", 1, true))
      assert.is_truthy(out:find("'Foot.L' stands twice", 1, true))
    end)
  end)

  describe("validate", function()
    local function file(change)
      local model = everything()
      change(model)
      local path = scratch.path(".anim")
      assert(anim.save(model, path))
      return path
    end

    local function withClip(tracks, more)
      return file(function(model)
        local description = { name = "odd", skeleton = model.skeleton, tracks = tracks }
        for key, value in pairs(more or {}) do description[key] = value end
        model.clips[3] = anim.newClip(description)
      end)
    end

    it("finds nothing in what is right", function()
      local path = everythingFile()
      local code, out, err = run("validate", path, "--strict")
      assert.are.equal(path .. ": nothing found\n", out)
      assert.are.equal("", err)
      assert.are.equal(0, code)
    end)

    it("errors make it 1", function()
      local path = withClip({})
      local code, out = run("validate", path)
      assert.are.equal(1, code)
      assert.is_truthy(out:find(path .. ": error: clip 'odd': has no keys", 1, true), out)
      path = withClip({ hips = { scale = { times = { 0 }, values = { 0, 1, 1 } } } })
      assert.are.equal(1, (run("validate", path)))
    end)

    it("notes make it 1 only with --strict", function()
      local path = withClip({ hips = { translation = { times = { 0, 1 }, values = { 0, 1, 0, 0, 1, 5 } } } })
      local code, out = run("validate", path)
      assert.are.equal(0, code)
      assert.is_truthy(out:find(": note: clip 'odd'", 1, true), out)
      assert.are.equal(1, (run("validate", "--strict", path)))
    end)

    it("goes on after a file that cannot be read", function()
      local bad, good = badFile(), everythingFile()
      local code, out, err = run("validate", bad, good, "/nowhere.glb")
      assert.are.equal(2, code)
      assert.are.equal(good .. ": nothing found\n", out)
      local _, lines = err:gsub("\n", "")
      assert.are.equal(2, lines)
      assert.is_truthy(err:find(bad, 1, true))
    end)
  end)

  describe("pack", function()
    it("writes an .anim file that is the same model", function()
      local from = scratch.write(scratch.path(".bvh"), table.concat({ "HIERARCHY", "ROOT Hips", "{", "OFFSET 0 1 0",
        "CHANNELS 3 Zrotation Xrotation Yrotation", "End Site", "{", "OFFSET 0 1 0", "}", "}", "MOTION", "Frames: 3",
        "Frame Time: 0.5", "0 0 0", "10 0 0", "0 20 0", "" }, "\n"))
      local to = scratch.path(".anim")
      local code, out, err = run("pack", from, to)
      assert.are.equal("", err)
      assert.are.equal(0, code)
      assert.is_truthy(out:find(to .. "  " .. #scratch.read(to) .. " bytes", 1, true), out)
      assert.is_truthy(out:find(from .. "  " .. #scratch.read(from) .. " bytes", 1, true), out)
      local model = assert(anim.load(to))
      assert.are.equal("Hips", model.skeleton:getName(1))
      assert.are.equal(1, model.clips[1]:getDuration())
    end)

    it("leaves what it cannot read or write", function()
      local path = everythingFile()
      local before = scratch.read(path)
      assert.are.equal(2, (run("pack", badFile(), path)))
      assert.are.equal(2, (run("pack", path, path)))
      assert.are.equal(before, scratch.read(path))
      local code, _, err = run("pack", path, "/nowhere/x.anim")
      assert.are.equal(2, code)
      assertComplaint(err, "/nowhere/x.anim")
    end)
  end)

  describe("view", function()
    it("writes the page where it is told", function()
      local page = scratch.path(".html")
      for _, words in ipairs({ { "-o", page }, { "-o" .. page }, { "--output", page }, { "--output=" .. page } }) do
        local code, out, err = run("view", everythingFile(), unpack(words))
        assert.are.equal("", err)
        assert.are.equal(0, code)
        local bytes = #scratch.read(page)
        assert.are.equal(page, out:match("^%S+"))
        assert.are.equal(bytes, tonumber((out:match("  ([%d,]+) bytes, 3 joints, 2 clips"):gsub(",", ""))))
        os.remove(page)
      end
    end)

    it("fails where it cannot write, and does not replace what it reads", function()
      local path = everythingFile()
      local code, _, err = run("view", path, "-o", "/nowhere/x.html")
      assert.are.equal(2, code)
      assertComplaint(err, "/nowhere/x.html")
      code, _, err = run("view", path, "-o", path)
      assert.are.equal(2, code)
      assertComplaint(err, path)
      assert.is_truthy(anim.load(path))
    end)
  end)

  it("tells progress on work of more than a second", function()
    local skeleton = anim.newSkeleton({ { name = "a" }, { name = "b", parent = "a", translation = { 0, 1, 0 } } })
    local path = scratch.path(".anim")
    assert(anim.save({ skeleton = skeleton, clips = { anim.newClip({ name = "long", skeleton = skeleton, duration = 30,
      tracks = { b = { rotation = { times = { 0, 30 }, values = { 0, 0, 0, 1, 1, 0, 0, 0 } } } } }) } }, path))
    local clock, now = os.clock, 0
    -- A clock that says each frame takes a hundredth of a second.
    os.clock = function() -- luacheck: ignore 122
      now = now + .01
      return now
    end
    local ran, code, _, err = pcall(run, "view", path, "-o", scratch.path(".html"))
    os.clock = clock -- luacheck: ignore 122
    assert.is_true(ran, code)
    assert.are.equal(0, code)
    local _, lines = err:gsub("anim: %d+ of 901 frames\n", "")
    assert.is_true(lines == 8 or lines == 9, err)
  end)

  it("runs as a program", function()
    local interpreter = 0
    while arg and arg[interpreter - 1] do interpreter = interpreter - 1 end
    local lua = arg and arg[interpreter] or "lua"
    local pipe = io.popen(("%s bin/anim info %s 2>&1; echo \"outcome $?\""):format(lua, everythingFile()))
    local text = pipe:read("*a")
    pipe:close()
    assert.is_truthy(text:find("clips     2", 1, true), text)
    assert.is_truthy(text:find("outcome 0", 1, true), text)
    pipe = io.popen(("%s bin/anim validate /nowhere.glb 2>&1; echo \"outcome $?\""):format(lua))
    text = pipe:read("*a")
    pipe:close()
    assert.is_truthy(text:find("^anim: /nowhere.glb: [^\n]+\noutcome 2\n$"), text)
  end)
end)
