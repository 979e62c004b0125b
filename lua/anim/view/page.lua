--- The page: its parts put together, and the data of a model in it.
local css = require("anim.view.css")
local html = require("anim.view.html")
local json = require("anim.view.json")
local script = table.concat({
  require("anim.view.js_takes"),
  require("anim.view.js_figure"),
  require("anim.view.js_stage"),
  require("anim.view.js_controls"),
  require("anim.view.js_main"),
})

local entities = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }

return function(data)
  local title = json.utf8(data.name):gsub("[&<>\"']", entities):gsub("%c", " ")
  local fill = { title = title, css = css, script = script, data = json.encode(data) }
  return (html:gsub("{{(%a+)}}", fill))
end
