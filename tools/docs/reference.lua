--- The pages of the reference: one for the module, one for each class, one for the kinds of nodes. From the
--- annotations (what is told) and docs/reference/*.lua (examples).
local annotations = require("tools.docs.annotations")
local examples = require("tools.docs.examples")
local markdown = require("tools.docs.markdown")
local escape = markdown.escape

local reference = {}

--- The name of a function of a page.
function reference.fullName(one, fn)
  return one.class and annotations.fullName(one.class, fn) or "anim." .. fn.name
end

-- Where things are ------------------------------------------------------------------------------------

local function short(name) return (name:gsub("^anim%.", "")) end

-- Names of types within a text.
local function mentioned(text, visit)
  for name in text:gmatch("anim%.[%w_%.]+") do visit((name:gsub("%.$", ""))) end
end

-- What a function's types mention, and what the fields of those mention.
local function typesOf(api, fn)
  local seen, list = {}, {}
  local function add(name)
    if seen[name] or not (api.classes[name] or api.aliases[name]) then return end
    seen[name], list[#list + 1] = true, name
    local class, alias = api.classes[name], api.aliases[name]
    if alias then mentioned(alias.type, add) end
    if not class then return end
    if class.parent then add(class.parent) end
    if #class.methods == 0 then
      for _, field in ipairs(class.fields) do mentioned(field.type, add) end
    end
  end
  for _, p in ipairs(fn.params) do mentioned(p.type, add) end
  for _, r in ipairs(fn.returns) do mentioned(r.type, add) end
  return list
end

local nodeTables = { ["anim.NodeDescription"] = true, ["anim.SolverNode"] = true, ["anim.LayerEntry"] = true,
  ["anim.Transition"] = true, ["anim.Effector"] = true, ["anim.JointLimit"] = true, ["anim.Leg"] = true,
  ["anim.FootLeg"] = true, ["anim.Collider"] = true, ["anim.GraphDescription"] = true }

local function isNodeTable(class)
  return nodeTables[class.name] or class.parent == "anim.NodeDescription" or class.parent == "anim.SolverNode"
end

-- The classes, those first that one meets first.
local function ordered(classes)
  local list, rank = {}, {}
  for i, name in ipairs({ "Skeleton", "Clip", "Mask", "Pose", "Skin", "Loading", "Graph", "Node", "Param",
    "Subscription", "Crowd", "Recording", "Buffer" }) do rank["anim." .. name] = i end
  for i, class in ipairs(classes) do
    list[i] = class
    rank[class.name] = rank[class.name] or 100 + i
  end
  table.sort(list, function(a, b) return rank[a.name] < rank[b.name] end)
  return list
end

--- Lays out the pages: { file, title, functions, tables, class } each; `where` tells the page and anchor of every name.
function reference.plan(api)
  local module = { file = "reference/anim.html", title = "anim", functions = api.functions, tables = {} }
  local nodes = { file = "reference/nodes.html", title = "Kinds of nodes", functions = {}, tables = {} }
  local pages, where = { module }, {}
  local taken = {}
  for _, class in ipairs(ordered(api.classes)) do
    if #class.methods > 0 then
      local name = short(class.name)
      local file = "reference/" .. name:lower():gsub("%.", "_")
      if taken[file] then file = file .. "_object" end -- of a class that is called like its module
      taken[file] = true
      local one = { file = file .. ".html", title = name, class = class, functions = class.methods, tables = {} }
      pages[#pages + 1] = one
      where[class.name] = one.file
    end
  end
  pages[#pages + 1] = nodes
  local function place(name, on)
    if where[name] then return end
    on.tables[#on.tables + 1] = api.classes[name] or api.aliases[name]
    where[name] = on.file .. "#" .. short(name)
  end
  for _, class in ipairs(api.classes) do
    if isNodeTable(class) then place(class.name, nodes) end
  end
  for _, one in ipairs(pages) do
    for _, fn in ipairs(one.functions) do
      where[reference.fullName(one, fn)] = one.file .. "#" .. fn.name
      for _, name in ipairs(typesOf(api, fn)) do place(name, one) end
    end
  end
  for _, class in ipairs(api.classes) do place(class.name, module) end
  for _, alias in ipairs(api.aliases) do place(alias.name, module) end
  return pages, where
end

-- Text ------------------------------------------------------------------------------------------------

local writer = {}
writer.__index = writer

function writer:link(name, text)
  local target = self.where[name]
  if not target then return text end
  return ('<a href="%s%s">%s</a>'):format("../", target, text)
end

-- A type as HTML, classes as links to where they are told.
function writer:type(text)
  return (escape(text):gsub("anim%.[%w_%.]+", function(name) return self:link(name, short(name)) end))
end

-- A sentence: code between backticks, names of functions as links.
function writer:inline(text)
  local out, at = {}, 1
  local function plain(piece)
    piece = escape(piece)
    piece = piece:gsub("%f[%w](%u%w+:%l%w+)", function(name) return self:link(name, "<code>" .. name .. "</code>") end)
    return (piece:gsub("%f[%w](anim%.%l%w+)", function(name) return self:link(name, "<code>" .. name .. "</code>") end))
  end
  for before, code, after in text:gmatch("([^`]*)`([^`]*)`()") do
    out[#out + 1] = plain(before) .. (reference.code(self.where, code, "../") or "<code>" .. escape(code) .. "</code>")
    at = after
  end
  out[#out + 1] = plain(text:sub(at))
  return table.concat(out)
end

-- Comments: paragraphs, between empty lines.
function writer:text(doc)
  local out = {}
  for paragraph in (doc .. "\n\n"):gmatch("(.-)\n%s*\n") do
    if paragraph:match("%S") then
      local class = paragraph:match("^Errors:") and ' class="errors"' or ""
      out[#out + 1] = ("<p%s>%s</p>"):format(class, self:inline((paragraph:gsub("\n", " "))))
    end
  end
  return table.concat(out, "\n")
end

--- Inline code that calls something of the reference, as a link; nil for other code. `root` leads to the site's top.
function reference.code(where, text, root)
  local object, name = text:match("^(%l%w*):(%l%w*)")
  local full
  if object then
    full = object:sub(1, 1):upper() .. object:sub(2) .. ":" .. name
  else
    full = text:match("^anim%.(love%.[%w%.]*%w)") or text:match("^anim%.%l%w*") or text:match("^[%u][%w%.]*:%l%w*")
  end
  local target = full and where[full]
  return target and ('<a href="%s%s"><code>%s</code></a>'):format(root, target, escape(text))
end

local function code(text) return '<pre><code class="language-lua">' .. markdown.lua(text) .. "</code></pre>" end

-- Parts of a page -------------------------------------------------------------------------------------

local function row(cells) return "<tr><td>" .. table.concat(cells, "</td><td>") .. "</td></tr>" end

-- A table; `head` may be missing.
local function rows(head, list)
  local out = { '<div class="wide"><table>' }
  if head then out[2] = "<thead><tr><th>" .. table.concat(head, "</th><th>") .. "</th></tr></thead>" end
  out[#out + 1] = "<tbody>"
  for _, cells in ipairs(list) do out[#out + 1] = row(cells) end
  out[#out + 1] = "</tbody></table></div>"
  return table.concat(out, "\n")
end

local function optionalName(p) return "<code>" .. escape(p.name) .. "</code>" .. (p.optional and
  ' <span class="soft">optional</span>' or "") end

local function resultName(r) return r.name and r.name ~= "..." and "<code>" .. escape(r.name) .. "</code>" or "" end

-- Many numbers of one type in one line.
local function signature(fn, object)
  local names = {}
  for i, name in ipairs(fn.signature) do
    local p = fn.params[i]
    names[i] = (p and p.optional) and "[" .. name .. "]" or name
  end
  return object .. fn.name .. "(" .. table.concat(names, ", ") .. ")"
end

function writer:results(fn)
  if #fn.returns == 0 then return "" end
  local same = true
  for _, r in ipairs(fn.returns) do same = same and r.type == fn.returns[1].type end
  local doc = fn.returns[#fn.returns].doc or ""
  if #fn.returns > 3 and same then
    local names = {}
    for i, r in ipairs(fn.returns) do names[i] = r.name or "" end
    return ("<p>Gives %d values of type <code>%s</code>: <code>%s</code>%s</p>"):format(#names,
      self:type(fn.returns[1].type), table.concat(names, ", "), doc ~= "" and ", " .. self:inline(doc) or "")
  end
  local parts = {}
  for i, r in ipairs(fn.returns) do
    parts[i] = resultName(r) .. (resultName(r) ~= "" and ": " or "") .. "<code>" .. self:type(r.type) .. "</code>"
  end
  return "<p>Gives " .. table.concat(parts, ", ") .. (doc ~= "" and ", " .. self:inline(doc) or "") .. "</p>"
end

function writer:example(full)
  local part = self.examples[full]
  if not part then return "" end
  if self.shown[part] then
    return ('<p class="example">Example: <a href="#%s">above</a></p>'):format(self.shown[part])
  end
  self.shown[part] = full:match("[%w_]+$")
  local text = part.text
  if part.file.setup ~= self.setup then text = part.file.setup .. "\n\n" .. text end
  return '<p class="example">Example</p>\n' .. code(text)
end

function writer:fn(fn, full, object)
  local out = { ('<section class="fn" id="%s">'):format(fn.name),
    "<h3>" .. escape(signature(fn, object)) .. "</h3>", self:text(fn.doc) }
  if #fn.params > 0 then
    local list, told = {}, false
    for i, p in ipairs(fn.params) do
      list[i] = { optionalName(p), '<code>' .. self:type(p.type) .. "</code>", self:inline(p.doc) }
      told = told or p.doc ~= ""
    end
    out[#out + 1] = rows({ "argument", "type", "" }, list)
  end
  out[#out + 1] = self:results(fn)
  for _, overload in ipairs(fn.overloads) do
    out[#out + 1] = "<p>Or: <code>" .. self:type((overload:gsub("self: anim%.%w+, ", ""))) .. "</code></p>"
  end
  out[#out + 1] = self:example(full)
  out[#out + 1] = "</section>"
  return table.concat(out, "\n")
end

function writer:fields(fields)
  local list = {}
  for i, field in ipairs(fields) do
    list[i] = { optionalName(field), "<code>" .. self:type(field.type) .. "</code>", self:inline(field.doc) }
  end
  return #list > 0 and rows({ "key", "type", "" }, list) or ""
end

-- A table that functions take or give, or another name for a type.
function writer:table(what)
  local out = { ('<section class="fn" id="%s">'):format(short(what.name)), "<h3>" .. escape(what.name) ..
    (what.parent and ' <span class="soft">also has what <a href="#' .. short(what.parent) .. '">' ..
      escape(what.parent) .. "</a> has</span>" or "") .. "</h3>" }
  if what.type then out[#out + 1] = "<p><code>" .. self:type(what.type) .. "</code></p>" end
  out[#out + 1] = self:text(what.doc or "")
  out[#out + 1] = self:fields(what.fields or {})
  out[#out + 1] = "</section>"
  return table.concat(out, "\n")
end

-- Links to all functions of a page, at its top.
local function overview(one)
  local out = {}
  for i, fn in ipairs(one.functions) do out[i] = ('<a href="#%s"><code>%s</code></a>'):format(fn.name, fn.name) end
  return #out > 0 and "<p>" .. table.concat(out, " ") .. "</p>" or ""
end

local function setupOf(files, one)
  for _, file in ipairs(files) do
    local first = one.functions[1]
    local full = first and reference.fullName(one, first)
    if full and file.of[full] and file.setup ~= "" then return file.setup end
  end
end

local nodesIntro = [[<p>The tables that describe nodes: for <a href="anim.html#newGraph">anim.newGraph</a>, for the
functions of <a href="graph.html">graphs</a> that add nodes, and wherever a child is expected. How they work is told in
the guides to <a href="../graph.html">graphs</a>, <a href="../state_machine.html">state machines</a> and
<a href="../ik.html">inverse kinematics</a>.</p>]]

local setupIntro = [[<p class="example">The examples of this page begin so; each runs by itself, and prints what stands
behind <code>--&gt;</code>:</p>]]

local indexIntro = [[<h1>Reference</h1><p>Every function, with an example that is run whenever the library is tested.
Seconds, radians, metres as the file has them; right-handed, Y up; quaternions x, y, z, w; matrices column-major; joints
by index (from 1) or name. A mistake in the script is an error that names the argument; a fault of a file is
<code>nil, message</code>.</p>]]

-- What stands before the name of a function: "graph:", "anim.", "anim.love.rig2d.".
local function objectOf(one)
  if not one.class then return "anim." end
  if one.class.isModule then return one.class.name .. "." end
  local last = one.title:match("[^%.]+$"):gsub("2D$", "")
  return last:sub(1, 1):lower() .. last:sub(2) .. ":"
end

--- The body of a page, and what its navigation lists.
function reference.body(api, files, where, one)
  local self = setmetatable({ api = api, where = where, shown = {}, examples = {} }, writer)
  for _, file in ipairs(files) do
    for name, part in pairs(file.of) do self.examples[name] = part end
  end
  local out = { "<h1>" .. escape(one.title) .. "</h1>" }
  local headings = {}
  if one.class then
    out[#out + 1] = self:text(one.class.doc)
    out[#out + 1] = self:fields(one.class.fields)
    if one.class.operators.len then
      out[#out + 1] = "<p>It has a length: <code>#" .. one.title:lower() .. "</code>.</p>"
    end
  elseif one.title == "anim" then
    out[#out + 1] = self:text(((api.head[api.functions[1].path] or ""):gsub(" Never run%.", "")))
    for _, name in ipairs(api.values) do
      out[#out + 1] = ('<p id="%s"><code>anim.%s</code>: %s</p>'):format(name, name, self:inline(api.values[name].doc))
    end
  else
    out[#out + 1] = nodesIntro
  end
  out[#out + 1] = overview(one)
  local setup = setupOf(files, one)
  self.setup = setup
  if setup then
    out[#out + 1] = setupIntro .. code(setup)
  end
  local object = objectOf(one)
  for _, fn in ipairs(one.functions) do
    out[#out + 1] = self:fn(fn, reference.fullName(one, fn), object)
  end
  if #one.tables > 0 then
    if #one.functions > 0 then
      out[#out + 1] = '<h2 id="tables">Tables and types</h2>'
      headings = { { level = 2, text = "Functions", id = one.functions[1].name },
        { level = 2, text = "Tables and types", id = "tables" } }
    end
    for _, what in ipairs(one.tables) do out[#out + 1] = self:table(what) end
  end
  if #one.functions == 0 then
    for _, what in ipairs(one.tables) do headings[#headings + 1] = { level = 2, text = short(what.name),
      id = short(what.name) } end
  end
  return table.concat(out, "\n"), headings
end

--- The page that lists every function with its first sentence.
function reference.index(api, where, pages)
  local self = setmetatable({ api = api, where = where }, writer)
  local out = { indexIntro }
  for _, one in ipairs(pages) do
    out[#out + 1] = ('<h2 id="%s"><a href="../%s">%s</a></h2>'):format(one.title:lower():gsub("%W+", "-"), one.file,
      escape(one.title))
    local list = {}
    for i, fn in ipairs(one.functions) do
      local full = reference.fullName(one, fn)
      local first = (fn.doc .. "\n\n"):match("^(.-)\n%s*\n"):gsub("\n", " ")
      local sentence = first:match("^(.-%.)%s") or first
      list[i] = { self:link(full, "<code>" .. escape(fn.name) .. "</code>"), self:inline(sentence) }
    end
    if #list > 0 then
      out[#out + 1] = rows(nil, list)
    else
      local names = {}
      for i, what in ipairs(one.tables) do
        names[i] = self:link(what.name, "<code>" .. escape(short(what.name)) .. "</code>")
      end
      out[#out + 1] = "<p>" .. table.concat(names, " ") .. "</p>"
    end
  end
  return table.concat(out, "\n")
end

--- Reads everything: the annotations, the examples, the plan.
function reference.read()
  local api, files = annotations.read(annotations.files()), {}
  for i, path in ipairs(examples.files()) do files[i] = examples.read(path) end
  local pages, where = reference.plan(api)
  return { api = api, files = files, pages = pages, where = where }
end

return reference
