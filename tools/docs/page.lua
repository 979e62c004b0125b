--- The frame of every page: navigation, colours for light and dark, wide and narrow screens. No scripts, no hosts.
local markdown = require("tools.docs.markdown")
local escape = markdown.escape

local page = {}

page.css = [[
:root { color-scheme: light dark; --paper: #fdfdfc; --ink: #22262b; --soft: #626a73; --line: #dfe2e5; --panel: #f4f5f4;
  --link: #0b61a4; --key: #8a3ab9; --str: #276b2c; --num: #a3520b; --out: #0b61a4; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16191d; --ink: #dcdfe3; --soft: #98a1ab; --line: #333a42; --panel: #1f242a; --link: #74b6f2;
    --key: #cf9cf0; --str: #8ecf8e; --num: #e8ac6c; --out: #74b6f2; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif;
  overflow-wrap: break-word; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
#frame { display: flex; max-width: 84rem; margin: 0 auto; }
nav { flex: 0 0 15.5rem; padding: 1.2rem 1rem 3rem 1.2rem; border-right: 1px solid var(--line); position: sticky;
  top: 0; height: 100vh; overflow-y: auto; font-size: .92rem; }
nav h2 { margin: 1.1rem 0 .2rem; font-size: .74rem; text-transform: uppercase; letter-spacing: .06em;
  color: var(--soft); border: 0; padding: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: .13rem .5rem; border-radius: .3rem; color: inherit; }
nav li a.here { background: var(--panel); color: var(--link); font-weight: 600; }
nav li li a { padding-left: 1.3rem; color: var(--soft); font-size: .86rem; }
nav .title { font-size: 1.25rem; font-weight: 700; color: inherit; }
#menu, #menu + label { display: none; }
main { flex: 1 1 auto; min-width: 0; padding: 1.4rem 2.2rem 3rem; max-width: 68rem; }
p, ul, ol, blockquote { max-width: 50rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .2rem 0 1rem; }
h2 { font-size: 1.35rem; margin: 2.2rem 0 .6rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.08rem; margin: 1.6rem 0 .4rem; }
:target { scroll-margin-top: 1rem; background: var(--panel); }
code, pre { font: .87em/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
code { background: var(--panel); padding: .08em .28em; border-radius: .25em; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: .45rem; padding: .75rem .9rem;
  overflow-x: auto; tab-size: 2; }
pre code { background: none; padding: 0; font-size: 1em; }
.com { color: var(--soft); font-style: italic; } .str { color: var(--str); } .key { color: var(--key); }
.num { color: var(--num); } .out { color: var(--out); }
img { max-width: 100%; height: auto; border-radius: .45rem; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .93rem; }
th, td { border-bottom: 1px solid var(--line); padding: .32rem .8rem .32rem 0; text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
td:first-child code { white-space: nowrap; }
td:nth-child(3) { min-width: 11rem; }
blockquote { margin: 1rem 0; padding: 0 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.fn { margin-top: 2rem; padding-top: .8rem; border-top: 1px solid var(--line); }
.fn h3 { margin: 0 0 .4rem; font: 600 1rem/1.5 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.fn h3 .soft, .soft { color: var(--soft); font-weight: 400; }
.errors { border-left: 3px solid var(--num); padding-left: .8rem; }
.example { margin: .9rem 0 0; color: var(--soft); font-size: .85rem; }
.example + pre { margin-top: .2rem; }
footer { margin-top: 3rem; padding-top: .8rem; border-top: 1px solid var(--line); color: var(--soft);
  font-size: .88rem; display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 2rem; }
@media (max-width: 54rem) {
  #frame { display: block; }
  #menu + label { display: block; padding: .7rem 1rem; border-bottom: 1px solid var(--line); background: var(--panel);
    cursor: pointer; font-weight: 600; }
  nav { display: none; position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  #menu:checked ~ nav { display: block; }
  nav .title { display: none; }
  main { padding: 1rem 1rem 2rem; }
  h1 { font-size: 1.55rem; }
  table { font-size: .88rem; }
  td, td code { overflow-wrap: anywhere; }
}
@media print { nav, #menu + label { display: none; } }
]]

local function item(entry, here, root, headings)
  local out = { ('<li><a href="%s%s"%s>%s</a>'):format(root, entry.file, entry == here and ' class="here"' or "",
    escape(entry.title)) }
  if entry == here and headings then
    local inner = {}
    for _, h in ipairs(headings) do
      if h.level == 2 then inner[#inner + 1] = ('<li><a href="#%s">%s</a></li>'):format(h.id, escape(h.text)) end
    end
    if #inner > 1 then out[#out + 1] = "<ul>" .. table.concat(inner, "\n") .. "</ul>" end
  end
  out[#out + 1] = "</li>"
  return table.concat(out)
end

local function navigation(site, here, root, headings)
  local out = { ('<a class="title" href="%sindex.html">anim</a>'):format(root) }
  for _, group in ipairs(site.groups) do
    if #group.entries > 0 then
      out[#out + 1] = "<h2>" .. escape(group.title) .. "</h2><ul>"
      for _, entry in ipairs(group.entries) do out[#out + 1] = item(entry, here, root, headings) end
      out[#out + 1] = "</ul>"
    end
  end
  return table.concat(out, "\n")
end

local function beside(entry, root, before)
  if not entry then return "<span></span>" end
  local text = before and "← " .. entry.title or entry.title .. " →"
  return ('<a href="%s%s">%s</a>'):format(root, entry.file, escape(text))
end

--- A whole page. site: { version, groups = { { title, entries = { { file, title }, ... } } } }; `here` is one of them.
function page.make(site, here, body, headings)
  local root = here.file:match("/") and "../" or ""
  local all, at = {}, nil
  for _, group in ipairs(site.groups) do
    for _, entry in ipairs(group.entries) do
      all[#all + 1] = entry
      if entry == here then at = #all end
    end
  end
  return table.concat({
    "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    "<title>" .. escape(here.title) .. " · anim</title>",
    ('<link rel="stylesheet" href="%sstyle.css">'):format(root), "</head>", "<body>", '<div id="frame">',
    '<input type="checkbox" id="menu"><label for="menu">☰ anim: ' .. escape(here.title) .. "</label>",
    "<nav>", navigation(site, here, root, headings), "</nav>", "<main>", body,
    "<footer>" .. beside(all[at - 1], root, true) .. "<span>anim " .. escape(site.version) .. "</span>" ..
      beside(all[at + 1], root) .. "</footer>",
    "</main>", "</div>", "</body>", "</html>", "" }, "\n")
end

return page
