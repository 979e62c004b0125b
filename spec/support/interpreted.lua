-- Runs a function without LuaJIT's compiler, whose traces take memory of their own, and gives its first result.
local jit = rawget(_G, "jit")

return function(body)
  if not jit then return (body()) end
  jit.off()
  local ran, result = pcall(body)
  jit.on()
  if not ran then error(result, 0) end
  return result
end
