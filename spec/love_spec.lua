-- anim.love, in LÖVE on a virtual screen: checks of its parts (spec/love/checks), the arena with scripted input
-- (spec/love/arena.lua), and a game packed as a .love. ANIM_SHOTS: a directory for the pictures.
local data = require("spec.support.data")
local love = require("spec.support.love")
local scratch = require("spec.support.scratch")

local knight = "humanoid/kaykit_adventurers/Knight.glb"

-- A PNG of one green pixel.
local green = "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415478da6360"
  .. "f8cf00000202010045f452d40000000049454e44ae426082"

local function lineOf(text, name)
  for line in text:gmatch("[^\n]+") do
    if line:sub(1, #name + 3) == name .. " = " then return line:sub(#name + 4) end
  end
  error(("no line '%s' in:\n%s"):format(name, text))
end

describe("anim.love", function()
  if love.whyNot() then
    pending("needs LÖVE: " .. love.whyNot())
    return
  end

  describe("part by part:", function()
    local text
    setup(function()
      local root = data.has(knight) and data.root or ""
      text = love.run("spec/love/checks", "examples", root, os.getenv("ANIM_SHOTS") or "")
    end)

    local names = {
      "load gives nil and a message for what cannot be read",
      "a figure is drawn, right way up, and moves",
      "faces that look away are hidden, and those in front are not",
      "a row of uniforms and a row of a texture draw the same",
      "a crowd draws what single characters draw",
      "a file without meshes shows its bones",
      "draw takes a transform",
      "drawing outside of a camera is an error",
      "parts can be hidden, unknown names are errors",
      "root motion moves a character, between time and pose",
      "events are told before the pose is made",
      "a description is read again when its file changes",
      "the overlay shows states and parameters, and drags these",
      "the annotations name every method, and no other",
      "nothing is left for the collector by update and draw",
      "two hundred of a crowd",
      "mistakes in options are told with their key",
      "mistakes in arguments are told where they are made",
      "what fails inside of a scene or an overlay leaves LÖVE's stack as it was",
      "a reason why there is no model is passed on",
      "crowds, overlays and watchers let released graphs go",
      "a fault in a file leaves all graphs of a watcher as they were",
      "a crowd grows as far as a texture is high",
    }
    if data.has(knight) then
      names[#names + 1] = "Knight.glb: skinned and textured"
      names[#names + 1] = "AnimatedMorphCube.glb: morph targets change what is seen"
    end
    for _, name in ipairs(names) do
      it(name, function()
        assert.is_truthy(("\n" .. text):find("\nok " .. name .. "\n", 1, true), text)
      end)
    end

    it("has no check that is not listed here", function()
      local count = 0
      for _ in ("\n" .. text):gmatch("\nn?o?t? ?ok ") do count = count + 1 end
      assert.are.equal(#names, count, text)
    end)
  end)

  it("runs the programs of docs/love.md", function()
    local text, wanted = love.run("spec/love/guide", "docs/love.md"), 0
    for line in io.lines("docs/love.md") do
      if line == "```lua love" then wanted = wanted + 1 end
    end
    local _, ran = ("\n" .. text):gsub("\nok %d+", "")
    assert.are.equal(wanted, ran, text)
    assert.is_true(wanted > 5)
  end)

  describe("the arena:", function()
    local text
    setup(function()
      text = love.run("examples/love/arena", "--size", "480", "300", "--msaa", "0", "--drive", "spec/love/arena.lua")
    end)

    local function read(name)
      local state, speed, x, y, z, where, hits, steps = lineOf(text, name):match(
        "state (%S+), speed (%S+), at (%S+) (%S+) (%S+), ([%a ]+), (%d+) hits, (%d+) steps")
      return { state = state, speed = tonumber(speed), x = tonumber(x), y = tonumber(y), z = tonumber(z), where = where,
        hits = tonumber(hits), steps = tonumber(steps) }
    end

    it("ends as it should", function() assert.are.equal("0", text:match("outcome (%d+)"), text) end)

    it("shows the hero, right way up", function()
      for _, name in ipairs({ "stands", "walks", "jumps" }) do
        assert.are.equal("vest, feet below, sky blue above", lineOf(text, name))
      end
    end)

    it("has him walk, run and strafe by root motion, with steps that are heard", function()
      local stands, walks, runs, strafes = read("standing"), read("walking"), read("running"), read("strafing")
      assert.is_true(stands.steps == 0 and walks.steps >= 2 and runs.steps > walks.steps, text)
      assert.is_near(-1.4 * 57 / 60, walks.z - stands.z, .25)
      assert.is_near(3.6, runs.speed, .1)
      assert.are.equal("strafe", strafes.state)
      assert.is_true(math.abs(strafes.x - 6) > .7, text)
    end)

    it("takes a gamepad", function()
      local walks, jumps = read("stick"), read("button")
      assert.is_near(-6 + 1.2, walks.x, .4) -- to the right, as seen from +Z
      assert.are.equal("in the air", jumps.where)
    end)

    it("lets him jump and land", function()
      local jumps, lands = read("jumping"), read("landed")
      assert.are.equal("in the air", jumps.where)
      assert.is_true(jumps.y > .3 and jumps.state == "air", text)
      assert.are.equal("on the ground", lands.where)
      assert.is_true(lands.z < jumps.z - .5, text)
    end)

    it("lets a stroke hit in its window only, and the other react", function()
      assert.are.equal(0, read("striking").hits)
      assert.are.equal("attack", read("struck").state)
      assert.is_true(read("struck").hits >= 1, text)
      assert.are.equal("hit", lineOf(text, "other"))
    end)

    it("shows the right state in the overlay", function()
      assert.are.equal("dark; body: move", lineOf(text, "overlay"))
      assert.matches("^dark; body: jump", lineOf(text, "overlay jumps"))
      assert.are.equal("bright; off", lineOf(text, "overlay off"))
    end)

    it("says what animation costs", function()
      assert.is_true(tonumber(lineOf(text, "animation"):match("^(%S+) ms a frame")) < 20)
    end)

    it("puts his feet on the steps", function()
      assert.are.equal("on the steps", lineOf(text, "soles"))
      assert.is_true(read("on steps").y > .1)
    end)
  end)

  it("reads files out of a .love, with textures beside the model", function()
    local function run(command) assert(os.execute(command)) end
    local home = scratch.path(".game")
    run(("mkdir -p '%s/models'"):format(home))
    scratch.write(home .. "/conf.lua", "function love.conf(t) t.modules.audio = false end")
    scratch.write(home .. "/models/one.gltf", [[{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
      "nodes":[{"mesh":0,"name":"leaf"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],
      "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],"textures":[{"source":0}],
      "images":[{"uri":"../leaf.png"}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
      "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"uri":"one.bin","byteLength":36}]}]])
    scratch.write(home .. "/models/one.bin", ("<fffffffff"):pack(0, 0, 0, 1, 0, 0, 0, 1, 0))
    scratch.write(home .. "/leaf.png", (green:gsub("%x%x", function(byte)
      return string.char(tonumber(byte, 16))
    end)))
    scratch.write(home .. "/main.lua", [[
      local anim = require("anim")
      require("anim.love")
      function love.draw()
        local model = assert(anim.love.load("models/one.gltf"))
        print("leaf = " .. table.concat(model:getParts(), " ") .. " " .. #model.warnings)
        love.event.quit()
      end
    ]])
    run(("cd '%s' && zip -q -r game.love conf.lua main.lua leaf.png models"):format(home))
    local text = love.run(home .. "/game.love")
    run(("rm -r '%s'"):format(home))
    assert.are.equal("leaf 0", lineOf(text, "leaf"))
  end)

  teardown(scratch.clear)
end)
