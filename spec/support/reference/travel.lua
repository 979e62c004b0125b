-- The shortest way over the transitions of a machine, conditions ignored; ties: the list. A path is a list of
-- transitions.
local travel = {}

function travel.path(def, from, to)
  local cameBy, queue, head = { [from] = false }, { from }, 1
  while queue[head] and cameBy[to] == nil do
    local state = queue[head]
    head = head + 1
    for _, t in ipairs(def.transitions) do
      if (t.any or t.from[state]) and cameBy[t.to] == nil then
        cameBy[t.to] = { transition = t, from = state }
        queue[#queue + 1] = t.to
      end
    end
  end
  if cameBy[to] == nil then return nil end
  local path, state = { first = true }, to
  while cameBy[state] do
    table.insert(path, 1, cameBy[state].transition)
    state = cameBy[state].from
  end
  return path
end

-- What is left when the first step is taken; nil at the end.
function travel.rest(path)
  local out = {}
  for i = 2, #path do out[i - 1] = path[i] end
  return #out > 0 and out or nil
end

return travel
