--- Markdown to HTML: cmark-gfm does it; here come the ids of headings, the links between pages and coloured code.
local markdown = {}

local escapes = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

function markdown.escape(text) return (text:gsub('[&<>"]', escapes)) end

local function unescape(text)
  return (text:gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&quot;", '"'):gsub("&amp;", "&"))
end

-- Headings --------------------------------------------------------------------------------------------

--- The id of a heading, as GitHub makes it; `taken` keeps those of the page apart.
function markdown.slug(text, taken)
  local slug = text:lower():gsub("[^%w%-_ \128-\255]", ""):gsub(" ", "-")
  local count = taken[slug]
  taken[slug] = (count or -1) + 1
  return count and slug .. "-" .. taken[slug] or slug
end

--- The headings of a Markdown text: { level, text, id }.
function markdown.headings(text)
  local list, taken, code = {}, {}, false
  for line in (text .. "\n"):gmatch("(.-)\r?\n") do
    if line:match("^```") then code = not code end
    local marks, title = line:match("^(#+)%s+(.-)%s*$")
    if marks and not code then
      title = title:gsub("%[([^%]]*)%]%b()", "%1"):gsub("[`*]", "")
      list[#list + 1] = { level = #marks, text = title, id = markdown.slug(title, taken) }
    end
  end
  return list
end

--- The links and pictures of a Markdown text, without code: { target, line }.
function markdown.links(text)
  local list, code, number = {}, false, 0
  for line in (text .. "\n"):gmatch("(.-)\r?\n") do
    number = number + 1
    if line:match("^```") then code = not code end
    if not code then
      line = line:gsub("`[^`]*`", "")
      for target in line:gmatch("%]%(([^%s%)]+)[^%)]*%)") do list[#list + 1] = { target = target, line = number } end
      for target in line:gmatch('[sh]r[ce]f?="([^"]+)"') do list[#list + 1] = { target = target, line = number } end
    end
  end
  return list
end

-- Code ------------------------------------------------------------------------------------------------

local keywords = {}
for word in ("and break do else elseif end false for function goto if in local nil not or repeat return then true " ..
  "until while"):gmatch("%w+") do keywords[word] = true end

local function span(class, text) return ('<span class="%s">%s</span>'):format(class, markdown.escape(text)) end

-- The place behind a long bracket that begins at `at`, or nil.
local function behindLong(code, at)
  local level = code:match("^%[(=*)%[", at)
  if not level then return nil end
  local _, last = code:find("]" .. level .. "]", at, true)
  return (last or #code) + 1
end

local function behindString(code, at)
  local quote = code:sub(at, at)
  local i = at + 1
  while i <= #code do
    local c = code:sub(i, i)
    if c == "\\" then i = i + 1
    elseif c == quote or c == "\n" then return i + 1 end
    i = i + 1
  end
  return i
end

--- Lua as HTML with spans for what is not plain.
function markdown.lua(code)
  local out, at = {}, 1
  while at <= #code do
    local behind, class
    if code:match("^%-%-", at) then
      behind = behindLong(code, at + 2) or code:find("\n", at, true) or #code + 1
      class = code:match("^%-%->", at) and "out" or "com"
    elseif code:match("^[\"']", at) then
      behind, class = behindString(code, at), "str"
    elseif behindLong(code, at) then
      behind, class = behindLong(code, at), "str"
    elseif code:match("^[%a_]", at) then
      behind = code:match("^[%w_]+()", at)
      class = keywords[code:sub(at, behind - 1)] and "key" or nil
    elseif code:match("^%.?%d", at) then
      behind, class = code:match("^[%w%.]+()", at), "num"
    else
      behind = code:match("^[^%w%.%-\"'%[_]+()", at) or at + 1
    end
    local text = code:sub(at, behind - 1)
    out[#out + 1] = class and span(class, text) or markdown.escape(text)
    at = behind
  end
  return table.concat(out)
end

-- Pages -----------------------------------------------------------------------------------------------

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end
markdown.readFile = read

local function quote(word) return "'" .. word:gsub("'", "'\\''") .. "'" end
markdown.quote = quote

--- The HTML of a Markdown file. `link` turns a target into that of the site; `code` gives HTML for a piece of inline
--- code, or nil.
function markdown.render(path, link, code)
  local pipe = assert(io.popen("cmark-gfm -e table -e autolink --unsafe " .. quote(path)))
  local html = pipe:read("*a")
  assert(pipe:close(), "cmark-gfm failed: is the package cmark-gfm installed?")
  local headings, i = markdown.headings(read(path)), 0
  html = html:gsub("<h(%d)>", function(level)
    i = i + 1
    assert(headings[i] and headings[i].level == tonumber(level), path .. ": a heading that is not understood")
    return ('<h%s id="%s">'):format(level, headings[i].id)
  end)
  html = html:gsub('(<pre><code class="language%-lua">)(.-)(</code></pre>)', function(before, text, after)
    return before .. markdown.lua(unescape(text)) .. after
  end)
  html = html:gsub('( [hs]r[ce]f?=")([^"]+)(")', function(before, target, after)
    return before .. markdown.escape(link(unescape(target))) .. after
  end)
  html = html:gsub("<code>([^<]+)</code>", function(text) return code and code(unescape(text)) end)
  html = html:gsub("<table>.-</table>", '<div class="wide">%0</div>')
  return html, headings
end

return markdown
