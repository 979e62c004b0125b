-- The annotations for editors (lua/anim/**/*types.lua) against what is there: the module, metatables, keys of tables.
local anim = require("anim")

local annotations = require("tools.docs.annotations")
local differences = require("spec.support.differences")
local kinds = require("anim.graph.kinds")
local rig2d = require("anim.love.rig2d")

local api = annotations.read(annotations.files())

local function decodeSkinned()
  return assert(anim.decode([[{ "asset": { "version": "2.0" }, "nodes": [ { "name": "hip", "children": [ 1 ] },
    { "name": "knee" } ], "skins": [ { "joints": [ 0, 1 ] } ], "scenes": [ { "nodes": [ 0 ] } ] }]], "two.gltf"))
end

-- One of each kind of object.
local function objects()
  local model = decodeSkinned()
  local graph = anim.newGraph(model.skeleton)
  local recording = anim.record(graph)
  recording:stop()
  return { Skeleton = model.skeleton, Skin = model.skins[1], Graph = graph, Recording = recording,
    Clip = anim.newClip({ skeleton = model.skeleton, duration = 1 }), Mask = anim.newMask(model.skeleton, { "hip" }),
    Pose = anim.newPose(model.skeleton), Node = graph:pose(anim.newPose(model.skeleton)),
    Param = graph:param("speed", 0), Subscription = graph:on("step", function() end), Buffer = anim.newBuffer(4),
    Crowd = anim.newCrowd({ threads = 1 }), Loading = anim.loadAsync({ bytes = "" }) }
end

-- What works without LÖVE of anim.love.
local function loveObjects()
  local rig = rig2d.newRig({ joints = { { name = "hips" } } })
  return { ["love.Rig2D"] = rig, ["love.Character2D"] = rig:newCharacter() }
end

local function append(list, more)
  for _, item in ipairs(more) do list[#list + 1] = item end
end

-- All that differs between the annotations and the library.
local function compare(read)
  local found, told = {}, {}
  for _, fn in ipairs(read.functions) do told[fn.name] = true end
  for _, name in ipairs(read.values) do told[name] = true end
  local live = {}
  for name in pairs(anim) do live[name] = true end
  append(found, differences(told, live, "anim."))
  append(found, differences(read.classes["anim.love.rig2d"].methods, rig2d, "rig2d."))
  local made = objects()
  for name, object in pairs(loveObjects()) do made[name] = object end
  for name, object in pairs(made) do
    local class, metatable = read.classes["anim." .. name], debug.getmetatable(object)
    if not class then
      found[#found + 1] = "anim." .. name .. " is not annotated"
    else
      append(found, differences(class.methods, metatable.__index, name .. ":"))
      if (metatable.__len ~= nil) ~= (class.operators.len == true) then
        found[#found + 1] = "the length of " .. name
      end
    end
  end
  for _, class in ipairs(read.classes) do
    local name = class.name:gsub("^anim%.", "")
    local elsewhere = class.isModule or name:match("^love%.") -- spec/docs_spec.lua looks at them in LÖVE
    if #class.methods > 0 and not made[name] and not elsewhere then found[#found + 1] = "there is no class " .. name end
  end
  return found
end

-- The fields that a class has of its own and from those above it, up to `top`.
local function fieldsOf(class, top)
  local fields = {}
  while class and class.name ~= top do
    for _, field in ipairs(class.fields) do fields[field.name] = true end
    class = api.classes[class.parent]
  end
  return fields
end

local function nodeClass(kind) return api.classes["anim." .. kind:sub(1, 1):upper() .. kind:sub(2) .. "Node"] end

-- Reads annotations with `change` done to the text of each file.
local function readChanged(change)
  local paths, made = annotations.files(), {}
  for i, path in ipairs(paths) do
    local file = assert(io.open(path, "rb"))
    local text = change(file:read("*a"))
    file:close()
    made[i] = os.tmpname()
    local copy = assert(io.open(made[i], "wb"))
    copy:write(text)
    copy:close()
  end
  local read = annotations.read(made)
  for _, path in ipairs(made) do os.remove(path) end
  return read
end

describe("the annotations", function()
  it("are all understood, and say of each function what it does and takes", function()
    assert.are.same({}, api.faults)
  end)

  it("name every function and method there is, and no other", function()
    assert.are.same({}, compare(api))
  end)

  it("would be found out if one were missing or too many", function()
    local less = readChanged(function(text) return (text:gsub("\nfunction Clip:pack%b() end", "")) end)
    assert.are.same({ "Clip:pack is not annotated" }, compare(less))
    less = readChanged(function(text) return (text:gsub("\nfunction anim%.guessMap%b() end", "")) end)
    assert.are.same({ "anim.guessMap is not annotated" }, compare(less))
    local more = readChanged(function(text)
      return (text:gsub("\nlocal Mask = {}\n", "%0\n--- Nothing.\nfunction Mask:invert() end\n"))
    end)
    assert.are.same({ "there is no Mask:invert" }, compare(more))
  end)

  it("would be found out if they said nothing of a parameter", function()
    local read = readChanged(function(text)
      text = text:gsub("%-%-%-@param mode anim%.LoopMode\n", "")
      return (text:gsub("%-%-%- Takes a trigger back%.\n(function Param)", "%1"))
    end)
    assert.are.equal(2, #read.faults)
    assert.is_truthy(read.faults[1]:match("Clip:withLoop: @param mode is missing"))
    assert.is_truthy(read.faults[2]:match("Param:cancel: no sentence says what it does"))
  end)

  it("list the kinds of nodes", function()
    local told, live = {}, {}
    for kind in api.classes["anim.NodeDescription"].fields.type.type:gmatch('"(%w+)"') do told[kind] = true end
    for _, kind in ipairs(kinds) do live[kind] = true end
    assert.are.same({}, differences(told, live, ""))
  end)

  for _, kind in ipairs(kinds) do
    it("have the keys of a " .. kind, function()
      local class, live = nodeClass(kind), {}
      assert.is_truthy(class)
      for _, key in ipairs(kinds[kind].keys) do live[key] = true end
      -- every solver has the two, whichever list they stand in
      local told = fieldsOf(class, "anim.NodeDescription")
      assert.are.same({}, differences(told, live, kind .. "."))
    end)
  end
end)

-- Functions that take a table: each field that is annotated must be known. They complain about its value, or not at
-- all, but not about its name.
local takes = {
  JointDescription = function(t) t.name = t.name or "a"; anim.newSkeleton({ t }) end,
  ClipDescription = function(t)
    t.skeleton = t.skeleton or objects().Skeleton
    anim.newClip(t)
  end,
  LoadOptions = function(t) anim.decode("", "x", t) end,
  FileBytes = function(t) t.bytes = t.bytes or ""; anim.loadAsync(t) end,
  PackOptions = function(t) objects().Clip:pack(t) end,
  RetargetOptions = function(t)
    local made = objects()
    made.Clip:retarget(made.Skeleton, {}, t)
  end,
  CrowdDescription = function(t) anim.newCrowd(t) end,
  Warp = function(t) objects().Graph:warp(t) end,
  ViewOptions = function(t) anim.view({ skeleton = objects().Skeleton }, os.tmpname(), t) end,
  GraphDescription = function(t) anim.newGraph(objects().Skeleton, t) end,
  Keys = function(t)
    anim.newClip({ skeleton = objects().Skeleton, tracks = { hip = { translation = t } } })
  end,
  JointTracks = function(t) anim.newClip({ skeleton = objects().Skeleton, tracks = { hip = t } }) end,
  PropertyKeys = function(t) anim.newClip({ skeleton = objects().Skeleton, properties = { p = t } }) end,
  Event = function(t)
    t.time, t.name = t.time or 0, t.name or "e"
    anim.newClip({ skeleton = objects().Skeleton, duration = 1, events = { t } })
  end,
  Marker = function(t)
    t.time, t.name = t.time or 0, t.name or "e"
    anim.newClip({ skeleton = objects().Skeleton, duration = 1, markers = { t } })
  end,
  Transition = function(t)
    t.from, t.to = t.from or "a", t.to or "a"
    local states = { a = { type = "pose" } }
    objects().Graph:machine({ initial = "a", states = states, transitions = { t } })
  end,
  LayerEntry = function(t)
    t[1] = { type = "pose" }
    objects().Graph:layers({ base = { type = "pose" }, t })
  end,
  Effector = function(t)
    t.joint = t.joint or "knee"
    objects().Graph:chain({ input = { type = "pose" }, root = "hip", effectors = { t } })
  end,
  JointLimit = function(t)
    objects().Graph:chain({ input = { type = "pose" }, root = "hip", joint = "knee", limits = { hip = t } })
  end,
  Leg = function(t)
    objects().Graph:stride({ input = { type = "pose" }, pelvis = "hip", legs = { t } })
  end,
  FootLeg = function(t) objects().Graph:foot({ input = { type = "pose" }, legs = { t } }) end,
  Collider = function(t)
    objects().Graph:spring({ input = { type = "pose" }, joint = "hip", colliders = { t } })
  end,
}

-- The classes of tables that some function takes; what a model holds is made by load.
local function taken()
  local set = {}
  local function add(name)
    local class = api.classes[name]
    if set[name] or not class or name == "anim.Model" then return end
    set[name] = true
    for _, field in ipairs(class.fields) do field.type:gsub("anim%.%w+", add) end
  end
  annotations.each(api, function(fn)
    for _, p in ipairs(fn.params) do p.type:gsub("anim%.%w+", add) end
  end)
  return set
end

describe("the keys of", function()
  for name, take in pairs(takes) do
    it(name .. " are known", function()
      local class = assert(api.classes["anim." .. name])
      for field in pairs(fieldsOf(class)) do
        local ran, message = pcall(take, { [field] = print }) -- a function where none is right, mostly
        assert.is_falsy(not ran and tostring(message):match("unknown key"), name .. "." .. field)
      end
      local ran, message = pcall(take, { nonsense = true })
      assert.is_true(not ran and tostring(message):match("unknown key 'nonsense'") ~= nil, tostring(message))
    end)
  end

  it("all other classes are looked at, too", function()
    local missing, wanted = {}, taken()
    for _, class in ipairs(api.classes) do
      local name = class.name:gsub("^anim%.", "")
      local node = name == "NodeDescription" or name == "SolverNode" or class.parent == "anim.NodeDescription" or
        class.parent == "anim.SolverNode"
      if #class.fields > 0 and wanted[class.name] and not takes[name] and not node then missing[#missing + 1] = name end
    end
    assert.are.same({}, missing)
  end)
end)
