-- Code of the docs that needs LÖVE, run by spec/docs_spec.lua: love spec/love/reference FILE...
-- FILE is a part of the reference (*.lua) or a page (*.md). Each piece runs within a frame and prints "ok WHAT" or
-- "not ok WHAT: why". What a piece defines in `love` is its own; its load, two updates and a draw are called.
local annotations = require("tools.docs.annotations")
local differences = require("spec.support.differences")
local examples = require("tools.docs.examples")
local snippets = require("spec.support.snippets")

local pieces, next = {}, 1

local function add(name, code, place) pieces[#pieces + 1] = { name = name, code = code, place = place } end

local checkAnnotations

function love.load(files)
  pieces[1] = { name = "the annotations of anim.love name what is there", run = checkAnnotations }
  package.path = "examples/love/arena/?.lua;examples/?.lua;" .. package.path
  love.filesystem.write("hero.glb", require("body").write())
  for _, path in ipairs(files) do
    if path:match("%.md$") then
      for _, block in ipairs(snippets.blocks(path)) do
        local place = ("%s:%d"):format(path, block.line)
        if snippets.isForLove(path, block) then add(place, block.text, "=" .. place) end
      end
    else
      local file = examples.read(path)
      for _, part in ipairs(file.parts) do
        add(table.concat(part.names, " "), file.setup .. "\n" .. part.text, ("=%s:%d"):format(path, part.line))
      end
    end
  end
end

-- The annotations of anim.love against what is there, as spec/types_spec.lua does it for the rest.
function checkAnnotations()
  local module = require("anim.love")
  local api, found = annotations.read(annotations.files()), {}
  local model = assert(module.load("hero.glb"))
  local crowd = module.newCrowd(model)
  love.filesystem.write("empty.lua", "return {}")
  local made = { Model = model, Character = model:newCharacter(), Crowd = crowd, Member = crowd:add(),
    Camera = module.newCamera(), Overlay = module.newOverlay(model:newCharacter()),
    Watcher = module.watch("empty.lua") }
  local told = { rig2d = true }
  for name in pairs(api.classes["anim.love"].methods) do told[name] = true end
  local live = { rig2d = module.rig2d }
  for name, value in pairs(module) do live[name] = value end
  for _, text in ipairs(differences(told, live, "anim.love.")) do found[#found + 1] = text end
  for name, object in pairs(made) do
    local index = getmetatable(object).__index
    local methods = type(index) == "table" and index or {}
    local class = api.classes["anim.love." .. name]
    for _, text in ipairs(differences(class.methods, methods, "love." .. name .. ":")) do found[#found + 1] = text end
  end
  for _, class in ipairs(api.classes) do
    local name = class.name:match("^anim%.love%.(%u%w+)$")
    if name and #class.methods > 0 and not made[name] and not name:match("2D$") then
      found[#found + 1] = "love." .. name .. " is not looked at"
    end
  end
  if #found > 0 then error(table.concat(found, "; "), 0) end
end

local function check(piece)
  if piece.run then return piece.run() end
  local own = setmetatable({}, { __index = love })
  local function call(name, ...)
    local callback = rawget(own, name)
    if callback then callback(...) end
  end
  return snippets.check(piece.code, piece.place, { love = own }, function()
    call("load", {})
    for _ = 1, 2 do call("update", 1 / 60) end
    call("draw")
  end)
end

function love.draw()
  local piece = pieces[next]
  next = next + 1
  if not piece then return love.event.quit() end
  local ran, problem = pcall(check, piece)
  love.graphics.reset()
  print(ran and "ok " .. piece.name or ("not ok %s: %s"):format(piece.name, (tostring(problem):gsub("\n", " "))))
  io.flush()
end
