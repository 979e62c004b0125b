local anim = require("anim")
local model = assert(anim.decode([[{ "asset": { "version": "2.0" }, "scenes": [ { "nodes": [ 0 ] } ],
  "nodes": [ { "name": "hips", "children": [ 1 ] }, { "name": "knee", "translation": [ 0, -0.5, 0 ] } ],
  "skins": [ { "name": "body", "joints": [ 1, 0 ] } ] }]], "legs.gltf"))
local skin = model.skins[1]

-- ## Skin:getName
print(skin:getName(), #skin) --> body  2

-- ## Skin:getSkeleton
print(skin:getSkeleton() == model.skeleton) --> true

-- ## Skin:getJoint
for i = 1, #skin do print(i, model.skeleton:getName(skin:getJoint(i))) end --> 1  knee
--> 2  hips

-- ## Skin:getInverseBind
print(select("#", skin:getInverseBind(1)), (skin:getInverseBind(1))) --> 16  1.0

-- ## Skin:getSize
print(skin:getSize() > 0) --> true

-- ## Skin:release
skin:release()
print(pcall(skin.getName, skin)) --> false  attempt to use a released anim.Skin
