-- The drawings in docs/pictures (*.svg), computed by the library: lua tools/diagrams.lua [DIRECTORY]
-- They follow the reader's light or dark theme. tools/pictures.sh makes them together with the photographs.
local anim = require("anim")

local out = arg and arg[1] or "docs/pictures"
local model = dofile("examples/hero.lua").build()

local style = [[
text { font: 13px system-ui, sans-serif; fill: #22262b; } .small { font-size: 11px; fill: #626a73; }
.mono { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 11.5px; }
.bone { stroke: #3b4754; stroke-width: 5; } .far { stroke: #9aa6b2; } .thin { stroke-width: 1.2; fill: none; }
.line { stroke: #9aa6b2; stroke-width: 1.3; fill: none; } .box { fill: #f4f5f4; stroke: #9aa6b2; stroke-width: 1.3; }
.hot { stroke: #d2621d; } .hotfill { fill: #d2621d; } .cool { stroke: #0b61a4; } .coolfill { fill: #0b61a4; }
.curve { fill: none; stroke-width: 2.2; } .dot { fill: #3b4754; } .arrow { fill: #626a73; }
path, line, polyline { stroke-linecap: round; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) {
  text { fill: #dcdfe3; } .small { fill: #98a1ab; } .bone { stroke: #c3ccd6; } .far { stroke: #66717d; }
  .line { stroke: #66717d; } .box { fill: #1f242a; stroke: #66717d; } .dot { fill: #c3ccd6; } .arrow { fill: #98a1ab; }
  .hot { stroke: #f08a4b; } .hotfill { fill: #f08a4b; } .cool { stroke: #74b6f2; } .coolfill { fill: #74b6f2; }
}]]

local parts

local function draw(...) parts[#parts + 1] = (...):format(select(2, ...)) end

local function text(x, y, words, class, anchor)
  draw('<text x="%.1f" y="%.1f" class="%s" text-anchor="%s">%s</text>', x, y, class or "", anchor or "middle",
    (words:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;")))
end

local function line(x1, y1, x2, y2, class)
  draw('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="%s"/>', x1, y1, x2, y2, class)
end

local function dot(x, y, r, class) draw('<circle cx="%.1f" cy="%.1f" r="%.1f" class="%s"/>', x, y, r, class) end

local function arrow(x1, y1, x2, y2, class)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  dx, dy = dx / length, dy / length
  line(x1, y1, x2 - dx * 7, y2 - dy * 7, class or "line")
  draw('<path d="M%.1f %.1f L%.1f %.1f L%.1f %.1f Z" class="arrow"/>', x2, y2, x2 - dx * 9 - dy * 4,
    y2 - dy * 9 + dx * 4, x2 - dx * 9 + dy * 4, y2 - dy * 9 - dx * 4)
end

local function box(x, y, width, height, title, below)
  draw('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="7" class="box"/>', x, y, width, height)
  text(x + width / 2, y + height / 2 + (below and -3 or 4.5), title)
  if below then text(x + width / 2, y + height / 2 + 13, below, "small") end
end

local function picture(name, width, height, title, make)
  parts = { ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">'):format(
    width, height, width, height), "<title>" .. title .. "</title>", "<style>" .. style .. "</style>" }
  make()
  parts[#parts + 1] = "</svg>\n"
  local file = assert(io.open(out .. "/" .. name .. ".svg", "wb"))
  assert(file:write(table.concat(parts, "\n")))
  assert(file:close())
  print(out .. "/" .. name .. ".svg")
end

-- Figures ---------------------------------------------------------------------------------------------

local limbs = {
  { "hips", "spine", "chest", "upper_chest", "neck", "head" },
  { "upper_chest", "shoulder.R", "upper_arm.R", "lower_arm.R", "hand.R", "middle.01.R" },
  { "upper_chest", "shoulder.L", "upper_arm.L", "lower_arm.L", "hand.L", "middle.01.L" },
  { "hips", "upper_leg.R", "lower_leg.R", "foot.R", "toe.R" },
  { "hips", "upper_leg.L", "lower_leg.L", "foot.L", "toe.L" },
}

-- A pose at x, standing on y, seen from `angle` (0: from ahead, 90: from its left); `color(joint)` gives classes.
local function figure(pose, x, y, size, angle, color)
  local c, s = math.cos(math.rad(angle)), math.sin(math.rad(angle))
  local function at(joint)
    local px, py, pz = pose:getPosition(joint)
    return x + (px * c - pz * s) * size, y - py * size
  end
  for _, limb in ipairs(limbs) do
    for i = 2, #limb do
      local x1, y1 = at(limb[i - 1])
      local x2, y2 = at(limb[i])
      line(x1, y1, x2, y2, "bone " .. (color and color(limb[i]) or (limb[i]:match("R$") and "far" or "")))
    end
  end
  local hx, hy = at("head")
  local nx, ny = at("neck")
  local dx, dy = hx - nx, hy - ny
  local length = math.max(math.sqrt(dx * dx + dy * dy), 1e-6)
  hx, hy = hx + dx / length * .1 * size, hy + dy / length * .1 * size
  draw('<circle cx="%.1f" cy="%.1f" r="%.1f" class="bone thin %s" style="stroke-width:4"/>', hx, hy, .1 * size,
    color and color("head") or "")
  return at
end

local function sampled(name, time)
  local pose = anim.newPose(model.skeleton)
  model.clips[name]:sample(time, pose)
  return pose
end

-- The pictures ----------------------------------------------------------------------------------------

picture("skeleton", 640, 330, "A skeleton: joints with names, each in the space of its parent", function()
  local pose = sampled("idle", 0)
  local at = figure(pose, 190, 300, 160, 25)
  for _, name in ipairs({ "head", "hand.L", "lower_leg.L", "hips", "toe.L", "upper_arm.L" }) do
    local x, y = at(name)
    dot(x, y, 4.5, "hotfill")
    line(x + 7, y, 318, y, "line thin")
    text(324, y + 4, name, "mono", "start")
  end
  local x, y = at("root")
  arrow(x, y, x, y - 60, "cool")
  text(x - 8, y - 50, "y", "small", "end")
  arrow(x, y, x + 55 * math.cos(math.rad(25)), y, "cool")
  text(x + 54, y + 15, "x: to its left", "small")
  arrow(x, y, x - 55 * math.sin(math.rad(25)) - 20, y + 10, "cool")
  text(x - 50, y + 24, "z: ahead", "small")
  local rows = { "hips", "  spine", "    chest", "      upper_chest", "        neck", "          head",
    "        shoulder.L", "          upper_arm.L  …", "  upper_leg.L", "    lower_leg.L", "      foot.L  …" }
  for i, row in ipairs(rows) do
    local indent = #row:match("^ *")
    text(440 + indent * 7, 60 + i * 20, row:gsub("^ *", ""), "mono", "start")
  end
  text(440, 52, "parents first", "small", "start")
end)

picture("clip", 760, 330, "A clip: keys over time, sampled at nine moments, with its events and markers", function()
  local clip = model.clips.walk
  local left, width = 60, 640
  for i = 0, 8 do
    local t = clip:getDuration() * i / 8
    figure(sampled("walk", t), left + width * i / 8, 190, 96, 90)
  end
  line(left, 206, left + width, 206, "line")
  for i = 0, 4 do
    local x = left + width * i / 4
    line(x, 202, x, 210, "line")
    text(x, 224, ("%.2f s"):format(clip:getDuration() * i / 4), "small")
  end
  for _, event in ipairs(clip:getEvents()) do
    local x = left + width * event.time / clip:getDuration()
    draw('<path d="M%.1f 236 l5 9 h-10 Z" class="hotfill"/>', x)
    text(x + 9, 246, event.name, "mono", "start")
  end
  for _, marker in ipairs(clip:getMarkers()) do
    local x = left + width * marker.time / clip:getDuration()
    dot(x, 262, 4, "coolfill")
    text(x + 9, 266, "marker " .. marker.name, "mono", "start")
  end
  text(left + width * .64, 306, "curve foot_lock.L: 1 while the left foot stands", "small", "start")
  local points = {}
  for i = 0, 160 do
    local t = clip:getDuration() * i / 160
    points[#points + 1] = ("%.1f,%.1f"):format(left + width * i / 160, 320 - 34 * clip:getCurve("foot_lock.L", t))
  end
  draw('<polyline points="%s" class="curve cool" style="stroke-width:1.5"/>', table.concat(points, " "))
end)

picture("blend", 760, 330, "A blend of idle, walk and run by speed, at five speeds", function()
  local graph = anim.newGraph(model, { params = { speed = 0 },
    root = { type = "blend1D", param = "speed", { 0, "idle" }, { 1.4, "walk" }, { 3.6, "run" } } })
  local left, width, top = 70, 620, 210
  local function xOf(speed) return left + width * speed / 3.6 end
  for _, speed in ipairs({ 0, .7, 1.4, 2.5, 3.6 }) do
    local copy = graph:clone()
    copy:set("speed", speed)
    copy:update(0)
    copy:getRoot():setPhase(.36)
    copy:update(0)
    figure(copy:getPose(), xOf(speed), 175, 94, 90)
    text(xOf(speed), 197, ("%.1f m/s"):format(speed), "small")
  end
  local names, classes = { "idle", "walk", "run" }, { "far", "cool", "hot" }
  local lines = { {}, {}, {} }
  for i = 0, 72 do
    local speed = 3.6 * i / 72
    graph:set("speed", speed)
    graph:update(0)
    for k = 1, 3 do
      lines[k][i + 1] = ("%.1f,%.1f"):format(xOf(speed), top + 90 - 75 * graph:getRoot():getInputWeight(k))
    end
  end
  line(left, top + 90, left + width, top + 90, "line")
  for k = 1, 3 do draw('<polyline points="%s" class="curve %s"/>', table.concat(lines[k], " "), classes[k]) end
  text(xOf(0) - 8, top + 20, names[1], "mono", "end")
  text(xOf(1.4), top + 8, names[2], "mono")
  text(xOf(3.6) + 8, top + 20, names[3], "mono", "start")
  text(left + width / 2, top + 110, "weights over the parameter speed", "small")
end)

picture("layers", 760, 250, "Layers: walk below, aim above it through a mask", function()
  local upper = anim.newMask(model.skeleton, { spine = .5, upper_chest = 1 })
  local graph = anim.newGraph(model, { root = { type = "layers", base = "walk", { "aim", mask = upper } } })
  graph:getRoot():getInput(0):setPhase(.2)
  graph:update(0)
  local phase = graph:getRoot():getInput(0):getTime()
  local function masked(joint)
    local weight = upper:getWeight(joint)
    return weight == 1 and "hot" or weight > 0 and "cool" or "far"
  end
  local rest = sampled("idle", 0)
  figure(sampled("walk", phase), 100, 205, 108, 60)
  figure(sampled("aim", 0), 270, 205, 108, 60)
  figure(rest, 450, 205, 108, 0, masked)
  figure(graph:getPose(), 650, 205, 108, 60, function(joint) return masked(joint) == "far" and "" or masked(joint) end)
  for i, sign in ipairs({ "+", "×", "=" }) do text(({ 185, 355, 548 })[i], 115, sign, "", "middle") end
  text(100, 232, "base: walk")
  text(270, 232, "layer: aim")
  text(450, 232, "mask: 0, ½ and 1")
  text(650, 232, "what is seen")
end)

picture("fade", 760, 250, "A crossfade: weights and the height of a hand", function()
  local graph = anim.newGraph(model)
  graph:play("idle")
  graph:update(0)
  local left, width, seconds, start, fade = 70, 620, 2, .5, .6
  local series = { idle = {}, wave = {}, hand = {} }
  local fading = false
  for i = 0, 120 do
    local t = seconds * i / 120
    if t >= start and not fading then
      graph:play("wave", fade)
      fading = true
    end
    local weights = { idle = 0, wave = 0 }
    for clip, _, weight in graph:active() do weights[clip:getName()] = weight end
    local x = left + width * t / seconds
    for name, weight in pairs(weights) do
      table.insert(series[name], ("%.1f,%.1f"):format(x, 110 - 80 * weight))
    end
    table.insert(series.hand, ("%.1f,%.1f"):format(x, 230 - 85 * (select(2, graph:getPosition("hand.R")) - .7)))
    graph:update(seconds / 120)
  end
  for _, at in ipairs({ start, start + fade }) do
    line(left + width * at / seconds, 20, left + width * at / seconds, 235, "line thin")
  end
  line(left, 110, left + width, 110, "line")
  draw('<polyline points="%s" class="curve cool"/>', table.concat(series.idle, " "))
  draw('<polyline points="%s" class="curve hot"/>', table.concat(series.wave, " "))
  draw('<polyline points="%s" class="curve line" style="stroke-width:2.2"/>', table.concat(series.hand, " "))
  text(left - 10, 34, "idle", "mono", "end")
  text(left + width + 8, 34, "wave", "mono", "start")
  text(left - 10, 222, "hand", "mono", "end")
  text(left + width * (start + fade / 2) / seconds, 16, "fade: 0.6 s", "small")
end)

picture("graph", 760, 300, "A graph of nodes: clips at the leaves, one pose at the root", function()
  local function link(x1, y1, x2, y2) arrow(x1, y1, x2, y2) end
  local clips = { "idle", "walk", "run", "aim" }
  for i, name in ipairs(clips) do box(24, 16 + (i - 1) * 62, 96, 40, name, "clip") end
  box(190, 62, 132, 56, "blend1D", "param: speed")
  box(392, 118, 132, 56, "layers", "mask: upper body")
  box(24, 254, 96, 36, "jump", "clip")
  box(592, 160, 144, 66, "machine", "move, jump")
  link(120, 36, 188, 76)
  link(120, 98, 188, 90)
  link(120, 160, 188, 104)
  link(322, 92, 390, 138)
  link(120, 222, 390, 158)
  link(524, 148, 590, 182)
  link(120, 272, 590, 208)
  text(664, 250, "the root: its pose", "small")
  text(664, 265, "is the character's", "small")
end)

picture("machine", 760, 250, "A state machine: states, and transitions with conditions", function()
  box(60, 90, 120, 54, "idle", "state")
  box(320, 90, 120, 54, "move", "state")
  box(580, 90, 120, 54, "jump", "state")
  arrow(180, 105, 318, 105)
  text(249, 97, "speed > 0.1", "mono")
  arrow(320, 130, 182, 130)
  text(249, 147, "speed <= 0.1", "mono")
  arrow(440, 105, 578, 105)
  text(509, 97, "jump and grounded", "mono")
  draw('<path d="M640 144 C640 225 380 225 380 153" class="line"/>')
  arrow(380, 158, 380, 146)
  text(510, 222, "done", "mono")
  draw('<path d="M120 90 C120 20 640 20 640 82" class="line"/>')
  arrow(640, 78, 640, 88)
  text(380, 30, "jump and grounded, fade = 0.1", "mono")
  arrow(20, 117, 58, 117)
  text(34, 108, "initial", "small")
end)

picture("update", 760, 150, "What one update does", function()
  local steps = { { "parameters", "set, smoothed" }, { "advance", "weights, time, events" },
    { "deliver", "callbacks" }, { "evaluate", "sample, mix, layer, IK" }, { "outputs", "matrices, palettes" } }
  for i, step in ipairs(steps) do
    local x = 14 + (i - 1) * 150
    box(x, 40, 132, 54, step[1], step[2])
    if i < #steps then arrow(x + 132, 67, x + 149, 67) end
  end
  draw('<path d="M164 106 v10 h432 v-10" class="line"/>')
  text(380, 136, "graph:update(dt)", "mono")
end)
