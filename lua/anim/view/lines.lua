--- The lines of a scene { x1, y1, z1, x2, y2, z2 }: checked, and one after the other in one list.
local fault = require("anim.graph.fault")

return function(list, path)
  local out = {}
  for i = 1, fault.list(list, path) do
    local line, at = list[i], ("%s[%d]"):format(path, i)
    local count = fault.list(line, at)
    if count ~= 6 then fault.raise(at, "6 numbers (x, y, z of both ends) expected, got %d", count) end
    for k = 1, 6 do out[#out + 1] = fault.number(line[k], ("%s[%d]"):format(at, k)) end
  end
  return out
end
