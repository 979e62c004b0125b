-- Pages in a headless browser, for specs.
local assert = require("luassert") -- busted hands it to specs only
local busted = require("busted")
local data = require("spec.support.data")
local scratch = require("spec.support.scratch")

local browser = {}

-- A browser is slow to start: not where every other thing is slow too, nor under a preloaded sanitizer, and under one
-- Lua only, as the pages are the same.
local function findBrowser()
  if _VERSION ~= "Lua 5.4" then return nil, "Lua 5.4 runs it" end
  if not data.slow then return nil, "ANIM_SLOW=0" end
  if os.getenv("LD_PRELOAD") then return nil, "LD_PRELOAD" end
  local pipe = io.popen("command -v chromium || command -v chromium-browser || command -v google-chrome")
  local path = pipe:read("*l")
  pipe:close()
  return path, "no chromium"
end
local found, whyNot = findBrowser()

function browser.quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- Runs tools/screenshot.sh: whether its console stayed silent, its document, what it said.
function browser.browse(path, link, width, height, clock)
  local said = scratch.path(".txt")
  local command = ("tools/screenshot.sh %s - %d %d %s 2>%s; echo \"outcome $?\""):format(
    browser.quoted(path .. (link or "")), width or 1280, height or 800, clock or "", browser.quoted(said))
  local pipe = io.popen(command)
  local document = pipe:read("*a")
  pipe:close()
  assert.are.equal("0", document:match("outcome (%d+)"), scratch.read(said))
  local status = document:match('<pre id="result"[^>]*>(.-)</pre>') or
    document:match('<pre id="status"[^>]*>(.-)</pre>')
  local text = status:gsub("&lt;", "<"):gsub("&gt;", ">"):gsub("&amp;", "&")
  return data.decode(text), document
end

-- A copy of a page with a script that runs after its own and gives result(object); frames come by the timer, as no
-- picture is drawn.
function browser.withScript(path, script)
  local text = scratch.read(path)
  local timer = "<script>window.requestAnimationFrame = f => setTimeout(() => f(performance.now()), 16);" ..
    "const result = object => { const pre = document.createElement('pre'); pre.id = 'result'; " ..
    "pre.textContent = JSON.stringify(object); document.body.append(pre); }</script>"
  text = text:gsub("<title>", function() return timer .. "<title>" end, 1)
  text = text:gsub("</body>", function() return "<script>" .. script .. "</script></body>" end, 1)
  return scratch.write(scratch.path(".html"), text)
end

-- `it` where there is a browser, else a pending test that says why not.
function browser.it(title, test)
  if found then return busted.it(title, test) end
  return busted.pending(title .. " (skipped: " .. whyNot .. ")", test)
end

return browser
