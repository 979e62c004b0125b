--- A model as the page takes it: checked, and its clips in one list.
local core = require("anim.core")

local function kindOf(value)
  local meta = type(value) == "userdata" and getmetatable(value)
  return type(meta) == "table" and type(meta.__name) == "string" and meta.__name or type(value)
end

local function expect(value, kind, path)
  if kindOf(value) ~= kind then
    error(("bad argument #1 to 'view' (%s%s expected, got %s)"):format(path, kind, kindOf(value)), 0)
  end
  return value
end

-- Those of the list, then those that are there by name only, in byte order: the clip and the name it has here.
local function listClips(clips)
  local list, seen, names = {}, {}, {}
  local function add(clip, name, path)
    expect(clip, "anim.Clip", path)
    if seen[clip] then return end
    list[#list + 1], seen[clip] = { clip = clip, name = name or clip:getName(), path = path }, true
  end
  for i, clip in ipairs(clips) do add(clip, nil, ("clips[%d]: "):format(i)) end
  for key in pairs(clips) do
    if type(key) == "string" then names[#names + 1] = key end
  end
  table.sort(names)
  for _, name in ipairs(names) do add(clips[name], name, ("clips.%s: "):format(name)) end
  return list
end

--- The model as { skeleton =, skins =, warnings =, name =, clips = { { clip =, name = }... } }, with errors (without a
--- place) where it is none.
return function(model)
  if kindOf(model) ~= "table" then
    error(("bad argument #1 to 'view' (model or recording expected, got %s)"):format(kindOf(model)), 0)
  end
  local skeleton = expect(model.skeleton, "anim.Skeleton", "skeleton: ")
  local out = {
    skeleton = skeleton,
    skins = model.skins == nil and {} or expect(model.skins, "table", "skins: "),
    warnings = model.warnings == nil and {} or expect(model.warnings, "table", "warnings: "),
    name = model.name == nil and "model" or expect(model.name, "string", "name: "),
    clips = listClips(model.clips == nil and {} or expect(model.clips, "table", "clips: ")),
  }
  for i, skin in ipairs(out.skins) do expect(skin, "anim.Skin", ("skins[%d]: "):format(i)) end
  local pose = core.newPose(skeleton)
  for _, item in ipairs(out.clips) do
    if not pcall(item.clip.sample, item.clip, 0, pose) then
      error(("bad argument #1 to 'view' (%sclip of the model's skeleton expected, got one of another)")
        :format(item.path), 0)
    end
  end
  return out
end
