---@meta anim.love
--- Models to be drawn, cameras, crowds, and help for finding faults, in LÖVE 11: `require("anim.love")`, from then on
--- also `anim.love`. Never run. See docs/love.md for how it works.
---
--- Metres, seconds, radians; Y is up, as in the rest of anim. Colours are linear: { r, g, b }, where 1 may be exceeded.
--- What is drawn in three dimensions is drawn inside of camera:render. It takes OpenGL 3.3 or OpenGL ES 3.
---
--- Arguments and options are checked before anything is kept. A mistake is an error at the line of the game, such as `bad
--- argument #1 to 'newCamera' (unknown key 'fovy'; did you mean 'fov'?)`.

---@class anim.love
local love = {}

-- Models ----------------------------------------------------------------------------------------------

--- A model out of the game's directory or .love: everything that anim.load reads of it, and what draws it. Buffers and
--- images that the file names are looked for beside it.
---@param path string as for love.filesystem
---@param options? anim.LoadOptions
---@return anim.love.Model? model nil where it cannot be read
---@return string? message
function love.load(path, options) end

--- The same in the background, without what the graphics card needs: give its result to `newModel`.
---@param path string
---@param options? anim.LoadOptions
---@return anim.Loading? loading nil where there is no such file
---@return string? message
function love.loadAsync(path, options) end

--- A model to be drawn, of one that was loaded with `meshes = true`; takes what `loading:get()` gives.
---
--- Errors: it was loaded without.
---@param model anim.Model?
---@param message? string why there is no model
---@return anim.love.Model? model nil where there is none
---@return string? message the one that was given
function love.newModel(model, message) end

--- What all characters of a model share. anim.newGraph takes it, too. Clips of other files may be put into `clips`.
---@class anim.love.Model
---@field name string
---@field skeleton anim.Skeleton
---@field clips anim.Clip[] | table<string, anim.Clip>
---@field skins anim.Skin[]
---@field morphs anim.Morph[]
---@field warnings string[] with images that LÖVE cannot decode
---@field least number[] x, y, z: of all joints at rest
---@field most number[]
local Model = {}

---@class anim.love.CharacterOptions
---@field graph? anim.Graph | anim.GraphDescription default: a graph without a root, for `play`
---@field x? number place in the world, default 0
---@field y? number
---@field z? number
---@field heading? number about the vertical: 0 looks along +Z, a quarter turn along +X; default 0
---@field scale? number default 1. Solvers with targets in the world take it for 1
---@field tint? number[] multiplies its colours; a fourth number its alpha, where the material blends. Default { 1, 1, 1 }
---@field rootMotion? boolean whether root motion moves it; default false
---@field moved? fun(character: anim.love.Character, dt: number) called in each update when it has been moved and its pose is still to be made: the place for collisions and targets
---@field hide? string[] meshes or nodes of the file that are not drawn

--- A character: a graph, a place, and its own share of the graphics card.
---@param options? anim.love.CharacterOptions
---@return anim.love.Character
function Model:newCharacter(options) end

--- Names of the nodes that have meshes, in the order of drawing.
---@return string[]
function Model:getParts() end

-- Characters ------------------------------------------------------------------------------------------

--- Fields may be set at any time; `update` and `draw` look at them before they are used.
---@class anim.love.Character
---@field model anim.love.Model
---@field graph anim.Graph
---@field x number
---@field y number
---@field z number
---@field heading number
---@field scale number
---@field tint number[]
---@field rootMotion boolean
---@field moved? fun(character: anim.love.Character, dt: number)
local Character = {}

--- `play` of its graph.
---@param clip string | anim.Clip
---@param options? number | table fade in seconds, or options of Graph:play
---@return anim.Node
function Character:play(clip, options) end

--- `on` of its graph.
---@param name string
---@param fn function
---@return anim.Subscription
function Character:on(name, fn) end

--- One frame: the graph advances, its events are told, root motion moves the character, `moved` is called, and the pose
--- is made. Leaves nothing for the collector.
---@param dt number seconds, 0 or more
function Character:update(dt) end

--- Puts it somewhere, at once. Where an argument is wrong it stays where it is.
---@param x number
---@param y number
---@param z number
---@param heading? number default: as it is
function Character:setPlace(x, y, z, heading) end

--- Whether a mesh or node of the file is drawn.
---
--- Errors: the model has no mesh of that name.
---@param name string
---@param isVisible boolean
function Character:setVisible(name, isVisible) end

--- Where a joint is in the world.
---@param joint anim.Joint
---@return number x, number y, number z
function Character:getPosition(joint) end

--- Draws it as the last update left it, with skin, textures and morph targets (the sixteen heaviest of a mesh).
---
--- Errors: outside of camera:render.
---@param transform? number[] | love.Transform 16 numbers, column after column; in the place of its own place
function Character:draw(transform) end

-- Crowds ----------------------------------------------------------------------------------------------

---@class anim.love.CrowdOptions
---@field room? integer for how many there is room at first, 1 to 16384; default 16. It grows
---@field threads? integer default: the machine's cores
---@field hide? string[] as for single characters, for all of them

--- Many characters of one model, updated by anim.newCrowd and drawn with one call for each part of the model.
---@param model anim.love.Model
---@param options? anim.love.CrowdOptions
---@return anim.love.Crowd
function love.newCrowd(model, options) end

--- Morph targets stay at rest.
---@class anim.love.Crowd
local Crowd = {}

--- One more. The options are those of Model:newCharacter but `hide` and `moved`.
---
--- Errors: the graph is of another skeleton or in a crowd; the graphics card has no room for another one.
---@param options? anim.love.CharacterOptions
---@return anim.love.Member
function Crowd:add(options) end

--- Takes one out. One whose graph was released is out already; that is no error.
---@param member anim.love.Member
function Crowd:remove(member) end

--- How many there are.
---@return integer
function Crowd:getCount() end

--- `on` of the anim.Crowd: for events of all of them.
---@param name string
---@param fn function
---@return anim.Subscription
function Crowd:on(name, fn) end

--- One frame of all of them; root motion moves those who have it when the poses are made.
---@param dt number seconds, 0 or more
function Crowd:update(dt) end

--- Draws them.
---
--- Errors: outside of camera:render.
function Crowd:draw() end

--- A character of a crowd; its fields are those of anim.love.Character but `moved`. Its graph stays the one it was added
--- with; releasing that takes it out.
---@class anim.love.Member
local Member = {}

--- `play` of its graph.
---@param clip string | anim.Clip
---@param options? number | table
---@return anim.Node
function Member:play(clip, options) end

--- `on` of its graph.
---@param name string
---@param fn function
---@return anim.Subscription
function Member:on(name, fn) end

--- Puts it somewhere, at once.
---@param x number
---@param y number
---@param z number
---@param heading? number
function Member:setPlace(x, y, z, heading) end

--- Where a joint is in the world.
---@param joint anim.Joint
---@return number x, number y, number z
function Member:getPosition(joint) end

-- Cameras ---------------------------------------------------------------------------------------------

---@class anim.love.CameraOptions
---@field fov? number of the picture's height, above 0 and below pi; default 50 degrees
---@field near? number metres, above 0, default .1
---@field far? number metres, above near; default 200, twice `near` if that is more
---@field msaa? integer samples a pixel, 0 (none) to 64, at most what the machine can do; default 4
---@field width? integer of the picture, with `height`; default: the window's
---@field height? integer

--- Where one looks from, the light, and what draws a scene.
---@param options? anim.love.CameraOptions
---@return anim.love.Camera
function love.newCamera(options) end

---@class anim.love.Camera
---@field x number where the picture's corner is on the screen, default 0
---@field y number
---@field canvas love.Canvas the picture, after the first render
local Camera = {}

--- Looks from one point at another.
---@param ex number
---@param ey number
---@param ez number
---@param tx number
---@param ty number
---@param tz number
function Camera:lookAt(ex, ey, ez, tx, ty, tz) end

---@class anim.love.Light
---@field direction? number[] towards the sun, of any length but 0
---@field color? number[] of the sun
---@field sky? number[] light from above
---@field ground? number[] light from below
---@field shadow? number how dark shadows are, 0 to 1; 0: there are none, and the scene is drawn once
---@field radius? number metres around what the camera looks at in which there are shadows; default 10
---@field resolution? integer of the shadow map, default 1024

--- Sets some of the light; the rest stays. Tables are copied.
---@param values anim.love.Light
function Camera:setLight(values) end

--- Colours behind everything, and how far one sees. Tables are copied.
---@param top number[]
---@param bottom number[] at the horizon; what is far away takes it on
---@param fog? number metres, above 0, where it has half of it; default as it is, at first 120
function Camera:setSky(top, bottom, fog) end

--- Where a point of the world was on the screen in the last render; nil: behind the camera.
---@param x number
---@param y number
---@param z number
---@return number? sx, number? sy, number? distance ahead
function Camera:project(x, y, z) end

--- Where ahead is on the ground, as a unit vector, for controls.
---@return number x, number z
function Camera:getAhead() end

--- Draws a scene: calls `scene` once for the shadows and once for the picture, then puts that onto the screen. What it
--- raises is raised.
---@param scene fun()
function Camera:render(scene) end

-- Overlay ---------------------------------------------------------------------------------------------

---@class anim.love.OverlayOptions
---@field key? string switches it, default "f1"
---@field camera? anim.love.Camera draws skeleton and targets as it sees them
---@field project? fun(x: number, y: number, z: number): number?, number? the same for games with a view of their own: from model space to the screen
---@field names? boolean names of joints, default false; "n" switches them
---@field x? number of the panel, default 10
---@field y? number
---@field width? number of the panel, default 330
---@field on? boolean default false
---@field rate? number above 0: how often the panel reads the graph a second, default 10

--- What a graph does, over any game: skeleton, targets of solvers, states of machines and what keeps them there,
--- weights, and parameters that can be dragged. While it is on it makes garbage. Once the graph is released the panel
--- says so and nothing else is drawn.
---@param target anim.Graph | anim.love.Character | anim.love.Member or any table with a field `graph`
---@param options? anim.love.OverlayOptions
---@return anim.love.Overlay
function love.newOverlay(target, options) end

---@class anim.love.Overlay
---@field isOn boolean
local Overlay = {}

--- Looks at another graph or character.
---@param target anim.Graph | anim.love.Character | anim.love.Member
function Overlay:setTarget(target) end

--- Puts it into love.draw, love.keypressed and the mouse's callbacks as they are now. What is for the overlay does not
--- reach the game.
---@return anim.love.Overlay self
function Overlay:hook() end

--- Draws it where it is on; for games that do not use `hook`.
function Overlay:draw() end

--- Takes a key.
---@param key string
---@return boolean isTaken it was for the overlay
function Overlay:keypressed(key) end

--- Takes a click: sliders are dragged, switches switched, triggers fired. A parameter of a character stays as it was
--- dragged, whatever the game sets, until the right button lets it go; one of a bare graph until it is set.
---@param x number
---@param y number
---@param button integer
---@return boolean isTaken
function Overlay:mousepressed(x, y, button) end

--- Drags what is held.
---@param x number
---@param y number
---@return boolean isTaken
function Overlay:mousemoved(x, y) end

--- Lets go what is held.
---@return boolean isTaken
function Overlay:mousereleased() end

--- The panel's lines.
---@return string
function Overlay:getText() end

--- A line of the game's own in the panel.
---@param text? string nil takes it away
function Overlay:setMessage(text) end

-- Files that change -----------------------------------------------------------------------------------

---@class anim.love.WatchOptions
---@field arguments? any given to the function that the file returns
---@field changed? fun(description: anim.GraphDescription) called after a change has come into the graphs
---@field interval? number seconds between looks at the file, default .5

--- A Lua file that returns a description of a graph, or a function that makes one. When it changes, graphs go on with
--- what is new (Graph:reload).
---
--- Errors: it is not there or does not run.
---@param path string as for love.filesystem
---@param options? anim.love.WatchOptions
---@return anim.love.Watcher
function love.watch(path, options) end

---@class anim.love.Watcher
---@field error? string what is wrong with the file now
local Watcher = {}

--- The last description without a fault.
---@return anim.GraphDescription
function Watcher:get() end

--- A graph that follows the file, until it is released.
---@param graph anim.Graph
---@return anim.love.Watcher self
function Watcher:add(graph) end

--- Looks whether the file has changed.
---@param dt number seconds
---@return boolean? changed true: it was read again; false: it has a fault, and the graphs are as they were; nil: no
---@return string? message
function Watcher:update(dt) end

--- Reads the file now.
---@return boolean? done
---@return string? message
function Watcher:reload() end
