local anim = require("anim")
local text = '{ "asset": { "version": "2.0" }, "nodes": [ { "name": "hips" } ] }'
local loading = anim.loadAsync({ bytes = text, name = "one.gltf" })

-- ## Loading:isDone
while not loading:isDone() do end -- a game draws a frame here
print(loading:isDone()) --> true

-- ## Loading:getProgress
loading:get()
print(loading:getProgress()) --> 1.0

-- ## Loading:get
local model, message = loading:get()
print(#model.skeleton, message) --> 1  nil
print(anim.loadAsync({ bytes = "{", name = "half.gltf" }):get())
--> nil  half.gltf: not JSON: a string expected at byte 1

-- ## Loading:release
loading:release()
print(pcall(loading.isDone, loading)) --> false  attempt to use a released anim.Loading
