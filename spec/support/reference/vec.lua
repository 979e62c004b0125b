-- Vectors {x,y,z}, quaternions {x,y,z,w} and 4x4 matrices (16 numbers, column-major, column vectors) in double
-- precision, as in glTF 2.0. Nothing here changes its arguments.
local vec, quat, mat = {}, {}, {}

function vec.add(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3] } end
function vec.sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
function vec.mul(a, b) return { a[1] * b[1], a[2] * b[2], a[3] * b[3] } end
function vec.scale(a, k) return { a[1] * k, a[2] * k, a[3] * k } end
function vec.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
function vec.length(a) return math.sqrt(vec.dot(a, a)) end
function vec.lerp(a, b, w) return vec.add(vec.scale(a, 1 - w), vec.scale(b, w)) end

function vec.cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end

-- Householder: the mirror image in the plane through the origin with unit normal n.
function vec.reflect(a, n) return vec.sub(a, vec.scale(n, 2 * vec.dot(a, n))) end

quat.identity = { 0, 0, 0, 1 }

function quat.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] end
function quat.scale(a, k) return { a[1] * k, a[2] * k, a[3] * k, a[4] * k } end
function quat.add(a, b) return { a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4] } end
function quat.normalize(a) return quat.scale(a, 1 / math.sqrt(quat.dot(a, a))) end

-- The inverse of a unit quaternion.
function quat.conjugate(a) return { -a[1], -a[2], -a[3], a[4] } end

-- Hamilton product: rotate by b first, then by a.
function quat.mul(a, b)
  local ax, ay, az, aw = a[1], a[2], a[3], a[4]
  local bx, by, bz, bw = b[1], b[2], b[3], b[4]
  return {
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  }
end

function quat.fromAxisAngle(axis, angle)
  local s = math.sin(angle / 2) / vec.length(axis)
  return { axis[1] * s, axis[2] * s, axis[3] * s, math.cos(angle / 2) }
end

-- v' = v + 2w (u x v) + 2 u x (u x v), u the vector part.
function quat.rotate(q, v)
  local u = { q[1], q[2], q[3] }
  local c = vec.scale(vec.cross(u, v), 2)
  return vec.add(vec.add(v, vec.scale(c, q[4])), vec.cross(u, c))
end

-- The same rotation on the side of `reference`: -q and q turn alike, but a mean of the two does not.
function quat.towards(q, reference)
  return quat.dot(q, reference) < 0 and quat.scale(q, -1) or q
end

-- The angle between two rotations, 0 to pi; atan2 keeps small angles exact where acos does not.
function quat.angle(a, b)
  local d = quat.mul(quat.conjugate(a), b)
  local atan2 = math.atan2 or math.atan
  return 2 * atan2(vec.length(d), math.abs(d[4]))
end

function quat.nlerp(a, b, w)
  return quat.normalize(quat.add(quat.scale(a, 1 - w), quat.scale(quat.towards(b, a), w)))
end

-- glTF 2.0 appendix C.4: spherical linear interpolation along the shorter arc. Where the keys are so close that
-- sin(angle) loses its digits the chord is the arc.
function quat.slerp(a, b, w)
  b = quat.towards(b, a)
  local d = math.min(quat.dot(a, b), 1)
  if d > 1 - 1e-12 then return quat.nlerp(a, b, w) end
  local angle = math.acos(d)
  local wa, wb = math.sin((1 - w) * angle) / math.sin(angle), math.sin(w * angle) / math.sin(angle)
  return quat.normalize(quat.add(quat.scale(a, wa), quat.scale(b, wb)))
end

-- The mirror image S q S: its axis is an axial vector, so it is reflected and turned round.
function quat.reflect(q, n)
  local a = vec.reflect(q, n)
  return { -a[1], -a[2], -a[3], q[4] }
end

mat.identity = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 }

-- T * R * S of a local transform (glTF 2.0, 3.5.3): the columns are the turned and scaled axes.
function mat.compose(t, q, s)
  local x = vec.scale(quat.rotate(q, { 1, 0, 0 }), s[1])
  local y = vec.scale(quat.rotate(q, { 0, 1, 0 }), s[2])
  local z = vec.scale(quat.rotate(q, { 0, 0, 1 }), s[3])
  return { x[1], x[2], x[3], 0, y[1], y[2], y[3], 0, z[1], z[2], z[3], 0, t[1], t[2], t[3], 1 }
end

function mat.mul(a, b)
  local m = {}
  for column = 0, 3 do
    for row = 1, 4 do
      local sum = 0
      for k = 0, 3 do sum = sum + a[4 * k + row] * b[4 * column + k + 1] end
      m[4 * column + row] = sum
    end
  end
  return m
end

function mat.point(m, p)
  local function row(i) return m[i] * p[1] + m[4 + i] * p[2] + m[8 + i] * p[3] + m[12 + i] end
  return { row(1), row(2), row(3) }
end

function mat.position(m) return { m[13], m[14], m[15] } end

return { vec = vec, quat = quat, mat = mat }
