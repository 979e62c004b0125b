-- Checks of what anim.love refuses: each mistake is told with the argument, at the line that made it, and leaves all as
-- it was. Used by main.lua: what it gives adds its checks with `check(name, fn)`.
local anim = require("anim")

local nan = 0 / 0

local function expect(value, why)
  if not value then error(why or "not so", 2) end
  return value
end

-- `body(...)` has to raise `expected` at its own line.
local function refuses(expected, body, ...)
  local info = debug.getinfo(body, "S")
  local ran, message = pcall(body, ...)
  if ran then error("no error; expected: " .. expected, 2) end
  local file, line, text = tostring(message):match("^([^:]+):(%d+): (.*)$")
  line = tonumber(line)
  local isHere = file == info.short_src and line >= info.linedefined and line <= info.lastlinedefined
  if text ~= expected or not isHere then
    error(("expected at %s:%d: %s\n  got %s"):format(info.short_src, info.linedefined, expected, tostring(message)), 2)
  end
end

-- Each of `cases`: what the message says of argument number `argument` of `name`, and the argument.
local function refusesAll(name, argument, cases, call)
  for i = 1, #cases, 2 do
    refuses(("bad argument #%d to '%s' (%s)"):format(argument, name, cases[i]), call, cases[i + 1])
  end
end

local triangle = [[{"asset":{"version":"2.0"},"nodes":[{"name":"odd"}]}]]

local function otherModel()
  love.filesystem.write("other.gltf", triangle)
  return expect(anim.love.load("other.gltf", { read = function() return "" end }))
end

return function(check, hero, picture, newCamera)
  check("mistakes in options are told with their key", function()
    local model = hero()
    refusesAll("newCamera", 1, {
      "table expected, got 5", 5,
      "unknown key 'fovy'; did you mean 'fov'?", { fovy = 1 },
      "unknown key 'zzz'; there are 'far', 'fov', 'height', 'msaa', 'near', 'width'", { zzz = 1 },
      "height: wanted together with width", { width = 100 },
      "width: wanted together with height", { height = 100 },
      "width: whole number from 1 to 16384 expected, got string 'a'", { width = "a", height = 5 },
      "width: whole number from 1 to 16384 expected, got 10.5", { width = 10.5, height = 3 },
      "msaa: whole number from 0 to 64 expected, got string 'x'", { msaa = "x" },
      "fov: number above 0 and below pi expected, got 0", { fov = 0 },
      "far: number above near expected, got 5", { near = 5, far = 5 },
    }, function(options) anim.love.newCamera(options) end)
    local other = anim.newGraph(otherModel())
    local released = anim.newGraph(model)
    released:release()
    refusesAll("newCharacter", 1, {
      "table expected, got 5", 5,
      "unknown key 'colour'; there are 'graph', 'heading', 'hide', 'moved', 'rootMotion', 'scale', 'tint', 'x', 'y', "
        .. "'z'",
      { colour = 1 },
      "scale: finite number expected, got string 'big'", { scale = "big" },
      "heading: finite number expected, got nan", { heading = nan },
      "tint: 3 to 4 numbers expected, got 5", { tint = 5 },
      "tint: 3 to 4 numbers expected, got 1", { tint = { 1 } },
      "tint[2]: finite number expected, got string 'b'", { tint = { 1, "b", 1 } },
      "moved: function expected, got 5", { moved = 5 },
      "rootMotion: true or false expected, got 1", { rootMotion = 1 },
      "hide: table expected, got string 'sword'", { hide = "sword" },
      "hide[1]: the model has no mesh 'swort'; did you mean 'sword'?", { hide = { "swort" } },
      "graph: table expected, got 5", { graph = 5 },
      "graph.root: no clip 'wolk'; did you mean 'walk'?", { graph = { root = "wolk" } },
      "graph: a graph of this model expected, got one of another skeleton", { graph = other },
      "graph: anim.Graph expected, got one that was released", { graph = released },
    }, function(options) model:newCharacter(options) end)
    refusesAll("newCrowd", 2, {
      "table expected, got 5", 5,
      "unknown key 'rooms'; did you mean 'room'?", { rooms = 5 },
      "room: whole number from 1 to 16384 expected, got 0", { room = 0 },
      "room: whole number from 1 to 16384 expected, got 2.5", { room = 2.5 },
      "threads: index from 1 to 256 expected, got string 'a'", { threads = "a" },
      "hide: table expected, got string 'x'", { hide = "x" },
    }, function(options) anim.love.newCrowd(model, options) end)
    local crowd = anim.love.newCrowd(model)
    refusesAll("add", 1, {
      "table expected, got 5", 5,
      "unknown key 'foo'; there are 'graph', 'heading', 'rootMotion', 'scale', 'tint', 'x', 'y', 'z'", { foo = 1 },
      "`hide` is an option of the crowd, `moved` of single characters", { hide = {} },
      "graph: graph of no crowd expected, got one of this one", { graph = crowd:add().graph },
    }, function(options) crowd:add(options) end)
    expect(crowd:getCount() == 1, "what was refused is in the crowd")
    local light = "unknown key 'radios'; did you mean 'radius'?"
    local camera = anim.love.newCamera()
    refusesAll("setLight", 1, {
      "table expected, got no value", nil,
      light, { radios = 1 },
      "direction: 3 numbers expected, got 5", { direction = 5 },
      "direction: a direction expected, got 0, 0, 0", { direction = { 0, 0, 0 } },
      "shadow: number from 0 to 1 expected, got string 'x'", { color = { 1, 1, 1 }, shadow = "x" },
      "resolution: whole number from 1 to 16384 expected, got 0", { resolution = 0 },
    }, function(values) camera:setLight(values) end)
    expect(camera.light.color[2] == .98, "a part of what was refused was kept")
    local target = model:newCharacter()
    refusesAll("newOverlay", 2, {
      "table expected, got 5", 5,
      "unknown key 'kye'; did you mean 'key'?", { kye = 1 },
      "camera: anim.love.Camera expected, got table", { camera = {} },
      "key: string expected, got 5", { key = 5 },
      "rate: number above 0 expected, got 0", { rate = 0 },
      "width: number above 0 expected, got 0", { width = 0 },
      "project: function expected, got 5", { project = 5 },
    }, function(options) anim.love.newOverlay(target, options) end)
    refusesAll("load", 2, {
      "table expected, got 5", 5,
      "unknown key 'foo'; did you mean 'loop'?", { foo = 1 },
      "meshes: always read here", { meshes = false },
    }, function(options) anim.love.load("hero.glb", options) end)
    refusesAll("loadAsync", 2, {
      "table expected, got 5", 5,
      "unknown key 'foo'; did you mean 'loop'?", { foo = 1 },
    }, function(options) anim.love.loadAsync("hero.glb", options) end)
    love.filesystem.write("still.lua", "return { root = 'walk' }")
    refusesAll("watch", 2, {
      "table expected, got 5", 5,
      "unknown key 'change'; did you mean 'changed'?", { change = print },
      "changed: function expected, got 5", { changed = 5 },
      "interval: number of 0 or more expected, got -1", { interval = -1 },
    }, function(options) anim.love.watch("still.lua", options) end)
  end)

  check("mistakes in arguments are told where they are made", function()
    local model, camera = hero(), anim.love.newCamera()
    local character, crowd = model:newCharacter(), anim.love.newCrowd(model)
    local member = crowd:add()
    local overlay = anim.love.newOverlay(character, { on = true })
    love.filesystem.write("still.lua", "return { root = 'walk' }")
    local watcher = anim.love.watch("still.lua")
    local bad = "bad argument #%d to '%s' (%s expected, got %s)"
    local function wrong(argument, name, what, got, body) refuses(bad:format(argument, name, what, got), body) end
    local number = "finite number"
    wrong(1, "load", "string", "no value", function() anim.love.load() end)
    wrong(1, "loadAsync", "string", "no value", function() anim.love.loadAsync() end)
    wrong(1, "watch", "string", "5", function() anim.love.watch(5) end)
    wrong(1, "newModel", "model loaded with meshes = true", "no value", function() anim.love.newModel() end)
    wrong(1, "newCrowd", "anim.love.Model", "no value", function() anim.love.newCrowd() end)
    wrong(1, "newOverlay", "graph or character", "no value", function() anim.love.newOverlay() end)
    wrong(1, "setTarget", "graph or character", "5", function() overlay:setTarget(5) end)
    wrong(1, "setMessage", "string", "table", function() overlay:setMessage({}) end)
    wrong(1, "mousepressed", number, "no value", function() overlay:mousepressed() end)
    wrong(4, "lookAt", number, "no value", function() camera:lookAt(1, 2, 3) end)
    wrong(2, "lookAt", number, "nan", function() camera:lookAt(1, nan, 3, 0, 0, 0) end)
    expect(camera.eye[1] == 0 and camera.eye[2] == 1.6, "what was refused has moved the camera")
    wrong(1, "project", number, "no value", function() camera:project() end)
    wrong(1, "render", "function", "no value", function() camera:render() end)
    wrong(1, "setSky", "3 numbers", "no value", function() camera:setSky() end)
    wrong(3, "setSky", "number above 0", "0", function() camera:setSky({ 1, 1, 1 }, { 1, 1, 1 }, 0) end)
    wrong(1, "setPlace", number, "no value", function() character:setPlace() end)
    wrong(2, "setPlace", number, "nan", function() character:setPlace(1, nan, 1) end)
    wrong(4, "setPlace", number, "string 'n'", function() member:setPlace(1, 1, 1, "n") end)
    expect(character.x == 0 and member.x == 0, "what was refused has moved it")
    wrong(1, "update", "number of 0 or more", "-1", function() character:update(-1) end)
    wrong(1, "update", number, "no value", function() crowd:update() end)
    wrong(1, "update", number, "no value", function() watcher:update() end)
    wrong(2, "setVisible", "true or false", "no value", function() character:setVisible("sword") end)
    refuses("bad argument #1 to 'setVisible' (the model has no mesh 'swort'; did you mean 'sword'?)",
      function() character:setVisible("swort", false) end)
    refuses("bad argument #1 to 'getPosition' (no joint 'hed'; did you mean 'head'?)",
      function() character:getPosition("hed") end)
    refuses("bad argument #1 to 'play' (no clip 'wolk'; did you mean 'walk'?)", function() member:play("wolk") end)
    wrong(1, "add", "anim.Graph", "table", function() watcher:add(character) end)
    wrong(1, "add", "anim.Graph", "no value", function() watcher:add() end)
    refuses("bad argument #1 to 'remove' (it is not in this crowd)", function() crowd:remove(character) end)
    refuses("bad self: call camera:render(...)", function() camera.render(function() end) end)
    refuses("bad self: call model:newCharacter(...)", function() model.newCharacter({ x = 1 }) end)
    local transform = "Transform or table of 16 numbers"
    for got, value in pairs({ ["string 'x'"] = "x", ["2 numbers"] = { 1, 2 }, userdata = camera.view.data }) do
      wrong(1, "draw", transform, got, function() character:draw(value) end)
    end
    refuses("draw in three dimensions only inside of camera:render(function() ... end)",
      function() character:draw() end)
    character.x = "far"
    refuses("the field 'x': finite number expected, got string 'far'", function() character:update(.1) end)
    character.x, character.tint = 0, { 1 }
    refuses("the field 'tint': 3 to 4 numbers expected, got 1", function() character:update(.1) end)
    member.scale = nil
    refuses("the field 'scale': finite number expected, got no value", function() crowd:update(.1) end)
  end)

  check("what fails inside of a scene or an overlay leaves LÖVE's stack as it was", function()
    local camera, depth = anim.love.newCamera({ width = 64, height = 64, msaa = 0 }), love.graphics.getStackDepth()
    local function scene()
      love.graphics.push()
      love.graphics.push("all")
      error("mine")
    end
    refuses("mine", scene)
    for _ = 1, 2 do love.graphics.pop() end
    local ran, why = pcall(camera.render, camera, scene)
    expect(not ran and tostring(why):match(": mine$"), tostring(why))
    expect(love.graphics.getStackDepth() == depth and love.graphics.getCanvas() == nil)
    local overlay = anim.love.newOverlay(hero():newCharacter(), { on = true, project = scene })
    ran, why = pcall(overlay.draw, overlay)
    expect(not ran and tostring(why):match(": mine$"), tostring(why))
    expect(love.graphics.getStackDepth() == depth, "the overlay")
    camera:render(function() end)
  end)

  check("a reason why there is no model is passed on", function()
    love.filesystem.write("bad.glb", "glTF but not really")
    local model, message = anim.love.newModel(expect(anim.love.loadAsync("bad.glb")):get())
    expect(model == nil and tostring(message):find("bad.glb", 1, true), tostring(message))
  end)

  check("crowds, overlays and watchers let released graphs go", function()
    local model = hero()
    local crowd, told = anim.love.newCrowd(model), 0
    local first, second, third = crowd:add(), crowd:add({ x = 1 }), crowd:add()
    for _, member in ipairs({ first, second, third }) do member:play("walk") end
    first.graph:release()
    expect(crowd:getCount() == 2, "it is still counted")
    crowd:update(.1)
    newCamera()
    third.graph:release()
    picture(function() crowd:draw() end)
    crowd:remove(third)
    expect(crowd:getCount() == 1)
    second:on("footstep", function()
      told = told + 1
      second.graph:release()
    end)
    for _ = 1, 20 do crowd:update(.1) end
    expect(told == 1 and crowd:getCount() == 0, told .. " steps")
    crowd:add()
    crowd:update(.1)

    local character = model:newCharacter()
    local overlay = anim.love.newOverlay(character, { on = true })
    overlay:draw()
    character.graph:release()
    overlay:draw()
    overlay:mousepressed(overlay.x + 20, overlay.y + 20, 1)
    expect(overlay:getText() == "the graph was released", overlay:getText())
    refuses("attempt to use a released anim.Graph", function() character:update(.1) end)
    refuses("attempt to use a released anim.Graph", function() character:getPosition(1) end)
    character.graph = anim.newGraph(model, { params = { mood = 1 } })
    expect(overlay:getText():find("mood", 1, true), "it does not look at the new one")
    overlay:draw()

    love.filesystem.write("left.lua", "return { root = 'walk' }")
    local watcher = anim.love.watch("left.lua")
    local gone, here = anim.newGraph(model, watcher:get()), anim.newGraph(model, watcher:get())
    watcher:add(gone):add(here)
    gone:release()
    love.filesystem.write("left.lua", "return { root = 'run' }")
    local done, message = watcher:reload()
    expect(done, tostring(message))
    expect(here:getRoot():getClip():getName() == "run")
  end)

  check("a fault in a file leaves all graphs of a watcher as they were", function()
    local model = hero()
    love.filesystem.write("both.lua", "return {}")
    local watcher = anim.love.watch("both.lua")
    local one, other = anim.newGraph(model, {}), anim.newGraph(otherModel(), {})
    watcher:add(one):add(other)
    love.filesystem.write("both.lua", "return { root = 'walk' }") -- the other model has no such clip
    local done, message = watcher:reload()
    expect(done == nil and message:find("walk", 1, true), tostring(message))
    expect(one:getRoot() == nil, "the first one has changed")
  end)

  check("a crowd grows as far as a texture is high", function()
    local limits = love.graphics.getSystemLimits
    love.graphics.getSystemLimits = function() -- luacheck: ignore 122
      local out = limits()
      out.texturesize = 256
      return out
    end
    local ran, why = pcall(function()
      local crowd = anim.love.newCrowd(hero(), { room = 200 })
      local graph = anim.newGraph(hero())
      for i = 1, 256 do crowd:add({ graph = i == 1 and graph or graph:clone() }) end
      refuses("the crowd is full: this machine's graphics card has room for 256 characters",
        function() crowd:add() end)
      expect(crowd:getCount() == 256)
      crowd:update(.1)
    end)
    love.graphics.getSystemLimits = limits -- luacheck: ignore 122
    if not ran then error(why, 0) end
  end)
end
