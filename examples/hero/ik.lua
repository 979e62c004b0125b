-- Limbs of two bones, posed in closed form.
local space = require("hero.space")
local add, scale, dot = space.add, space.scale, space.dot

local ik = {}

-- Where the middle joint goes when a limb of bones `upper` and `lower` that starts at `from` reaches for `target` and
-- bends towards the direction `pole`. Returns the rotations of the two bones in the world: +Y along the bone, a bend
-- is a turn about +X. What is out of reach is pointed at.
function ik.twoBone(from, target, upper, lower, pole)
  local to = space.sub(target, from)
  local distance = space.length(to)
  local reach = math.max(math.abs(upper - lower) * 1.001, math.min(distance, (upper + lower) * .9999))
  local along = scale(to, 1 / distance)
  local side = space.unit(space.sub(pole, scale(along, dot(pole, along))))
  local cosine = (upper ^ 2 + reach ^ 2 - lower ^ 2) / (2 * upper * reach) -- law of cosines
  local sine = math.sqrt(math.max(0, 1 - cosine ^ 2))
  local first = add(scale(along, cosine), scale(side, sine))
  local second = space.sub(scale(along, reach), scale(first, upper))
  local hinge = space.cross(pole, along)
  return space.frame(first, hinge), space.frame(second, hinge)
end

return ik
