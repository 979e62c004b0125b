--- Nodes that work on the pose of their one input: twoBone, aim and so on. The core reads their descriptions; what was
--- described is kept here, to be given back by graph:describe().
local core = require("anim.core").graph
local fault = require("anim.graph.fault")
local values = require("anim.graph.values")
local get, join = rawget, fault.join
local unpack = table.unpack or unpack -- luacheck: ignore 113 143

local deepest = 4 -- effectors[1].target[1]

local solvers = { rows = {} }
local build -- set by solvers.use

function solvers.use(build_) build = build_ end

-- Parameters by name, lists of our own: what can be kept and given to another graph.
local function kept(b, value, path, depth)
  if core.kindOf(value) == "Param" then return core.readParams(b.graph)[values.param(b, value, path)].name end
  if type(value) ~= "table" then return value end
  local out = {}
  if depth > deepest then fault.raise(path, "tables in tables in tables are too deep here") end
  for key, item in next, value do
    local named = type(key) == "string" or type(key) == "number"
    out[key] = kept(b, item, named and join(path, key) or path, depth + 1)
  end
  return out
end

local function keep(b, place, description)
  local known, uid = b.user.solvers or {}, core.readNode(b.graph, place).uid
  b.user.solvers = {}
  for key, spec in next, known do b.user.solvers[key] = spec end -- clones share the table
  b.user.solvers[uid] = description
end

-- What the core takes: a mask for its name.
local function resolved(b, spec, path)
  local given = values.copy(spec)
  if given.mask ~= nil then given.mask = values.mask(b, given.mask, join(path, "mask")) end
  return given
end

local function read(b, place, description, path)
  local input, spec = get(description, "input"), {}
  if input == nil then fault.raise(path, "input (a node) expected") end
  local at = join(path, "input")
  local done, message = core.insertInput(b.graph, place, 1, build.child(b, input, at))
  if not done then fault.raise(at, message) end
  local row = solvers.rows[core.readNode(b.graph, place).type]
  for _, key in ipairs(row.own) do spec[key] = kept(b, get(description, key), join(path, key), 1) end
  local given = resolved(b, spec, path)
  fault.within(path, core.setSolver, b.graph, place, given)
  if given.ground then core.setScript(b.graph, place, nil, nil, given.ground) end
  keep(b, place, spec)
end

--- The keys of a description that are the solver's.
function solvers.write(graph, place, out, masks)
  local spec = core.user(graph).solvers[core.readNode(graph, place).uid]
  for key, value in next, spec do out[key] = values.copy(value) end
  out.mask = masks[out.mask or 0] or out.mask
end

local function addCollider(b, place, collider)
  local before = b.user.solvers[core.readNode(b.graph, place).uid]
  local spec = {}
  for key, value in next, before do spec[key] = value end
  spec.colliders = { unpack(before.colliders or {}) }
  spec.colliders[#spec.colliders + 1] = kept(b, fault.table(collider, ""), "", 1)
  local done, message = pcall(core.setSolver, b.graph, place, resolved(b, spec, ""))
  if done then return keep(b, place, spec) end
  local own = tostring(message):match("colliders%[%d+%]%.?(.*)%)$") or tostring(message):match("%((.*)%)$")
  fault.raise("", "%s", (own or tostring(message)):gsub("^: ", ""))
end

--- `edit`, `placeOf`, `expectKind`: as in anim/graph.lua.
function solvers.install(Node, edit, placeOf, expectKind)
  --- A sphere or capsule that a spring's chain is kept out of; the chain goes on as it moves.
  function Node:addCollider(collider)
    local graph, place = placeOf(self, "addCollider", 2)
    expectKind(self, "addCollider", "spring")
    edit(graph, "addCollider", 1, 2, addCollider, place, collider)
  end
end

for _, kind in ipairs({ "twoBone", "chain", "aim", "foot", "spring", "stride", "orient" }) do
  local own = core.solverKeys(kind)
  local keys = { "input" }
  for _, key in ipairs(own) do keys[#keys + 1] = key end
  solvers.rows[kind] = { keys = keys, own = own, read = read, fixed = true, entry = true }
end

return solvers
