--- Page script: the state, the loop that plays it, links to a moment, and the contact sheet.
---
--- A link names a moment after "#": clip (name or number from 1), t (seconds), view (front, side, quarter, or yaw,pitch
--- in degrees), paused, speed, loop, names, trails, targets, follow, helpers (1 or 0), up (y or z), theme (light or
--- dark), span (from,to: the seconds in the window of a recording's time line).
--- "sheet=8" draws that many frames of the clip side by side instead, of every clip where clip is "*".
return [==[
const state = { index: -1, time: 0, way: 1, playing: true, speed: 1, loop: true, names: false, trails: false,
  follow: null, helpers: false, theme: null, view: "quarter", height: 0, centre: null, hovered: -1, flash: 0 };
/*targets*/state.targets = true;
const takeNow = () => model.takes[state.index] || null;
const isFollowing = () => state.follow === null ? !!takeNow() && travels(takeNow()) : state.follow;

const canvas = el("view");
const camera = newCamera();
const matrices = new Float64Array(jointCount * 12);
let items = [], timeline = null, isDirty = true, opened = 0, lastFrame = 0;

// ---- links ------------------------------------------------------------------

function readLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const flag = name => link.has(name) ? link.get(name) !== "0" : null;
  return {
    clips: link.getAll("clip"), time: +link.get("t") || 0, view: link.get("view"), paused: flag("paused"),
    speed: link.has("speed") ? +link.get("speed") : null, loop: flag("loop"), names: flag("names"),
    /*targets*/targets: flag("targets"),
    trails: flag("trails"), follow: flag("follow"), helpers: flag("helpers"), up: link.get("up"),
    theme: link.get("theme"), span: /^([\d.]+),([\d.]+)$/.exec(link.get("span") || ""),
    sheet: Math.max(0, Math.min(64, Math.floor(+link.get("sheet") || 0))),
  };
}

function indexOf(name) {
  const index = model.takes.findIndex(take => take.name === name);
  return index >= 0 ? index : /^\d+$/.test(name) && model.takes[name - 1] ? name - 1 : -1;
}

let written = "";
function writeLink() {
  const link = new URLSearchParams();
  if (takeNow()) link.set("clip", takeNow().name);
  link.set("t", +state.time.toFixed(3));
  if (state.view) link.set("view", state.view);
  else link.set("view", [camera.yaw, camera.pitch].map(x => Math.round(x * 180 / Math.PI)).join());
  for (const name of ["names", "trails", "helpers"]) if (state[name]) link.set(name, 1);
  /*targets*/if (!state.targets) link.set("targets", 0);
  if (state.follow !== null) link.set("follow", state.follow ? 1 : 0);
  if (upAxis !== model.up) link.set("up", upAxis);
  if (timeline && timeline.isZoomed()) link.set("span", timeline.window().map(t => +t.toFixed(3)).join());
  link.set("paused", 1);
  written = "#" + link.toString().replace("paused=1", "paused");
  try { history.replaceState(null, "", written); } catch (error) { written = ""; }
}

function applyLink() {
  const link = readLink();
  setUp(link.up === "y" || link.up === "z" ? link.up : model.up);
  if (link.theme === "dark" || link.theme === "light") state.theme = link.theme;
  applyTheme();
  for (const name of ["names", "trails", "helpers"]) if (link[name] !== null) state[name] = link[name];
  /*targets*/if (link.targets !== null) state.targets = link.targets;
  if (link.follow !== null) state.follow = link.follow;
  if (link.loop !== null) state.loop = link.loop;
  if (link.speed !== null && isFinite(link.speed)) state.speed = link.speed;
  state.playing = !link.paused;
  const found = link.clips.length ? indexOf(link.clips[0]) : 0;
  actions.select(found >= 0 ? found : 0);
  state.time = takeNow() ? Math.max(0, Math.min(takeNow().seconds, link.time)) : 0;
  setView(link.view || "quarter");
  if (timeline && link.span) timeline.show(+link.span[1], +link.span[2]);
  refreshControls();
  return link;
}

// ---- state --------------------------------------------------------------------

function applyTheme() {
  const wanted = state.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = wanted;
  readColours();
  if (timeline) timeline.restyle();
  isDirty = true;
}

function setUp(axis) {
  upAxis = axis;
  measureAll();
  showLegend();
}

function setView(name) {
  const angles = views[name], own = /^(-?[\d.]+),(-?[\d.]+)$/.exec(name || "");
  state.view = angles ? name : null;
  if (angles) turnTo(camera, angles[0] + facing(takeNow()), angles[1]);
  else if (own) turnTo(camera, own[1] * Math.PI / 180, Math.max(-89, Math.min(89, own[2])) * Math.PI / 180);
  refreshControls();
  isDirty = true;
}

function fit(closely) {
  camera.offset = [0, 0, 0];
  const found = fitTo(camera, takeNow(), isFollowing(), closely);
  state.height = found.height;
  state.centre = found.centre;
  isDirty = true;
}

// Where the camera looks: at the body, evened out over half a second, or at where it begins.
function aimAt(take, time, follow) {
  if (state.centre && !follow) return [state.centre[0], state.height, state.centre[2]];
  if (!follow) time = 0;
  let [x, z] = middleOf(take);
  const steps = follow && take && take.seconds > 0 ? [-.24, -.12, 0, .12, .24] : [0];
  for (const step of steps) {
    const at = jointAt(take, time + step, model.hips);
    x += at[0] / steps.length;
    z += at[2] / steps.length;
  }
  /*lines*/if (follow) return [x, state.height + smoothLevel(take, time), z];
  return [x, state.height, z];
}

function trailsAt(take, time) {
  if (!take) return [];
  const reach = Math.min(take.frames, 36);
  const first = Math.max(0, Math.min(take.frames - reach, Math.round(frameAt(take, time)) - Math.floor(reach / 2)));
  return model.feet.concat(model.hands).map(j => {
    const points = [];
    for (let f = first; f < first + reach; f++) points.push(jointAt(take, timeOf(take, f), j));
    return { points, colour: { L: colours.left, R: colours.right, C: colours.ink }[model.sides[j]] };
  });
}

const actions = {
  select(index) {
    if (!model.takes[index] || index === state.index) return;
    state.index = index;
    state.way = 1;
    state.time = state.speed < 0 ? takeNow().seconds : 0;
    if (!timeline) markSelected(items, index);
    fit();
    if (state.view) setView(state.view);
    refreshControls();
  },
  neighbour(by) {
    if (timeline) return seekHappening(by);
    const list = shown(items), at = list.indexOf(state.index);
    if (list.length) actions.select(at < 0 ? list[0] : list[Math.max(0, Math.min(list.length - 1, at + by))]);
  },
  play(on) {
    const take = takeNow();
    state.playing = on === undefined ? !state.playing : on;
    if (state.playing && take && !state.loop) {
      if (state.speed >= 0 && state.time >= take.seconds) state.time = 0;
      if (state.speed < 0 && state.time <= 0) state.time = take.seconds;
    }
    lastFrame = 0;
    if (!state.playing) writeLink();
    refreshControls();
  },
  seek(time) {
    state.time = time;
    if (timeline) timeline.keepInSight(time);
    state.playing = false;
    writeLink();
    refreshControls();
  },
  step(by) {
    const take = takeNow();
    if (!take || take.frames < 2) return;
    const frame = Math.round(frameAt(take, state.time)) + by;
    actions.seek(timeOf(take, (frame + take.frames) % take.frames));
  },
  redraw() { isDirty = true; },
  zoom(factor) { if (timeline) timeline.zoom(factor, state.time); },
  speed(value) { state.speed = value; refreshControls(); },
  faster(by) {
    const at = speeds.indexOf(state.speed);
    actions.speed(speeds[Math.max(0, Math.min(speeds.length - 1, (at < 0 ? speeds.indexOf(1) : at) + by))]);
  },
  reverse() { actions.speed(speeds.includes(-state.speed) ? -state.speed : state.speed < 0 ? 1 : -1); },
  toggle(name) {
    if (name === "theme") {
      state.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      applyTheme();
      drawMarks();
    } else if (name === "up") {
      setUp(upAxis === "z" ? "y" : "z");
      fit();
      if (state.view) setView(state.view);
    } else if (name === "follow") {
      state.follow = !isFollowing();
      fit();
    } else {
      state[name] = !state[name];
    }
    refreshControls();
  },
  view(name) { setView(name); fit(); },
  fit() { fit(true); },
  closePanel() { el("panel").classList.remove("open"); },
};

function drawMarks() {
  if (timeline) timeline.restyle();
  else drawTicks(takeNow());
}

// A recording's list: marks what happened last.
function markHappened() {
  const index = countUpTo(items, state.time + 1e-6, item => item.time) - 1;
  if (items.marked !== index) markSelected(items, index);
  items.marked = index;
}

function seekHappening(by) {
  const list = items.filter(item => !item.hidden);
  const next = by < 0 ? list.filter(item => item.time < state.time - 1e-6).pop() :
    list.find(item => item.time > state.time + (by ? 1e-6 : -1e-6));
  if (next) actions.seek(next.time);
}

function refreshControls() {
  const take = takeNow();
  press("play", state.playing);
  el("play").setAttribute("aria-label", state.playing ? "Pause" : "Play");
  for (const name of ["loop", "names", "trails", "helpers"]) press(name, state[name]);
  /*targets*/refreshTargets();
  press("follow", isFollowing());
  press("up", upAxis === "z");
  press("theme", document.documentElement.dataset.theme === "dark");
  if (![...el("speed").options].some(o => +o.value === state.speed))
    el("speed").append(new Option(state.speed + " ×", state.speed));
  el("speed").value = state.speed;
  for (const button of el("views").querySelectorAll("[data-view]"))
    button.setAttribute("aria-pressed", button.dataset.view === state.view);
  el("scrub").max = take ? Math.max(take.seconds, 1e-6) : 1;
  const rate = take && take.frames > 1 ? (take.frames - 1) / take.seconds : 0;
  el("title").textContent = take ? take.name : "At rest: no clips";
  const note = document.createElement("span");
  note.textContent = take ? "  " + describeTake(take) + (rate && rate < .9 * model.mostRate && !take.at ?
    " · shown at " + rate.toFixed(1) + " frames a second" : "") : "";
  el("title").append(note);
  drawMarks();
  isDirty = true;
}

// ---- time ---------------------------------------------------------------------

function flash(names) {
  el("flash").textContent = names.join(", ");
  state.flash = performance.now() + 450;
}

function flashBetween(take, a, b) {
  const low = Math.min(a, b), high = Math.max(a, b);
  const names = take.events.filter(e => e[0] > low && e[0] <= high).map(e => e[2]);
  if (names.length) flash(names.slice(0, 4));
}

function advance(dt) {
  const take = takeNow(), D = take ? take.seconds : 0;
  if (!take || D <= 0) return;
  const before = state.time;
  let t = before + dt * state.speed * state.way;
  if (!state.loop) {
    if (t <= 0 || t >= D) { state.playing = false; refreshControls(); }
    t = Math.max(0, Math.min(D, t));
  } else if (take.loop === "pingpong") {
    while (t < 0 || t > D) { t = t < 0 ? -t : 2 * D - t; state.way = -state.way; }
  } else {
    t = ((t % D) + D) % D;
  }
  const isWrapped = state.speed * state.way > 0 ? t < before : t > before;
  if (!isWrapped) flashBetween(take, before, t);
  else if (state.speed > 0) { flashBetween(take, before, D); flashBetween(take, -1, t); }
  state.time = t;
  if (timeline) timeline.keepInSight(t);
}

// ---- the picture ----------------------------------------------------------------

// Whether the canvas has another size than before.
function resize() {
  const ratio = Math.min(3, window.devicePixelRatio || 1), box = canvas.getBoundingClientRect();
  const width = Math.max(1, Math.round(box.width * ratio)), height = Math.max(1, Math.round(box.height * ratio));
  const isNew = width !== canvas.width || height !== canvas.height;
  if (isNew) { canvas.width = width; canvas.height = height; }
  camera.ratio = ratio;
  camera.width = Math.max(1, box.width);
  camera.height = Math.max(1, box.height);
  // Buttons above and the legend below stay free.
  camera.roomY = Math.max(.5, 1 - 110 / camera.height);
  camera.roomX = .9;
  camera.shift = 12 / camera.height;
  camera.aim();
  return isNew;
}

function drawNames(g) {
  const wanted = state.names ? allJoints.filter(j => isBody(j) || state.helpers || model.parents[j] < 0) : [];
  if (state.hovered >= 0 && !wanted.includes(state.hovered)) wanted.unshift(state.hovered);
  const taken = [];
  /*targets*/if (state.targets) taken.push(...labels);
  g.font = "11px system-ui, sans-serif";
  g.lineJoin = "round";
  for (const j of wanted) {
    const at = camera.project(positionOf(matrices, j), 0);
    if (!at) continue;
    g.fillStyle = j === state.hovered ? colours.accent : colours.ink;
    g.beginPath();
    g.arc(at.x, at.y, j === state.hovered ? 4.5 : 2.2, 0, 2 * Math.PI);
    g.fill();
    const box = { x: at.x + 6, y: at.y - 6, w: g.measureText(model.names[j]).width, h: 12 };
    if (j === state.hovered || taken.some(o => o.x < box.x + box.w && box.x < o.x + o.w && o.y < box.y + box.h &&
      box.y < o.y + o.h)) continue;
    taken.push(box);
    g.lineWidth = 3;
    g.strokeStyle = colours.halo;
    g.strokeText(model.names[j], box.x, at.y + 4);
    g.fillText(model.names[j], box.x, at.y + 4);
  }
}

function draw() {
  const take = takeNow(), g = canvas.getContext("2d");
  place(take, state.time, matrices);
  const centre = aimAt(take, state.time, isFollowing());
  camera.target = centre.map((x, i) => x + camera.offset[i]);
  camera.aim();
  g.setTransform(camera.ratio, 0, 0, camera.ratio, 0, 0);
  g.clearRect(0, 0, camera.width, camera.height);
  drawGround(g, camera, centre);
  /*lines*/drawScene(g, camera);
  drawFigure(g, camera, matrices,
    { ground, helpers: state.helpers, trails: state.trails ? trailsAt(take, state.time) : [] });
  /*targets*/if (state.targets) drawTargets(g, camera, matrices, take, state.time, state.names);
  drawNames(g);
  el("scrub").value = state.time;
  el("clock").replaceChildren(state.time.toFixed(2) + " / " + seconds(take ? take.seconds : 0));
  const frame = document.createElement("small");
  frame.textContent = take ? Math.round(frameAt(take, state.time)) + 1 + " / " + take.frames : "";
  el("clock").append(frame);
  if (!timeline) return;
  timeline.draw(state.time);
  markHappened();
}

// For tests and scripts: what is shown, as JSON in the element "status".
function report() {
  const take = takeNow(), spots = {}, places = {};
  const all = allJoints.filter(isBody).map(j => camera.project(positionOf(matrices, j), 0)).filter(p => p);
  for (const j of model.feet.concat(model.hands, model.head >= 0 ? [model.head] : [], [model.hips])) {
    const at = camera.project(positionOf(matrices, j), 0);
    spots[model.names[j]] = at ? [Math.round(at.x * 10) / 10, Math.round(at.y * 10) / 10] : null;
    places[model.names[j]] = positionOf(matrices, j).map(v => +v.toPrecision(6));
  }
  el("status").textContent = JSON.stringify({
    clip: take && take.name, time: +state.time.toFixed(4), up: upAxis, opened, width: camera.width,
    height: camera.height, ground: camera.project([camera.target[0], ground, camera.target[2]], 0),
    box: all.length ? [Math.min(...all.map(p => p.x)), Math.min(...all.map(p => p.y)), Math.max(...all.map(p => p.x)),
      Math.max(...all.map(p => p.y))].map(Math.round) : null,
    /*targets*/targets: reportTargets(camera, take, state.time),
    bones: bodyBones.length, joints: spots, places, timeline: timeline ? timeline.report() : undefined,
  });
}

let lastReport = -1e9;
function frame(now) {
  if (state.playing && lastFrame) advance(Math.min(.1, (now - lastFrame) / 1000));
  lastFrame = now;
  if (state.flash && now > state.flash) { state.flash = 0; el("flash").textContent = ""; }
  if ((state.playing || isDirty) && !el("app").hidden) {
    isDirty = false;
    draw();
    if (!state.playing || now - lastReport > 250) { lastReport = now; report(); }
  }
  requestAnimationFrame(frame);
}

// ---- hovering ---------------------------------------------------------------------

function jointNear(x, y) {
  let best = -1, far = 16;
  for (const j of allJoints) {
    if (!isBody(j) && !state.helpers && model.parents[j] >= 0) continue;
    const at = camera.project(positionOf(matrices, j), 0);
    const away = at ? Math.hypot(at.x - x, at.y - y) : 1e9;
    if (away < far) { best = j; far = away; }
  }
  return best;
}

function showTip(text, x, y) {
  const tip = el("tip");
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  tip.style.left = Math.max(4, Math.min(camera.width - tip.offsetWidth - 4, x + 12)) + "px";
  tip.style.top = Math.max(4, Math.min(camera.height - tip.offsetHeight - 4, y - 30)) + "px";
}

function hover(x, y) {
  const j = jointNear(x, y);
  if (j !== state.hovered) isDirty = true;
  state.hovered = j;
  /*targets*/if (j < 0 && tellTarget(x, y)) return;
  const at = j >= 0 ? positionOf(matrices, j).map(v => +v.toPrecision(3)).join("  ") : "";
  showTip(j >= 0 ? model.names[j] + "   " + at : "", x, y);
}

function listenToMarks() {
  const box = el("track"), tip = e => {
    const take = takeNow(), rect = box.getBoundingClientRect();
    const marks = take ? marksNear(take, e.clientX - rect.left, rect.width).slice(0, 4) : [];
    showTip(marks.map(describeMark).join(", "),
      e.clientX - canvas.getBoundingClientRect().left, camera.height);
  };
  box.addEventListener("pointermove", tip);
  box.addEventListener("pointerleave", () => showTip(""));
}

// ---- the contact sheet ---------------------------------------------------------------

function drawCell(g, cell, take, time, at, view) {
  cell.roomX = cell.roomY = .94;
  cell.shift = 0;
  const found = fitTo(cell, take, true);
  const angles = views[view] || views.quarter;
  const hips = jointAt(take, time, model.hips), middle = middleOf(take);
  cell.target = [hips[0] + middle[0], found.height, hips[2] + middle[1]];
  /*lines*/cell.target[1] += levelAt(take, time);
  turnTo(cell, angles[0] + facing(take), angles[1]);
  place(take, time, matrices);
  g.save();
  g.translate(at, 0);
  g.beginPath();
  g.rect(0, 0, cell.width, cell.height);
  g.clip();
  drawGround(g, cell, cell.target);
  /*lines*/drawScene(g, cell);
  drawFigure(g, cell, matrices, { ground, helpers: state.helpers });
  /*targets*/if (state.targets) drawTargets(g, cell, matrices, take, time, false);
  g.fillStyle = colours.dim;
  g.font = "11px system-ui, sans-serif";
  g.fillText(seconds(time), 6, 14);
  g.restore();
}

function drawSheet(link) {
  const wanted = link.clips.includes("*") ? model.takes : link.clips.map(name => model.takes[indexOf(name)]);
  const takes = wanted.filter(take => take), box = el("sheet");
  if (!takes.length && model.takes.length) takes.push(model.takes[0]);
  el("app").hidden = true;
  box.hidden = false;
  box.replaceChildren();
  const ratio = window.devicePixelRatio || 1, count = link.sheet;
  const width = (window.innerWidth - 24) / count, height = Math.min(width * 1.35, window.innerHeight);
  for (const take of takes) {
    const title = document.createElement("h2"), strip = document.createElement("canvas");
    title.textContent = take.name + " · " + describeTake(take);
    strip.width = width * count * ratio;
    strip.height = height * ratio;
    box.append(title, strip);
    const g = strip.getContext("2d"), cell = newCamera();
    g.scale(ratio, ratio);
    cell.width = width;
    cell.height = height;
    // A clip that repeats ends where it begins: its last frame is the first again.
    const span = take.seconds * (take.loop === true ? 1 - 1 / count : 1);
    for (let i = 0; i < count; i++)
      drawCell(g, cell, take, count > 1 ? span * i / (count - 1) : 0, i * width, link.view);
  }
  el("status").textContent = JSON.stringify({ sheet: count, clips: takes.map(take => take.name) });
}

// ---- begin -----------------------------------------------------------------------------

function fail(message) {
  el("fault").hidden = false;
  el("fault").textContent = "This page has failed: " + message;
  el("status").textContent = JSON.stringify({ fault: String(message) });
}
window.addEventListener("error", e => fail(e.message));

function showLegend() {
  const legend = el("legend");
  legend.textContent = "";
  const sides = [["L", "left", "left"], ["R", "right", "right"]].filter(([side]) => model.sides.includes(side));
  for (const [, name, colour] of sides) {
    const item = document.createElement("b"), dot = document.createElement("i");
    dot.style.background = "var(--" + colour + ")";
    item.append(dot, name);
    legend.append(item);
  }
  /*targets*/addToLegend(legend);
  legend.append("grid " + gridStep().text);
}

function show() {
  const link = applyLink();
  el("app").hidden = link.sheet > 0;
  el("sheet").hidden = link.sheet === 0;
  if (link.sheet) return drawSheet(link);
  if (timeline) timeline.resize();
  resize();
  fit();
  draw();
  opened = opened || Math.round(performance.now());
  report();
}

el("timeline").hidden = !model.recording;
el("track").hidden = !!model.recording;
if (model.recording) timeline = newTimeline(actions);
items = timeline ? buildHappenings(actions) : buildList(actions);
buildControls(actions);
/*targets*/buildTargets(actions);
listenToPointer(canvas, camera, {
  changed() { state.view = null; isDirty = true; refreshControls(); },
  hovered: hover, tapped: hover, fit: () => actions.fit(),
});
if (!timeline) listenToMarks();
show();
window.addEventListener("hashchange", () => { if (location.hash !== written) show(); });
new ResizeObserver(() => {
  if (timeline) timeline.resize();
  if (el("app").hidden || !resize()) return;
  fit();
  draw(); // at once: a canvas of a new size is empty
  drawMarks();
}).observe(canvas);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyTheme);
requestAnimationFrame(frame);
]==]
