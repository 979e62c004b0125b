-- The documentation does what it says: every Lua block of README.md and docs/*.md runs as it stands, so does the
-- example of every function in docs/reference, and both print what stands behind their "-->"; commands are there; links
-- lead somewhere, in the files and on the site that tools/docs.lua makes of them.
local lfs = require("lfs")

local annotations = require("tools.docs.annotations")
local examples = require("tools.docs.examples")
local markdown = require("tools.docs.markdown")
local snippets = require("spec.support.snippets")

local files = { "README.md" }
for name in lfs.dir("docs") do
  if name:match("%.md$") then files[#files + 1] = "docs/" .. name end
end
table.sort(files)

local ran, left = {}, {} -- what was executed and what was not, for the lists at the end

-- Pages whose other blocks a script follows, a row of ./dev test.
local byScript = { ["docs/new_node.md"] = "tools/try_new_node.sh", ["docs/embed.md"] = "tools/embed.sh" }

local function note(...) ran[#ran + 1] = (...):format(select(2, ...)) end

for _, path in ipairs(files) do
  describe(path, function()
    for _, block in ipairs(snippets.blocks(path)) do
      if block.language == "lua" and not snippets.isForLove(path, block) then
        it("line " .. block.line .. " runs", function()
          local told = snippets.check(block.text, ("=%s:%d"):format(path, block.line))
          note("%s:%d%s", path, block.line, told > 0 and (", prints what it says (%d)"):format(told) or "")
        end)
      elseif block.language == "lua love" and path == "docs/love.md" then -- programs, run one after the other
        ran[#ran + 1] = ("%s:%d, by spec/love_spec.lua where LÖVE is"):format(path, block.line)
      elseif byScript[path] and block.language ~= "lua" then
        ran[#ran + 1] = ("%s:%d, by %s in ./dev test"):format(path, block.line, byScript[path])
      elseif block.language ~= "lua" and block.language ~= "lua love" then
        left[#left + 1] = ("%s:%d%s"):format(path, block.line, block.language == "" and "" or " " .. block.language)
      end
    end
  end)
end

-- Reference -------------------------------------------------------------------------------------------

local api = annotations.read(annotations.files())

-- Those need LÖVE: they run together, in one program.
local function needsLove(path) return path:match("/love[^/]*$") ~= nil end

local function have(command)
  return os.execute("command -v " .. command .. " >/dev/null 2>&1") == (_VERSION == "Lua 5.1" and 0 or true)
end

describe("the reference", function()
  local documented = {}
  for _, path in ipairs(examples.files()) do
    local file = examples.read(path)
    for _, part in ipairs(file.parts) do
      local names = table.concat(part.names, " ")
      local check = needsLove(path) and function() end or it
      check("has an example of " .. names .. " that runs", function()
        local code = file.setup .. "\n" .. part.text
        for _, name in ipairs(part.names) do assert.is_truthy(code:find(name:match("%w+$") .. "%f[%W]"), name) end
        local told = snippets.check(code, ("=%s:%d"):format(path, part.line))
        assert.is_true(told > 0, "it does not say what it prints")
        note("%s:%d %s", path, part.line, names)
      end)
      for _, name in ipairs(part.names) do
        assert(not documented[name], name .. " has two examples")
        documented[name] = path .. ":" .. part.line
      end
    end
  end

  it("has an example of every function, and of no other", function()
    local there, missing = {}, {}
    annotations.each(api, function(_, full)
      there[full] = true
      if not documented[full] then missing[#missing + 1] = full .. " has no example" end
    end)
    for full, where in pairs(documented) do
      if not there[full] then missing[#missing + 1] = where .. ": there is no " .. full end
    end
    table.sort(missing)
    assert.are.same({}, missing)
  end)

  it("has examples of anim.love that run in LÖVE, as blocks of the docs do", function()
    if not (jit and have("love") and have("xvfb-run")) then -- luacheck: ignore 113
      pending("not LuaJIT, whose module LÖVE can load, or no love and xvfb-run")
      return
    end
    local paths, wanted, done = {}, 1, 0 -- the annotations of anim.love are looked at, too
    for _, path in ipairs(examples.files()) do
      if needsLove(path) then
        paths[#paths + 1] = path
        wanted = wanted + #examples.read(path).parts
      end
    end
    for _, path in ipairs(files) do
      paths[#paths + 1] = path
      for _, block in ipairs(snippets.blocks(path)) do
        if snippets.isForLove(path, block) then wanted = wanted + 1 end
      end
    end
    local pipe = io.popen("LIBGL_ALWAYS_SOFTWARE=1 timeout 120 xvfb-run -a -s '-screen 0 800x600x24' " ..
      "love spec/love/reference " .. table.concat(paths, " ") .. " 2>&1")
    local said = {}
    for line in pipe:lines() do
      said[#said + 1] = line
      local names = line:match("^ok (.+)$")
      if names then
        done = done + 1
        note("in LÖVE: %s", names)
      end
    end
    pipe:close()
    assert.are.equal(wanted, done, table.concat(said, "\n"))
  end)

  it("would be found out if it printed something else", function()
    assert.has_error(function() snippets.check("print(1) --> 2", "=probe") end)
    assert.has_error(function() snippets.check("print(1)\nprint(2) --> 1", "=probe") end)
    assert.are.equal(2, snippets.check("print(1)   --> 1.0\nprint('a', 'b') --> a b", "=probe"))
  end)
end)

-- Links -----------------------------------------------------------------------------------------------

local function exists(path) return lfs.attributes(path) ~= nil end

local function anchorsOf(path)
  local set = {}
  for _, heading in ipairs(markdown.headings(markdown.readFile(path))) do set[heading.id] = true end
  return set
end

local function directory(path) return path:match("^(.*/)[^/]*$") or "" end

-- "docs/x/../y" -> "docs/y"
local function simplify(path)
  local count
  repeat path, count = path:gsub("[^/]+/%.%./", "", 1) until count == 0
  return path
end

-- Dead links of a Markdown text that stands at `path`.
local function deadLinks(path, text)
  local dead = {}
  for _, link in ipairs(markdown.links(text)) do
    local target, anchor = link.target:match("^([^#]*)#?(.*)$")
    if not link.target:match("^%a+:") then
      local full = target == "" and path or simplify(directory(path) .. target)
      local fine = exists(full)
      if fine and anchor ~= "" then fine = full:match("%.md$") and anchorsOf(full)[anchor] end
      if not fine then dead[#dead + 1] = ("%s:%d: %s"):format(path, link.line, link.target) end
    end
  end
  return dead
end

-- Dead links of the pages in a directory, and links to other hosts that a page would load something from.
local function deadOnSite(root)
  local dead, ids = {}, {}
  local function idsOf(path)
    if not ids[path] then
      ids[path] = {}
      for id in markdown.readFile(path):gmatch('id="([^"]+)"') do ids[path][id] = true end
    end
    return ids[path]
  end
  local function look(dir)
    for name in lfs.dir(root .. "/" .. dir) do
      local path = dir .. name
      if lfs.attributes(root .. "/" .. path, "mode") == "directory" then
        if not name:match("^%.") then look(path .. "/") end
      elseif name:match("%.html$") then
        local html = markdown.readFile(root .. "/" .. path)
        for kind, target in html:gmatch('<(%w+)[^>]- [hs]r[ce]f?="([^"]+)"') do
          local file, anchor = target:match("^([^#]*)#?(.*)$")
          if target:match("^%a+:") then
            if kind ~= "a" then dead[#dead + 1] = path .. " loads " .. target end
          else
            local full = root .. "/" .. (file == "" and path or simplify(dir .. file))
            if not exists(full) or (anchor ~= "" and not idsOf(full)[anchor]) then
              dead[#dead + 1] = path .. ": " .. target
            end
          end
        end
        assert(not html:match("<script"), path .. " has a script")
      end
    end
  end
  look("")
  return dead
end

describe("links", function()
  local others = { "CONTRIBUTING.md", "CHANGELOG.md" }
  for _, list in ipairs({ files, others }) do
    for _, path in ipairs(list) do
      it("of " .. path .. " lead to files and headings", function()
        assert.are.same({}, deadLinks(path, markdown.readFile(path)))
      end)
    end
  end

  it("that lead nowhere are found", function()
    local text = "[a](gone.md) [b](graph.md#nodes)\n[c](graph.md#no-such-heading) `[d](code.md)`\n![e](pictures/f.png)"
    assert.are.same({ "docs/probe.md:1: gone.md", "docs/probe.md:2: graph.md#no-such-heading",
      "docs/probe.md:3: pictures/f.png" }, deadLinks("docs/probe.md", text))
  end)

  it("of the site lead to pages and places, and load nothing from elsewhere", function()
    if not have("cmark-gfm") then
      pending("no cmark-gfm")
      return
    end
    local root = os.tmpname()
    os.remove(root)
    assert(lfs.mkdir(root))
    local pipe = io.popen(("env -u LD_PRELOAD lua5.4 tools/docs.lua %s 2>&1"):format(root))
    local said = pipe:read("*a")
    pipe:close()
    assert.is_truthy(said:match("index%.html: %d+ pages"), said)
    local dead = deadOnSite(root)
    local probe = assert(io.open(root .. "/probe.html", "w"))
    probe:write('<a href="gone.html">1</a> <a href="graph.html#gone">2</a> <img src="https://example.org/a.png"> ',
      '<a href="reference/graph.html#update">3</a> <a href="https://example.org">4</a>')
    probe:close()
    local found = deadOnSite(root)
    os.execute("rm -rf '" .. root .. "'")
    assert.are.same({}, dead)
    assert.are.same({ "probe.html: gone.html", "probe.html: graph.html#gone",
      "probe.html loads https://example.org/a.png" }, found)
    assert.is_true(tonumber(said:match("(%d+) pages")) > 20)
  end)
end)

-- Commands --------------------------------------------------------------------------------------------

-- The first word behind each `./dev` and `anim` that stands in code.
local function commandsIn(path)
  local text, list = markdown.readFile(path), {}
  local function look(code)
    for line in (code .. "\n"):gmatch("(.-)\n") do
      local command = line:match("^%s*%$?%s*%./dev%s+([%w_%-]+)")
      if command then list[#list + 1] = "./dev " .. command end
      command = line:match("^%s*%$?%s*anim%s+(%l+)%s*$") or line:match("^%s*%$?%s*anim%s+(%l+)%s+[^=%s]")
      if command then list[#list + 1] = "anim " .. command end
    end
  end
  for _, block in ipairs(snippets.blocks(path)) do
    if block.language ~= "lua" and block.language ~= "c" then look(block.text) end
  end
  for code in text:gsub("\n```.-\n```", ""):gmatch("`([^`\n]+)`") do look(code) end
  return list
end

describe("commands", function()
  local dev, cli = markdown.readFile("dev"), markdown.readFile("lua/anim/cli.lua")
  for _, path in ipairs(files) do
    it("of " .. path .. " are there", function()
      for _, command in ipairs(commandsIn(path)) do
        local name = command:match("%S+$")
        if command:match("^anim") then
          assert.is_truthy(cli:find("[%s\"']" .. name .. "[%s\"']"), path .. ": " .. command)
        else
          assert.is_truthy(dev:find("%./dev " .. name:gsub("%-", "%%-") .. "%s"), path .. ": " .. command)
        end
        note("%s: the command %s is there", path, command)
      end
    end)
  end
end)

describe("the figures of the README", function()
  it("are those of docs/performance.md, where their method is", function()
    local pipe = io.popen("env -u LD_PRELOAD lua5.4 tools/readme_numbers.lua --check 2>&1")
    local said = pipe:read("*a")
    pipe:close()
    assert.are.equal("", said)
  end)
end)

describe("the list of all that ran", function()
  it("is printed", function()
    assert.is_true(#ran > 100)
    for _, text in ipairs(ran) do print("# ran " .. text) end
    for _, text in ipairs(left) do print("# no Lua: " .. text) end
  end)
end)
