--- The page: its parts put together, and the data of a model or a recording in it.
local html = require("anim.view.html")
local json = require("anim.view.json")

-- The parts of the script in their order; those with a word beside them are only where the page has that.
local modules = { { "js_takes" }, { "js_figure" }, { "js_stage" }, { "js_controls" }, { "js_tracks", "recording" },
  { "js_timeline", "recording" }, { "js_targets", "targets" }, { "js_lines", "lines" }, { "js_main" } }

-- Without indents and whole lines of comment. Lines that begin with /*targets*/ or /*lines*/ are only where there are
-- some.
local function dense(text, has)
  text = ("\n" .. text):gsub("\n%s+", "\n"):gsub("\n//[^\n]*", "")
  return (text:gsub("\n/%*(%l+)%*/([^\n]*)", function(what, line) return has[what] and "\n" .. line or "" end):sub(2))
end

local function scriptOf(has)
  local scripts = {}
  for _, module in ipairs(modules) do
    if not module[2] or has[module[2]] then scripts[#scripts + 1] = require("anim.view." .. module[1]) end
  end
  return dense(table.concat(scripts), has)
end

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }

--- `lines`: those of the scene, six numbers each in one list; nil where there are none.
return function(data, lines)
  local title = json.utf8(data.name):gsub("[&<>\"']", entities):gsub("%c", " ")
  local has = { recording = data.recording ~= nil, targets = data.recording and data.recording.targets ~= nil,
    lines = lines ~= nil }
  data.lines = lines
  local fill = { title = title, css = dense(require("anim.view.css"), has), script = scriptOf(has),
    data = json.encode(data) }
  return (html:gsub("{{(%a+)}}", fill))
end
