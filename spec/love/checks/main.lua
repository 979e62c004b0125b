-- Checks that need LÖVE, run by spec/love_spec.lua: love spec/love/checks EXAMPLES DATA SHOTS. Each prints "ok NAME" or
-- "not ok NAME: why"; figures are printed as "NAME = VALUE".
local anim = require("anim")
local core = require("anim.core")
require("anim.love")

local examples, data, shots = arg[2], arg[3], arg[4]
package.path = examples .. "/love/arena/?.lua;" .. examples .. "/?.lua;./?.lua;" .. package.path

local checks, hero, camera = {}, nil, nil

local function check(name, fn) checks[#checks + 1] = { name, fn } end

local function expect(value, why)
  if not value then error(why or "not so", 2) end
  return value
end

local function near(a, b, within, what)
  if math.abs(a - b) > within then error(("%s: %.4f and %.4f"):format(what or "off", a, b), 2) end
end

-- ---- pictures

local function picture(scene)
  love.graphics.clear()
  camera:render(scene)
  return camera.canvas:newImageData()
end

-- How many of the pixels differ by more than a little, 0 to 1.
local function differ(a, b)
  local count, w, h = 0, a:getDimensions()
  for y = 0, h - 1 do
    for x = 0, w - 1 do
      local r0, g0, b0 = a:getPixel(x, y)
      local r1, g1, b1 = b:getPixel(x, y)
      if math.abs(r0 - r1) + math.abs(g0 - g1) + math.abs(b0 - b1) > .1 then count = count + 1 end
    end
  end
  return count / (w * h)
end

local function nothing() end

local function keep(image, name)
  if not shots or shots == "" then return end
  local file = assert(io.open(shots .. "/" .. name .. ".png", "wb"))
  file:write(image:encode("png"):getString())
  file:close()
end

local function readFile(path)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read("*a")
  file:close()
  return bytes
end

local function newCamera(options)
  options = options or {}
  options.width, options.height, options.msaa = 320, 240, 0
  camera = anim.love.newCamera(options)
  camera:lookAt(1.2, 1.5, 2.6, 0, .95, 0)
end

-- ---- checks

check("load gives nil and a message for what cannot be read", function()
  local model, message = anim.love.load("nowhere.glb")
  expect(model == nil and message:find("nowhere.glb", 1, true), tostring(message))
  love.filesystem.write("bad.glb", "glTF but not really")
  model, message = anim.love.load("bad.glb")
  expect(model == nil and message:find("bad.glb", 1, true), tostring(message))
  love.filesystem.write("lacks.gltf", [[{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[
    {"attributes":{}, "material":0}]}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
    "textures":[{"source":0}],"images":[{"uri":"lost.png"}]}]])
  model, message = anim.love.load("lacks.gltf")
  expect(model == nil and message:find("lost.png", 1, true), tostring(message))
end)

check("a figure is drawn, right way up, and moves", function()
  local character = hero:newCharacter()
  character:play("walk")
  character:update(.1)
  local empty, first = picture(nothing), picture(function() character:draw() end)
  keep(first, "hero")
  local part = differ(empty, first)
  expect(part > .03 and part < .4, ("it covers %.3f of the picture"):format(part))
  -- Its vest is brown, its trousers dark and below that, hair above.
  local function at(joint, dy)
    local x, y, z = character:getPosition(joint)
    local sx, sy = camera:project(x, y + (dy or 0), z + .1)
    local r, g, b = first:getPixel(math.floor(sx), math.floor(sy))
    return r, g, b, sy
  end
  local r, g, b, chestY = at("chest")
  expect(r > 1.2 * b and g > b, ("the chest is %.2f %.2f %.2f"):format(r, g, b))
  local _, _, _, footY = at("foot.L")
  expect(footY > chestY + 30, "the feet are not below the chest")
  local sky, _, blue = first:getPixel(5, 5)
  expect(blue > sky, "the sky is not above")
  for _ = 1, 30 do character:update(1 / 60) end
  expect(differ(first, picture(function() character:draw() end)) > .01, "it does not move")
end)

check("faces that look away are hidden, and those in front are not", function()
  local character = hero:newCharacter()
  character:play("idle")
  character:update(0)
  local right = picture(function() character:draw() end)
  for _, item in ipairs(hero.items) do item.part.look.cull = "none" end
  local all = picture(function() character:draw() end)
  for _, item in ipairs(hero.items) do item.part.look.cull = "back" end
  expect(differ(right, all) < .003, ("culling changes %.4f of the picture"):format(differ(right, all)))
end)

check("a row of uniforms and a row of a texture draw the same", function()
  local shader = require("anim.love.shader")
  local one = hero:newCharacter({ heading = .5 })
  expect(one.row.rows ~= "texture", "the hero's row should fit into uniforms")
  local largest = shader.largestRow
  shader.largestRow = 0
  local other = hero:newCharacter({ heading = .5 })
  shader.largestRow = largest
  expect(other.row.rows == "texture")
  for _, character in ipairs({ one, other }) do
    character:play("run")
    character:update(.3)
  end
  local a, b = picture(function() one:draw() end), picture(function() other:draw() end)
  expect(differ(a, picture(nothing)) > .03, "nothing is drawn")
  expect(differ(a, b) == 0, ("%.5f differ"):format(differ(a, b)))
end)

check("a crowd draws what single characters draw", function()
  local places, singles = { { -.7, 0 }, { .1, -.5 }, { .8, .2 } }, {}
  local crowd = anim.love.newCrowd(hero, { room = 2 })
  local first = anim.newGraph(hero)
  first:setRoot(first:clip("walk"))
  for i, place in ipairs(places) do
    local graph = first:clone()
    local options = { x = place[1], z = place[2], heading = i, tint = { 1, .5 + .1 * i, .8 } }
    options.graph = graph
    crowd:add(options)
    local twin = first:clone()
    options.graph = twin
    singles[i] = hero:newCharacter(options)
  end
  crowd:update(.4)
  for _, single in ipairs(singles) do single:update(.4) end
  local a = picture(function() crowd:draw() end)
  local b = picture(function() for _, single in ipairs(singles) do single:draw() end end)
  keep(a, "crowd")
  expect(differ(a, picture(nothing)) > .05, "nothing is drawn")
  expect(differ(a, b) < 1e-4, ("%.5f differ"):format(differ(a, b)))
end)

check("a file without meshes shows its bones", function()
  love.filesystem.write("two.bvh", "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n"
    .. "JOINT arm\n{\nOFFSET 0 0.8 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site\n{\nOFFSET 0 0.8 0\n}\n}\n}\n"
    .. "MOTION\nFrames: 2\nFrame Time: 1\n0 0 0 0 0 0\n0 0 0 0 0 90\n")
  local model = expect(anim.love.load("two.bvh"))
  local character = model:newCharacter()
  character:play(model.clips[1]:getName(), 0)
  character:update(0)
  local first = picture(function() character:draw() end)
  expect(differ(first, picture(nothing)) > .005, "nothing is drawn")
  character:update(.9)
  expect(differ(first, picture(function() character:draw() end)) > .004, "it does not move")
end)

check("draw takes a transform", function()
  local character = hero:newCharacter({ x = .4, z = -.3, heading = .7, scale = .9 })
  character:update(0)
  local s, c = .9 * math.sin(.7), .9 * math.cos(.7)
  local columns = { c, 0, -s, 0, 0, .9, 0, 0, s, 0, c, 0, .4, 0, -.3, 1 }
  local a = picture(function() character:draw() end)
  local b = picture(function() character:draw(columns) end)
  local t = love.math.newTransform()
  t:setMatrix("column", columns)
  local d = picture(function() character:draw(t) end)
  expect(differ(a, b) == 0 and differ(a, d) == 0, "another picture")
  expect(not pcall(picture, function() character:draw({ 1, 2 }) end), "a table of two numbers is taken")
end)

check("drawing outside of a camera is an error", function()
  local ran, message = pcall(function() hero:newCharacter():draw() end)
  expect(not ran and message:find("camera:render", 1, true), tostring(message))
end)

check("parts can be hidden, unknown names are errors", function()
  local character = hero:newCharacter()
  character:update(0)
  local with = picture(function() character:draw() end)
  character:setVisible("sword", false)
  local without = picture(function() character:draw() end)
  expect(differ(with, without) > .0005, "the sword is still there")
  local ran, message = pcall(character.setVisible, character, "axe", false)
  expect(not ran and message:find("axe", 1, true), tostring(message))
end)

check("root motion moves a character, between time and pose", function()
  local moves = 0
  local clip = hero.clips.walk:withRootMotion({ joint = "root", translation = "xz", rotation = "y" })
  local graph = anim.newGraph(hero)
  graph:setRoot(graph:clip(clip))
  local character = hero:newCharacter({ graph = graph, rootMotion = true, heading = math.pi / 2,
    moved = function(self)
      moves = moves + 1
      self.z = 0
    end })
  for _ = 1, 60 do character:update(1 / 60) end
  expect(moves == 60)
  near(character.x, 1.4, .05, "a second of walking")
  near(character.z, 0, 1e-9, "where `moved` holds it")
end)

check("events are told before the pose is made", function()
  local character, steps = hero:newCharacter(), 0
  character:play("walk")
  character:on("footstep", function() steps = steps + 1 end)
  for _ = 1, 61 do character:update(1 / 60) end
  expect(steps == 3 or steps == 2, steps .. " steps")
end)

check("a description is read again when its file changes", function()
  local text = 'return { params = { speed = 0 }, root = { type = "clip", clip = "%s" } }'
  love.filesystem.write("graph.lua", text:format("walk"))
  local watcher = anim.love.watch("graph.lua", { interval = 0 })
  local graph = anim.newGraph(hero, watcher:get())
  watcher:add(graph)
  graph:update(.1)
  expect(watcher:update(1) == nil, "nothing has changed")
  love.filesystem.write("graph.lua", text:format("run"))
  watcher.modtime = 0 -- seconds are too coarse for a test
  expect(watcher:update(1) == true, "not read again")
  graph:update(.1)
  expect(graph:getRoot():getClip():getName() == "run")
  love.filesystem.write("graph.lua", "return { root = 'nothing' }")
  watcher.modtime = 0
  local done, message = watcher:update(1)
  expect(done == false and message:find("nothing", 1, true), tostring(message))
  graph:update(.1)
  expect(graph:getRoot():getClip():getName() == "run", "a fault has changed the graph")
end)

check("the overlay shows states and parameters, and drags these", function()
  local graph = anim.newGraph(hero, { params = { speed = 0, jump = "trigger" },
    nodes = { move = { type = "blend1D", param = "speed", { 0, "idle" }, { 4, "run" } } },
    root = { type = "machine", name = "body", initial = "move",
      states = { move = "move", jump = { "jump", loop = false } },
      transitions = { { from = "move", to = "jump", when = "jump" } } } })
  local character = hero:newCharacter({ graph = graph })
  character:update(.1)
  local overlay = anim.love.newOverlay(character, { camera = camera, key = "o" })
  expect(not overlay:mousepressed(20, 20, 1), "it takes clicks while it is off")
  expect(overlay:keypressed("o") and overlay.isOn and not overlay:keypressed("p"))
  expect(overlay:getText():find("body: move", 1, true), overlay:getText())
  picture(function() character:draw() end)
  overlay:draw()
  -- The slider of "speed" is the third row; its right end is the last threshold.
  local y = overlay.y + 4 + 2.5 * overlay.line
  expect(overlay:mousepressed(overlay.x + overlay.width * .97, y, 1))
  overlay:mousemoved(overlay.x + overlay.width * .77, y)
  overlay:mousereleased()
  near(graph:get("speed"), 2, .05, "speed")
  graph:set("speed", 0)
  character:update(.1)
  near(graph:get("speed"), 2, .05, "a parameter that was dragged is held")
  overlay:mousepressed(overlay.x + 20, y, 2)
  graph:set("speed", 1)
  character:update(.1)
  near(graph:get("speed"), 1, 1e-6, "let go")
  expect(overlay:mousepressed(overlay.x + 20, overlay.y + 4 + 1.5 * overlay.line, 1), "the trigger's row")
  character:update(.1)
  character:update(.1)
  expect(overlay:getText():find("body: jump", 1, true), overlay:getText())
end)

check("the annotations name every method, and no other", function()
  local annotations = require("tools.docs.annotations")
  local api, model = annotations.read(annotations.files()), hero
  local crowd = anim.love.newCrowd(model)
  local made = { Model = model, Character = model:newCharacter(), Crowd = crowd, Member = crowd:add(), Camera = camera,
    Overlay = anim.love.newOverlay(model:newCharacter()), Watcher = anim.love.watch("graph.lua") }
  local found = {}
  local function compare(class, told, live)
    for name in pairs(live) do
      if not told[name] and name ~= "new" and not name:match("^__") then found[#found + 1] = class .. "." .. name end
    end
    for name in pairs(told) do
      if type(name) == "string" and not live[name] then found[#found + 1] = "no " .. class .. "." .. name end
    end
  end
  for name, object in pairs(made) do
    compare(name, expect(api.classes["anim.love." .. name], "no class " .. name).methods, getmetatable(object).__index)
  end
  local functions = {}
  for name, value in pairs(anim.love) do functions[name] = type(value) == "function" or nil end
  compare("anim.love", expect(api.classes["anim.love"], "no class anim.love").methods, functions)
  expect(#found == 0, table.concat(found, ", "))
end)

check("nothing is left for the collector by update and draw", function()
  local character = hero:newCharacter({ rootMotion = true })
  character:play("walk")
  local crowd = anim.love.newCrowd(hero, { threads = 1 })
  local first = anim.newGraph(hero)
  first:setRoot(first:clip("walk"))
  for i = 1, 10 do crowd:add({ graph = first:clone(), x = i }) end
  local function scene()
    character:draw()
    crowd:draw()
  end
  jit.off() -- compiled traces are memory, too
  local function frame()
    character:update(1 / 60)
    crowd:update(1 / 60)
    camera:render(scene)
  end
  for _ = 1, 200 do frame() end
  collectgarbage()
  collectgarbage()
  collectgarbage("stop")
  for _ = 1, 20 do frame() end
  local _, _, blocks = core.memory()
  local bytes = math.huge -- of 50 frames: stacks and tables that grow once do so in one of four turns
  for _ = 1, 4 do
    local before = collectgarbage("count")
    for _ = 1, 50 do frame() end
    bytes = math.min(bytes, (collectgarbage("count") - before) * 1024)
  end
  local _, _, after = core.memory()
  collectgarbage("restart")
  jit.on()
  print(("garbage of 50 frames = %d bytes, %d allocations"):format(bytes, after - blocks))
  expect(bytes == 0 and after == blocks, bytes .. " bytes")
end)

local function median(list)
  table.sort(list)
  return list[math.ceil(#list / 2)], list[math.ceil(#list / 10)]
end

check("two hundred of a crowd", function()
  local crowd = anim.love.newCrowd(hero, { room = 200 })
  local first = anim.newGraph(hero, { params = { speed = 0 },
    root = { type = "blend1D", param = "speed", sync = false, { 0, "idle" }, { 1.4, "walk" }, { 3.6, "run" } } })
  for i = 1, 200 do
    local member = crowd:add({ graph = i == 1 and first or first:clone(), x = (i % 20 - 10) * .8,
      z = -math.floor(i / 20) * .9, heading = i })
    member.graph:set("speed", i % 5)
    member.graph:update(i * .13)
  end
  camera:lookAt(0, 4, 6, 0, .5, -2)
  camera:setLight({ shadow = 0 })
  local update, corners = {}, 0
  for _, item in ipairs(hero.items) do corners = corners + item.part.vertexCount end
  for i = 1, 30 do
    local start = love.timer.getTime()
    crowd:update(1 / 60)
    update[i] = 1e3 * (love.timer.getTime() - start)
  end
  local start = love.timer.getTime()
  local image = picture(function() crowd:draw() end)
  local frame = 1e3 * (love.timer.getTime() - start)
  keep(image, "crowd200")
  expect(differ(image, picture(nothing)) > .1, "nothing is drawn")
  local middle, best = median(update)
  print(("crowd of 200 = update %.2f ms (p10 %.2f); a frame of %d corners each, by this driver: %.0f ms"):format(middle,
    best, corners, frame))
end)

require("faults")(check, function() return hero end, picture, newCamera)

if data and data ~= "" then
  check("Knight.glb: skinned and textured", function()
    love.filesystem.write("Knight.glb", readFile(data .. "/humanoid/kaykit_adventurers/Knight.glb"))
    local model = expect(anim.love.load("Knight.glb"))
    local knight = model:newCharacter({ hide = { "1H_Sword_Offhand", "Badge_Shield", "Rectangle_Shield",
      "Spike_Shield", "2H_Sword" } })
    knight:play("Walking_A")
    knight:update(.25)
    camera:lookAt(1.5, 1.8, 3.4, 0, 1.05, 0)
    local image = picture(function() knight:draw() end)
    keep(image, "knight")
    expect(differ(image, picture(nothing)) > .1)
    -- The face is of the colour of skin, which only the texture knows.
    local x, y, z = knight:getPosition("head")
    local sx, sy = camera:project(x, y + .38, z + .4)
    local r, g, b = image:getPixel(math.floor(sx), math.floor(sy))
    expect(r > g and g > b and r > .4, ("the face is %.2f %.2f %.2f"):format(r, g, b))
  end)

  check("AnimatedMorphCube.glb: morph targets change what is seen", function()
    love.filesystem.write("cube.glb",
      readFile(data .. "/khronos/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb"))
    local model = expect(anim.love.load("cube.glb"))
    local cube = model:newCharacter()
    cube:play(model.clips[1]:getName(), 0)
    camera:lookAt(3, 2.5, 5, 0, 0, 0)
    cube:update(0)
    local before = picture(function() cube:draw() end)
    cube:update(1.2)
    local after = picture(function() cube:draw() end)
    keep(before, "cube0")
    keep(after, "cube1")
    expect(differ(before, picture(nothing)) > .02, "nothing is drawn")
    expect(differ(before, after) > .02, ("only %.4f differ"):format(differ(before, after)))
  end)
end

-- ---- running them

function love.load()
  love.filesystem.write("hero.glb", require("body").write())
  hero = assert(anim.love.load("hero.glb"))
  hero.clips = dofile(examples .. "/hero.lua").build({ travel = true }).clips
end

local next = 1

function love.draw()
  local item = checks[next]
  next = next + 1
  if not item then return love.event.quit() end
  newCamera()
  local ran, message = pcall(item[2])
  print(ran and "ok " .. item[1] or ("not ok %s: %s"):format(item[1], tostring(message)))
  io.flush()
end
