-- Names that only one of two tables has: what is annotated (`told`) and what is there (`live`). Those that begin with
-- __ are nobody's to call.
return function(told, live, of)
  local found = {}
  for name in pairs(live) do
    local internal = name == "new" and of:match("^love%.") -- what makes them, in the same table
    if type(name) == "string" and not name:match("^__") and not internal and not told[name] then
      found[#found + 1] = ("%s%s is not annotated"):format(of, name)
    end
  end
  for name in pairs(told) do
    if type(name) == "string" and live[name] == nil then found[#found + 1] = ("there is no %s%s"):format(of, name) end
  end
  table.sort(found)
  return found
end
