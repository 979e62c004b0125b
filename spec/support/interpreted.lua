-- Runs a function without LuaJIT's compiler and the traces it has made, which take memory of their own, and
-- gives its results.
local jit = rawget(_G, "jit")

local function finish(ran, ...)
  jit.on()
  if not ran then error((...), 0) end
  return ...
end

return function(body)
  if not jit then return body() end
  jit.off()
  jit.flush() -- what is compiled would still run, and its exits make new traces
  return finish(pcall(body))
end
