local anim = require("anim")
local animLove = require("anim.love") -- `love` is LÖVE's own
local person = assert(animLove.load("hero.glb"))
person.clips = model.clips -- the file has none
local camera = animLove.newCamera({ width = 320, height = 240, msaa = 0 })
camera:lookAt(0, 1.5, 3, 0, 1, 0)
local function render(scene) -- how much of the picture is not sky
  camera:render(function() end)
  local empty = camera.canvas:newImageData()
  camera:render(scene)
  local count, image = 0, camera.canvas:newImageData()
  for y = 0, 239, 4 do
    for x = 0, 319, 4 do
      local r, _, b = image:getPixel(x, y)
      local r0, _, b0 = empty:getPixel(x, y)
      if math.abs(r - r0) + math.abs(b - b0) > .1 then count = count + 1 end
    end
  end
  return count / 4800
end

-- ## love.load
local hero = animLove.load("hero.glb", { nodes = "all" })
print(hero.name, #hero.skeleton)                             --> hero.glb 65
print(animLove.load("gone.glb"))
--> nil gone.glb: Could not open file gone.glb. Does not exist.

-- ## love.loadAsync love.newModel
local loading = animLove.loadAsync("hero.glb")
-- in love.update: if loading:isDone() then ... end
local hero = animLove.newModel(assert(loading:get()))
print(#hero.skeleton)                                        --> 64

-- ## love.Model:getParts
print(table.concat(person:getParts(), " "))                  --> grip.R body

-- ## love.Model:newCharacter
local hero = person:newCharacter({ x = 1, heading = math.pi / 2, tint = { 1, .8, .8 },
  graph = { params = { speed = 0 }, root = { type = "blend1D", param = "speed", { 0, "idle" }, { 1.4, "walk" } } } })
hero.graph:set("speed", .7)
hero:update(1 / 60)
print(hero.x, hero.graph:getRoot():getType())                --> 1 blend1D

-- ## love.Character:play love.Character:on love.Character:update
local hero, steps = person:newCharacter(), 0
hero:play("walk", .2)
hero:on("footstep", function() steps = steps + 1 end)
for _ = 1, 80 do hero:update(1 / 60) end
print(steps)                                                 --> 3

-- ## love.Character:setPlace love.Character:getPosition
local hero = person:newCharacter()
hero:setPlace(10, 0, -2, math.pi)                            -- on the spot; he looks along -Z
hero:play("idle")
hero:update(0)
local x, y, z = hero:getPosition("head")
print(("%.0f %.1f %.0f"):format(x, y, z))                    --> 10 1.6 -2

-- ## love.Character:draw
local hero = person:newCharacter()
hero:update(0)
print(render(function() hero:draw() end) > .02)              --> true
local moved = love.math.newTransform(1, 0)                   -- in the place of hero.x and so on
print(render(function() hero:draw(moved) end) > .02)         --> true

-- ## love.Character:setVisible
local hero = person:newCharacter({ hide = { "sword" } })
hero:update(0)
hero:setVisible("body", false)
print(render(function() hero:draw() end))                    --> 0

-- ## love.newCrowd love.Crowd:add love.Crowd:update love.Crowd:draw love.Crowd:getCount
local crowd = animLove.newCrowd(person, { room = 20 })
local first = anim.newGraph(person)
first:setRoot(first:clip("walk"))
for i = 1, 20 do crowd:add({ graph = i == 1 and first or first:clone(), x = i % 5 - 2, z = -i / 5, heading = i }) end
crowd:update(1 / 60)
print(crowd:getCount(), render(function() crowd:draw() end) > .1) --> 20 true

-- ## love.Crowd:remove
local crowd = animLove.newCrowd(person)
local one = crowd:add()
crowd:remove(one)
print(crowd:getCount())                                      --> 0

-- ## love.Crowd:on
local crowd, steps = animLove.newCrowd(person), 0
for i = 1, 3 do crowd:add({ x = i }):play("walk", 0) end
crowd:on("footstep", function() steps = steps + 1 end)
for _ = 1, 31 do crowd:update(1 / 60) end
print(steps)                                                 --> 6

-- ## love.Member:play love.Member:on love.Member:setPlace love.Member:getPosition
local crowd, steps = animLove.newCrowd(person), 0
local one = crowd:add()
one:play("run", 0)
one:on("footstep", function() steps = steps + 1 end)
one:setPlace(0, 0, 5)
for _ = 1, 22 do crowd:update(1 / 60) end
local _, _, z = one:getPosition("hips")
print(steps, math.floor(z + .5))                             --> 2 5

-- ## love.newCamera love.Camera:lookAt love.Camera:project
local camera = animLove.newCamera({ fov = math.rad(60), width = 640, height = 480 })
camera:lookAt(0, 2, 5, 0, 1, 0)                              -- from there, to here
camera:render(function() end)
print(("%.0f %.0f %.2f"):format(camera:project(0, 1, 0)))    --> 320 240 5.10
print(camera:project(0, 1, 9))                               --> nil

-- ## love.Camera:getAhead
camera:lookAt(3, 2, 0, 0, 1, 0)
print(camera:getAhead())                                     --> -1 0

-- ## love.Camera:setLight love.Camera:setSky
camera:setLight({ direction = { 1, 2, 0 }, shadow = 0 })     -- the sun at +X, no shadows
camera:setSky({ .1, .1, .2 }, { .4, .3, .3 }, 40)            -- dusk, with fog
print(camera.light.shadow)                                   --> 0

-- ## love.Camera:render
local hero = person:newCharacter()
hero:update(0)
local passes = 0
camera:render(function()                                     -- in love.draw
  hero:draw()
  passes = passes + 1
end)
print(passes)                                                --> 2

-- ## love.newOverlay love.Overlay:keypressed love.Overlay:draw love.Overlay:getText
local hero = person:newCharacter({ graph = { root = { type = "machine", name = "body", initial = "idle",
  states = { idle = "idle", walk = "walk" } } } })
hero:update(.1)
local overlay = animLove.newOverlay(hero, { key = "f1", camera = camera })
print(overlay:keypressed("f1"))                              --> true
overlay:draw()                                               -- last in love.draw
print(overlay:getText():match("body: %a+"))                  --> body: idle

-- ## love.Overlay:hook
local hero = person:newCharacter()
local draw, key = love.draw, love.keypressed
local overlay = animLove.newOverlay(hero):hook()             -- at the end of love.load
love.keypressed("f1")
print(overlay.isOn)                                          --> true
love.draw, love.keypressed = draw, key

-- ## love.Overlay:mousepressed love.Overlay:mousemoved love.Overlay:mousereleased
local hero = person:newCharacter()
hero.graph:param("mood", 0)
hero:update(0)
local overlay = animLove.newOverlay(hero, { on = true, x = 0, y = 0, width = 300 })
overlay:draw()
local row = 4 + 1.5 * overlay.line                           -- the parameter's
print(overlay:mousepressed(170, row, 1))                     --> true
print(overlay:mousemoved(294, row))                          --> true
overlay:mousereleased()
print(hero.graph:get("mood"))                                --> 1

-- ## love.Overlay:setTarget love.Overlay:setMessage
local overlay = animLove.newOverlay(person:newCharacter())
local other = person:newCharacter()
other:update(2)
overlay:setTarget(other)
overlay:setMessage("the other one")
print((overlay:getText():gsub("\n", "; ")))                  --> graph at 2.00 s; the other one

-- ## love.watch love.Watcher:get love.Watcher:add love.Watcher:update love.Watcher:reload
love.filesystem.write("walker.lua", 'return { root = { type = "clip", clip = "walk" } }')
local watcher = animLove.watch("walker.lua")
local graph = anim.newGraph(person, watcher:get())
watcher:add(graph)
print(watcher:update(1 / 60))                                --> nil
love.filesystem.write("walker.lua", 'return { root = { type = "clip", clip = "run" } }')
print(watcher:reload())                                      --> true
print(graph:getRoot():getClip():getName())                   --> run
