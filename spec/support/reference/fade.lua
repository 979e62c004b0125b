-- mixer:fadeTo (semantics 7): weights, not snapshots. `state` is { weights = {...} }, weights summing to 1, and while a
-- fade runs: target, current, time (seconds asked, shortened) and falling (the others that still have weight).
local fade = {}

local little = 1e-6 -- what is left over by rounding is not heard

local function heaviestBut(weights, except)
  local best
  for i, w in ipairs(weights) do
    if i ~= except and w > 0 and (not best or w > weights[best]) then best = i end
  end
  return best
end

local function normalised(weights)
  local total, out = 0, {}
  for _, w in ipairs(weights) do total = total + math.max(w, 0) end
  for i, w in ipairs(weights) do out[i] = math.max(w, 0) / total end
  return out
end

-- Gives what falls now, by input; nil where the fade goes there already. What the target does not take over from
-- falls at 2 / T; the one it takes over from at w / T. Of the current input and the target of the fade before, the
-- heavier is what the new one takes over from.
function fade.to(state, target, seconds)
  if state.target == target then return end
  if not state.target then state.weights = normalised(state.weights) end
  local weights = state.weights
  local current
  if state.target then
    local a, b = state.current, state.target
    if a and weights[a] > 0 and a ~= target then
      current = weights[a] > weights[b] and a or b
    else
      current = b
    end
  else
    current = heaviestBut(weights, target)
  end
  state.target, state.current = target, current
  state.time = seconds * (1 - weights[target])
  state.fall = {}
  for i, w in ipairs(weights) do
    if i ~= target and w > 0 then state.fall[i] = (i == current and w or 2) / state.time end
  end
  return state.fall
end

-- After dt seconds; gives the inputs that came to 0 in them.
function fade.advance(state, dt)
  local out, rest = {}, 1
  if not state.fall then return out end
  for i, w in ipairs(state.weights) do
    local rate = state.fall[i]
    if i ~= state.target then
      local now = 0
      if rate and state.time > 0 then now = math.max(0, w - rate * dt) end
      if w > 0 and now <= little then now, out[#out + 1] = 0, i end
      state.weights[i], rest = now, rest - now
    end
  end
  state.weights[state.target] = rest > little and rest or 0
  if rest >= 1 then state.fall, state.current = nil, nil end
  return out
end

return fade
