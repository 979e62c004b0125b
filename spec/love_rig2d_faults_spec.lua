-- What anim.love.rig2d says of mistakes. Pure Lua: no LÖVE is needed.
local anim = require("anim")
local flatRig = require("spec.support.flat_rig")
local raises = require("spec.support.raises")
local rig2d = require("anim.love.rig2d")
local joints, newRig = flatRig.joints, flatRig.newRig

describe("mistakes are told with their place:", function()
  local function of(change)
    return function()
      local description = { joints = joints(), sprites = {}, clips = {} }
      change(description)
      rig2d.newRig(description)
    end
  end

  local function joint(record) return of(function(d) d.joints[1] = record end) end

  local function sprite(record)
    return of(function(d)
      record.name, record.joint = record.name or "s", record.joints == nil and record.joint or nil
      d.sprites[1] = record
    end)
  end

  local function clip(record) return of(function(d) d.clips.move = record end) end

  local triangle = { 0, 0, 9, 0, 0, 9 }
  local cases = {
    { "joints[1].parent: no joint 'hisp'; did you mean 'hips'?", joint({ name = "a", parent = "hisp" }) },
    { "joints[1].name: name expected, got no value", joint({}) },
    { "joints[2].name: there is a joint 'root' already", joint({ name = "root" }) },
    { "joints[1]: unknown key 'lenght'; did you mean 'length'?", joint({ name = "a", lenght = 1 }) },
    { "joints[1].angle: finite number expected, got nan", joint({ name = "a", angle = 0 / 0 }) },
    { "joints[1].parent: joint 'a' is below itself", joint({ name = "a", parent = "a" }) },
    { "sprites[1]: an image, a polygon or vertices expected", sprite({ joint = "head" }) },
    { "sprites[1].joint: no joint 'heads'; did you mean 'head'?", sprite({ joint = "heads", polygon = triangle }) },
    { "sprites[1].polygon: outline without area, or one that crosses itself",
      sprite({ joint = "head", polygon = { 0, 0, 9, 9, 9, 0, 0, 9 } }) },
    { "sprites[1].polygon: x, y of three points or more expected, got 4 numbers",
      sprite({ joint = "head", polygon = { 0, 0, 9, 9 } }) },
    { "sprites[1].uvs: an image and uvs go together", sprite({ joint = "head", polygon = triangle, uvs = triangle }) },
    { "sprites[1].weights[2].thigh: joint 'thigh' is not in the list 'joints'", sprite({ joints = { "shin" },
      polygon = triangle, weights = { { shin = 1 }, { thigh = 1 }, { shin = 1 } } }) },
    { "sprites[1].triangles[3]: index from 1 to 3 expected, got 4",
      sprite({ joint = "head", vertices = triangle, triangles = { 1, 2, 4 } }) },
    { "sprites[1].angle: a mesh that bends lies in the rig, not on a joint",
      sprite({ joints = { "shin" }, polygon = triangle, angle = 1 }) },
    { "sprites[1].choice: name of one of the choices expected, got string 'b'",
      sprite({ joint = "head", choices = { a = { polygon = triangle } }, choice = "b" }) },
    { "sprites[1].outline: a mesh that bends has no outline",
      sprite({ joints = { "shin" }, polygon = triangle, outline = { 0, 0, 0 } }) },
    { "clips.move.joints.amr: no joint 'amr'; did you mean 'arm'?", clip({ joints = { amr = {} } }) },
    { "clips.move.joints.arm.angle[2][1]: time 0 is not after 0",
      clip({ joints = { arm = { angle = { { 0, 1 }, { 0, 2 } } } } }) },
    { 'clips.move.joints.arm.angle[1][3]: "linear", "step", "smooth", "easeIn", "easeOut", "spline" expected, got ' ..
      "string 'sine'", clip({ joints = { arm = { angle = { { 0, 1, "sine" } } } } }) },
    { "clips.move.joints.arm.angle[1][3][1]: number from 0 to 1 expected, got 2",
      clip({ joints = { arm = { angle = { { 0, 1, { 2, 0, 0, 1 } } } } } }) },
    { 'clips.move.ease: "linear", "step", "smooth", "easeIn", "easeOut", "spline" expected, got string \'bounce\'',
      clip({ ease = "bounce", joints = { arm = { angle = 1 } } }) },
    { "clips.move.joints.arm.angle[2][2]: at most 1000 turns from key to key expected, got 1000000000 radians",
      clip({ joints = { arm = { angle = { { 0, 0 }, { 1, 1e9 } } } } }) },
    { "clips.move.joints.arm: either scale, or scaleX and scaleY",
      clip({ joints = { arm = { scale = 1, scaleX = 2 } } }) },
    { "clips.move.sprites.face: no sprite 'face'", clip({ sprites = { face = { { 0, "a" } } } }) },
    { "clips.move.duration: 0.5 is before the last key, event or marker at 0.75",
      clip({ duration = .5, events = { { .75, "x" } } }) },
    { "clips.move.root: translation or rotation expected", clip({ duration = 1, root = { joint = "root" } }) },
  }
  for _, case in ipairs(cases) do
    it(case[1], function() raises.exactly("bad argument #1 to 'newRig' (" .. case[1] .. ")", case[2]) end)
  end

  it("limbs that no side is told to bend to", function()
    local list = joints()
    list[9].angle = 0 -- the knee
    local rig = rig2d.newRig({ joints = list })
    local node = { type = "twoBone", input = { type = "pose" }, joint = "foot" }
    local told = "the limb to 'foot' is straight at rest, so no side is told to bend to: bend the joint in its " ..
      "middle by 0.1 or more in the rig, or give a pole)"
    raises.exactly("bad argument #1 to 'newCharacter' (graph.nodes.leg: " .. told, function()
      rig:newCharacter({ graph = { nodes = { leg = node }, root = "leg" } })
    end)
    raises.exactly("bad argument #1 to 'newCharacter' (graph.root.legs[1]: " .. told, function()
      local feet = { type = "foot", input = { type = "pose" }, legs = { { joint = "foot" } } }
      rig:newCharacter({ graph = { root = feet } })
    end)
    node.pole = { 50, -20 }
    rig:newCharacter({ graph = { nodes = { leg = node }, root = "leg" } })
  end)

  it("of characters", function()
    local rig = newRig()
    local character = rig:newCharacter()
    assert.is_truthy(raises.message(function() rig:newCharacter({ graph = { root = "walk" } }) end)
      :find("bad argument #1 to 'newCharacter' (graph.root: no clip 'walk'", 1, true))
    raises.exactly("bad argument #1 to 'newCharacter' (unknown key 'grpah'; did you mean 'graph'?)",
      function() rig:newCharacter({ grpah = {} }) end)
    raises.exactly("bad argument #1 to 'newCharacter' (scale: number above 0 expected, got 0)",
      function() rig:newCharacter({ scale = 0 }) end)
    local other = anim.newGraph(anim.newSkeleton({ { name = "x" } }))
    raises.exactly("bad argument #1 to 'newCharacter' (graph: a graph of this rig expected, got one of another " ..
      "skeleton)", function() rig:newCharacter({ graph = other }) end)
    raises.exactly("bad argument #1 to 'setFacing' (1 or -1 expected, got 0)", function() character:setFacing(0) end)
    raises.exactly("bad argument #2 to 'setTransform' (finite number expected, got nan)",
      function() character:setTransform(1, 0 / 0) end)
    raises.exactly("bad argument #1 to 'setTarget' (no node 'look'; there are none)",
      function() character:setTarget("look", 1, 2) end)
    raises.exactly("bad argument #1 to 'setSprite' (no sprite 'hat'; there are none)",
      function() character:setSprite("hat") end)
    raises.exactly("bad argument #1 to 'ground' (function expected, got no value)", function() rig2d.ground() end)
  end)

  it("of arguments, at the line where they are made, and nothing is kept of them", function()
    local rig = newRig()
    local character = rig:newCharacter({ x = 1, y = 2 })
    local function at(expected, body)
      local info = debug.getinfo(body, "S")
      local ran, message = pcall(body)
      assert.is_false(ran, expected)
      assert.are.equal(("%s:%d: %s"):format(info.short_src, info.linedefined, expected), message)
    end
    local bad = "bad argument #%d to '%s' (%s expected, got %s)"
    local function wrong(argument, name, what, got, body) at(bad:format(argument, name, what, got), body) end
    local number = "finite number"
    wrong(1, "newRig", "table", "5", function() rig2d.newRig(5) end)
    wrong(1, "newCharacter", "table", "5", function() rig:newCharacter(5) end)
    wrong(1, "newCharacter", "table", "false", function() rig:newCharacter(false) end)
    wrong(3, "setTransform", number, "string 'up'", function() character:setTransform(5, 6, "up") end)
    wrong(1, "setTransform", number, "1e+200", function() character:setTransform(1e200, 0) end)
    wrong(1, "setTransform", "x in units of the rig: number of single precision", "1e+302",
      function() character:setTransform(100, 0, 0, 1e-300) end)
    wrong(2, "setPosition", number, "no value", function() character:setPosition(7) end)
    wrong(1, "toWorld", number, "no value", function() character:toWorld() end)
    wrong(2, "toRig", number, "no value", function() character:toRig(1) end)
    wrong(1, "update", number, "no value", function() character:update() end)
    wrong(1, "advance", "number of 0 or more", "-1", function() character:advance(-1) end)
    wrong(3, "draw", number, "string 'up'", function() character:draw(5, 6, "up") end)
    wrong(2, "draw", number, "no value", function() character:draw(5) end)
    wrong(1, "setTarget", "anim.Node", "no value", function() character:setTarget(nil, 1, 2) end)
    wrong(1, "limb", number, "no value", function() rig2d.limb() end)
    wrong(4, "limb", "whole number from 1 to 1024", "0", function() rig2d.limb(9, 1, 1, 0) end)
    wrong(2, "ground", "number above 0", "0", function() rig2d.ground(print, 0) end)
    at("bad argument #1 to 'getPosition' (no joint 'hed'; did you mean 'head'?)",
      function() character:getPosition("hed") end)
    at("bad argument #1 to 'getJoint' (no joint 'hed'; did you mean 'head'?)", function() character:getJoint("hed") end)
    at("bad argument #1 to 'newCharacter' (graph: table expected, got 5)",
      function() rig:newCharacter({ graph = 5 }) end)
    at("bad argument #1 to 'reload' (root: no clip 'walk')", function() character:reload({ root = "walk" }) end)
    at("bad argument #1 to 'newRig' (joints: joint 'a': the rest transform has a number that is not " ..
      "finite, or beyond 1e15)",
      function() rig2d.newRig({ joints = { { name = "a", x = 1e20 } } }) end)
    at("bad self: call character:update(...)", function() character.update(.1) end)
    at("bad self: call rig:newCharacter(...)", function() rig.newCharacter({}) end)
    assert.are.same({ 1, 2, 0, 1, 1 }, { character:getTransform() })
    character.graph:release()
    at("attempt to use a released anim.Graph", function() character:setTransform(1, 2) end)
  end)
end)
