-- Tracks and points of a recording's page read back, as view/recording.lua and view/take.lua describe them.
local page = require("spec.support.page")

local tracks = {}

-- A track as a list of its values, one a frame.
function tracks.valuesOf(track, frames)
  local next, isRead = page.reader(track.text)
  local values, frame, level, value = {}, 0, 0, 0
  while not isRead() do
    local to = frame + next()
    for f = frame, to - 1 do values[f + 1] = value end
    level = level + next()
    frame, value = to, level * track.unit
  end
  for f = frame, frames - 1 do values[f + 1] = value end
  return values
end

function tracks.find(list, label)
  for _, track in ipairs(list) do
    if track.label == label then return track end
  end
end

local function readStream(next, frames)
  local order, values, last, step = next(), {}, 0, 0
  for f = 1, frames do
    if order > 0 then
      step = next() + (order == 2 and step or 0)
      last = last + step
    end
    values[f] = last
  end
  return values
end

local function readBlock(text, first, frames, unit, places)
  if text == "" then return end
  local next, isRead = page.reader(text)
  local kind, base, axes = next(), {}, {}
  for axis = 1, 3 do base[axis] = next() end
  for axis = 1, kind == 2 and 3 or 0 do axes[axis] = readStream(next, frames) end
  assert(isRead(), "text is left")
  for f = 1, frames do
    places[first + f] = {}
    for axis = 1, 3 do places[first + f][axis] = (base[axis] + (axes[axis] and axes[axis][f] or 0)) * unit end
  end
end

-- Where a target or a pole is, a frame; false where it is nowhere.
function tracks.placesOf(content, point)
  local frames, places = content.takes[1].frames, {}
  for b, text in ipairs(point.blocks) do
    local first = (b - 1) * content.blockFrames
    readBlock(text, first, math.min(content.blockFrames, frames - first), content.units.move, places)
  end
  for f, isShown in ipairs(tracks.valuesOf(point.shown, frames)) do places[f] = isShown == 1 and assert(places[f]) end
  return places
end

return tracks
