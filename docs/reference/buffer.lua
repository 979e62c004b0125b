local anim = require("anim")
local buffer = anim.newBuffer(4 * 16) -- one matrix

-- ## Buffer:getSize
print(buffer:getSize()) --> 64

-- ## Buffer:getPointer
print(type(buffer:getPointer())) --> userdata

-- ## Buffer:getString
print(#buffer:getString(), buffer:getString():byte(1)) --> 64  0

-- ## Buffer:release
buffer:release()
print(pcall(buffer.getSize, buffer)) --> false  attempt to use a released anim.Buffer
