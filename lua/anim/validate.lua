--- anim.validate: what is likely wrong with a model although it loads.
local core = require("anim.core")

local loopTolerance = 0.01 -- of the rig's size, for positions
local turnTolerance = 0.05 -- for the axes of a joint, about three degrees

local Finding = {}

function Finding.__tostring(finding)
  local place = {}
  if finding.clip then place[#place + 1] = "clip '" .. finding.clip .. "'" end
  if finding.joint then place[#place + 1] = "joint '" .. finding.joint .. "'" end
  if #place == 0 then return finding.message end
  return table.concat(place, ", ") .. ": " .. finding.message
end

local function kindOf(value)
  local meta = type(value) == "userdata" and getmetatable(value)
  return meta and meta.__name or type(value)
end

local function expect(value, kind, path)
  if kindOf(value) ~= kind then
    error(("bad argument #1 to 'validate' (%s%s expected, got %s)"):format(path, kind, kindOf(value)), 4)
  end
  return value
end

-- Clips of the list, then those that are only there by name, in byte order.
local function clipsOf(model)
  local clips, seen, names = {}, {}, {}
  local function add(clip, path)
    expect(clip, "anim.Clip", path)
    if not seen[clip] then clips[#clips + 1], seen[clip] = clip, true end
  end
  for i, clip in ipairs(model.clips or {}) do add(clip, ("clips[%d]: "):format(i)) end
  for key in pairs(model.clips or {}) do
    if type(key) == "string" then names[#names + 1] = key end
  end
  table.sort(names)
  for _, name in ipairs(names) do add(model.clips[name], ("clips.%s: "):format(name)) end
  return clips
end

local function sizeOf(skeleton)
  local pose = core.newPose(skeleton)
  local low, high = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }
  for j = 1, #skeleton do
    for axis, x in ipairs({ pose:getPosition(j) }) do
      low[axis], high[axis] = math.min(low[axis], x), math.max(high[axis], x)
    end
  end
  local size = math.max(high[1] - low[1], high[2] - low[2], high[3] - low[3])
  return size > 0 and size or 1
end

local function checkWarnings(warnings, report)
  for _, text in ipairs(warnings) do report(text:find("not unit", 1, true) and "rotation" or "warning", text) end
end

local function isEmpty(clip)
  for j = 1, #clip:getSkeleton() do
    if clip:getChannels(j) then return false end
  end
  return #clip:getCurves() == 0 and #clip:getProperties() == 0
end

local function checkLength(clip, report)
  local length, last = clip:getDuration(), clip:getLastKey()
  if math.abs(length - last) > 1e-4 * math.max(length, last) then
    report("length", ("lasts %.4g s, but its last key is at %.4g s"):format(length, last))
  end
end

local function parentName(skeleton, joint)
  local parent = skeleton:getParent(joint)
  return parent and skeleton:getName(parent)
end

-- A clip of another skeleton: what it moves must be there, at the same place.
local function checkJoints(clip, skeleton, report)
  local own = clip:getSkeleton()
  if own == skeleton then return end
  for j = 1, #own do
    local name = own:getName(j)
    local joint = skeleton:find(name)
    if clip:getChannels(j) and not joint then
      report("joint", "is animated, but the model's skeleton has no such joint", name)
    elseif clip:getChannels(j) and parentName(own, j) ~= parentName(skeleton, joint) then
      report("joint", "has another parent in the model's skeleton", name)
    end
  end
end

-- Scales that are zero (nothing below can be placed) or negative (mirrored: a palette turns faces inside out).
local function checkScales(clip, report)
  local skeleton = clip:getSkeleton()
  for j = 1, #skeleton do
    local track = clip:getTrack(j, "scale")
    local least = math.huge
    for i, x in ipairs(track and track.values or {}) do
      local isTangent = track.mode == "cubic" and math.floor((i - 1) / 3) % 3 ~= 1
      if not isTangent then least = math.min(least, x) end
    end
    if least <= 0 then report("scale", ("has a scale of %.4g"):format(least), skeleton:getName(j)) end
  end
end

local function checkRestScales(skeleton, report)
  for j = 1, #skeleton do
    local least = math.min(select(8, skeleton:getRest(j)))
    if least <= 0 then report("scale", ("rests at a scale of %.4g"):format(least), skeleton:getName(j)) end
  end
end

-- Where the first joint that moves is at both ends: what it travels, all below travels with it.
local function travel(clip, first, last)
  for j = 1, #clip:getSkeleton() do
    if clip:getTrack(j, "translation") then
      local x0, y0, z0 = first:getPosition(j)
      local x1, y1, z1 = last:getPosition(j)
      return { x1 - x0, y1 - y0, z1 - z0 }
    end
  end
  return { 0, 0, 0 }
end

local function length(v) return math.sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) end

-- Largest difference of the unit axes of two matrices, column-major.
local function turned(a, b)
  local most = 0
  for column = 1, 9, 4 do
    local u, v = { a[column], a[column + 1], a[column + 2] }, { b[column], b[column + 1], b[column + 2] }
    local lu, lv = length(u), length(v)
    if lu > 0 and lv > 0 then
      most = math.max(most, length({ u[1] / lu - v[1] / lv, u[2] / lu - v[2] / lv, u[3] / lu - v[3] / lv }))
    end
  end
  return most
end

-- A clip that repeats should end as it begins, but for what its root travels.
local function checkLoop(clip, size, report)
  if clip:getLoop() ~= true or clip:getDuration() == 0 or clip:isAdditive() then return end
  local skeleton = clip:getSkeleton()
  local first, last = core.newPose(skeleton), core.newPose(skeleton)
  clip:sample(0, first)
  clip:sample(clip:getDuration(), last)
  local away = travel(clip, first, last)
  if length(away) > loopTolerance * size then
    report("travel", ("ends %.3g from where it begins, so it jumps back when it repeats"):format(length(away)))
  end
  local worst, worstJoint, others = 1, nil, -1
  for j = 1, #skeleton do
    local a, b = { first:getMatrix(j) }, { last:getMatrix(j) }
    local moved = length({ b[13] - a[13] - away[1], b[14] - a[14] - away[2], b[15] - a[15] - away[3] })
    local off = math.max(moved / (loopTolerance * size), turned(a, b) / turnTolerance)
    if off > 1 then others = others + 1 end
    if off > worst then worst, worstJoint = off, j end
  end
  if worstJoint then
    local more = others > 0 and (" (and %d joints more)"):format(others) or ""
    report("loop", "does not end as it begins" .. more, skeleton:getName(worstJoint))
  end
end

-- Joints that no clip moves and no skin holds, nor any joint below them.
local function checkUse(model, clips, skeleton, report)
  if #clips == 0 and #(model.skins or {}) == 0 then return end
  local used = {}
  for _, clip in ipairs(clips) do
    local own = clip:getSkeleton()
    for j = 1, #own do
      local joint = clip:getChannels(j) and skeleton:find(own:getName(j))
      if joint then used[joint] = true end
    end
  end
  for i, skin in ipairs(model.skins or {}) do
    expect(skin, "anim.Skin", ("skins[%d]: "):format(i))
    for k = 1, #skin do used[skin:getJoint(k)] = true end
  end
  for j = #skeleton, 1, -1 do -- children come after their parents
    local parent = skeleton:getParent(j)
    if used[j] and parent then used[parent] = true end
  end
  for j = 1, #skeleton do
    if not used[j] then report("unused", "no clip moves it and no skin holds it", skeleton:getName(j)) end
  end
end

return function(model)
  expect(model, "table", "")
  local skeleton = expect(model.skeleton, "anim.Skeleton", "skeleton: ")
  local clips, size, findings = clipsOf(model), sizeOf(skeleton), {}
  local function reporter(clip)
    return function(kind, message, joint)
      findings[#findings + 1] = setmetatable({ kind = kind, message = message, joint = joint, clip = clip }, Finding)
    end
  end
  local report = reporter()
  checkWarnings(model.warnings or {}, report)
  checkRestScales(skeleton, report)
  for _, clip in ipairs(clips) do
    local reportClip = reporter(clip:getName())
    checkWarnings(clip:getWarnings(), reportClip)
    if isEmpty(clip) then
      reportClip("empty", "has no keys")
    else
      checkLength(clip, reportClip)
    end
    checkJoints(clip, skeleton, reportClip)
    checkScales(clip, reportClip)
    checkLoop(clip, size, reportClip)
  end
  checkUse(model, clips, skeleton, report)
  return findings
end
