-- THE ORACLE: slow, double precision, written from the glTF 2.0 specification and from design/semantics.md, never from
-- the C code. Fast code is compared with it on random input, so it can be changed without fear.
local algebra = require("spec.support.reference.vec")

return {
  vec = algebra.vec,
  quat = algebra.quat,
  mat = algebra.mat,
  keys = require("spec.support.reference.keys"),
  pose = require("spec.support.reference.pose"),
  clip = require("spec.support.reference.clip"),
  graph = require("spec.support.reference.graph"),
  timeline = require("spec.support.reference.timeline"),
}
