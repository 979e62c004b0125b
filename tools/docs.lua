-- The documentation as a static site: lua tools/docs.lua [DIRECTORY], from the top of the project; ./dev docs does so.
-- README.md is its home, docs/*.md its pages, lua/anim/**/*types.lua with docs/reference/*.lua its reference.
local lfs = require("lfs")

local markdown = require("tools.docs.markdown")
local page = require("tools.docs.page")
local reference = require("tools.docs.reference")

local out = arg and arg[1] or "build/docs"

-- The order of the pages; what is not here comes last.
local order = {
  { "First steps", "start", "concepts", "install", "love", "rig2d", "editor" },
  { "Guides", "files", "graph", "state_machine", "ik", "retarget", "packed", "crowd", "cookbook" },
  { "Coming from", "coming_from" },
  { "Reference" },
  { "More", "embed", "new_node", "performance", "limits" },
}

local function makeDirectory(path)
  local at = path:sub(1, 1) == "/" and "/" or ""
  for part in path:gmatch("[^/]+") do
    at = at .. part
    if not lfs.attributes(at) then assert(lfs.mkdir(at)) end
    at = at .. "/"
  end
end

local function write(path, text)
  local file = assert(io.open(out .. "/" .. path, "wb"))
  assert(file:write(text))
  assert(file:close())
end

local function filesIn(dir, pattern)
  local list = {}
  if lfs.attributes(dir, "mode") ~= "directory" then return list end
  for name in lfs.dir(dir) do
    if name:match(pattern) then list[#list + 1] = name end
  end
  table.sort(list)
  return list
end

-- { file, title, source } of a Markdown file; its title is its first heading.
local function entryOf(source, file)
  local first = markdown.headings(markdown.readFile(source))[1]
  return { file = file, title = first and first.text or file, source = source }
end

local function plan(ref)
  local names, groups = {}, { { title = "anim", entries = { entryOf("README.md", "index.html") } } }
  groups[1].entries[1].title = "Overview"
  for _, file in ipairs(filesIn("docs", "%.md$")) do names[file:gsub("%.md$", "")] = true end
  for _, row in ipairs(order) do
    local group = { title = row[1], entries = {} }
    groups[#groups + 1] = group
    for i = 2, #row do
      if names[row[i]] then
        group.entries[#group.entries + 1] = entryOf("docs/" .. row[i] .. ".md", row[i] .. ".html")
        names[row[i]] = nil
      end
    end
    if row[1] == "Reference" then
      group.entries[1] = { file = "reference/index.html", title = "All functions", index = true }
      local love = { title = "Reference: LÖVE", entries = {} }
      groups[#groups + 1] = love
      for _, one in ipairs(ref.pages) do
        local into = one.title:match("^love") and love or group
        into.entries[#into.entries + 1] = { file = one.file, title = one.title, page = one }
      end
    end
  end
  local last = groups[#groups].entries
  local rest = {}
  for name in pairs(names) do rest[#rest + 1] = name end
  table.sort(rest)
  for _, name in ipairs(rest) do last[#last + 1] = entryOf("docs/" .. name .. ".md", name .. ".html") end
  last[#last + 1] = entryOf("CONTRIBUTING.md", "contributing.html")
  last[#last + 1] = entryOf("CHANGELOG.md", "changelog.html")
  return groups
end

-- A target in a Markdown file, as the site has it.
local function linkFrom(source, pages)
  local inDocs = source:match("^docs/")
  return function(target)
    if target:match("^%a+:") or target:match("^#") then return target end
    local path, anchor = target:match("^([^#]*)(#?.*)$")
    local full = inDocs and "docs/" .. path or path
    full = full:gsub("^docs/%.%./", "")
    if pages[full] then return pages[full] .. anchor end
    return (full:gsub("^docs/", "")) .. anchor
  end
end

local function copyPictures()
  makeDirectory(out .. "/pictures")
  for _, name in ipairs(filesIn("docs/pictures", "^[^%.]")) do
    write("pictures/" .. name, markdown.readFile("docs/pictures/" .. name))
  end
end

local ref = reference.read()
assert(#ref.api.faults == 0, table.concat(ref.api.faults, "\n"))
local version = markdown.readFile("lua/anim/init.lua"):match('version = "([^"]+)"')
local site = { version = version, groups = plan(ref) }
local pages = {}
for _, group in ipairs(site.groups) do
  for _, entry in ipairs(group.entries) do
    if entry.source then pages[entry.source] = entry.file end
  end
end

makeDirectory(out .. "/reference")
write("style.css", page.css)
copyPictures()
local count = 0
for _, group in ipairs(site.groups) do
  for _, entry in ipairs(group.entries) do
    local body, headings
    if entry.source then
      body, headings = markdown.render(entry.source, linkFrom(entry.source, pages), function(text)
        return reference.code(ref.where, text, "")
      end)
    elseif entry.index then
      body = reference.index(ref.api, ref.where, ref.pages)
    else
      body, headings = reference.body(ref.api, ref.files, ref.where, entry.page)
    end
    write(entry.file, page.make(site, entry, body, headings))
    count = count + 1
  end
end
print(("%s/index.html: %d pages"):format(out, count))
