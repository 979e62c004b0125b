--- The page: its parts put together, and the data of a model or a recording in it.
local html = require("anim.view.html")
local json = require("anim.view.json")
local modules = { "js_takes", "js_figure", "js_stage", "js_controls", "js_main" }
local forRecordings = { "js_takes", "js_figure", "js_stage", "js_controls", "js_tracks", "js_timeline", "js_main" }

-- Without indents and whole lines of comment.
local function dense(text) return (("\n" .. text):gsub("\n%s+", "\n"):gsub("\n//[^\n]*", ""):sub(2)) end

local css = dense(require("anim.view.css"))

local function scriptOf(names)
  local scripts = {}
  for i, name in ipairs(names) do scripts[i] = require("anim.view." .. name) end
  return dense(table.concat(scripts))
end

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }

return function(data)
  local title = json.utf8(data.name):gsub("[&<>\"']", entities):gsub("%c", " ")
  local script = scriptOf(data.recording and forRecordings or modules)
  local fill = { title = title, css = css, script = script, data = json.encode(data) }
  return (html:gsub("{{(%a+)}}", fill))
end
