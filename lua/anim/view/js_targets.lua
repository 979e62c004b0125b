--- Page script, for recordings with solvers only: where hands and feet should be (targets) and where knees and elbows
--- should point (poles). Lines that call it begin with /*targets*/ in the other scripts.
return [==[
// ---- points ---------------------------------------------------------------------

// What a point is called: its node, and the joint where that does not say it.
function nameOf(node, point) {
  const isOne = node.named && (point.pole || node.points.every(p => p.pole || p.joint === point.joint));
  return node.label + (isOne || point.joint < 0 ? "" : " · " + model.names[point.joint]);
}

// Those of all nodes in one list.
const targetPoints = recording.targets.flatMap(node => node.points.map(point => ({ ...point,
  shown: readTrack(point.shown), read: [], label: nameOf(node, point) })));

// Where a point was in a frame, as written.
function pointOf(point, frame) {
  const b = Math.floor(frame / model.blockFrames), f = frame - b * model.blockFrames, out = [0, 0, 0];
  if (!point.read[b]) {
    const next = numberReader(point.blocks[b]);
    point.read[b] = readChannel(next, next(), Math.min(model.blockFrames, recorded.frames - b * model.blockFrames));
  }
  readVector(point.read[b], f, model.units.move, out, 0);
  return out;
}

// The points there are at a time, between two frames on the way from one to the other like the pose.
function pointsAt(take, time) {
  if (!take) return [];
  const at = frameAt(take, time), frame = Math.floor(at), after = Math.min(frame + 1, take.frames - 1);
  const isThere = (point, f) => valueAt(point.shown, frameTime(f)) > 0;
  return targetPoints.filter(point => isThere(point, frame)).map(point => {
    const first = pointOf(point, frame);
    const place = at > frame && isThere(point, after) ? along(first, pointOf(point, after), at - frame) : first;
    return { point, place: upright(place) };
  });
}

// ---- drawing ----------------------------------------------------------------------

// Over a wider stroke in the background's colour, to stand out from the figure.
function strokeTwice(g, path, width, colour) {
  g.beginPath();
  path();
  g.strokeStyle = colours.halo;
  g.lineWidth = width + 2.5;
  g.stroke();
  g.strokeStyle = colour;
  g.lineWidth = width;
  g.stroke();
}

// From a point to the joint that it is for.
function drawReach(g, from, to, colour) {
  if (Math.hypot(from.x - to.x, from.y - to.y) < 4) return;
  const line = { a: from, b: to };
  drawLine(g, { ...line, colour: colours.halo, alpha: .6, width: 3.4 });
  g.lineCap = "butt";
  g.setLineDash([4, 3]);
  drawLine(g, { ...line, colour, alpha: 1, width: 1.4 });
  g.setLineDash([]);
  g.lineCap = "round";
  drawDot(g, { a: to, r: 2.4, colour });
}

// Three crossed lines along the axes, and a ring.
function drawCross(g, camera, place, at) {
  const r = Math.max(5, Math.min(14, at.r)), reach = 1.7 * r * at.z / camera.focal;
  strokeTwice(g, () => {
    for (let axis = 0; axis < 3; axis++) {
      const [a, b] = [-reach, reach].map(step => camera.project(place.map((x, i) => i === axis ? x + step : x), 0));
      if (!a || !b) continue;
      g.moveTo(a.x, a.y);
      g.lineTo(b.x, b.y);
    }
    g.moveTo(at.x + r, at.y);
    g.arc(at.x, at.y, r, 0, 2 * Math.PI);
  }, 1.8, colours.target);
}

function drawDiamond(g, at) {
  const r = Math.max(4, Math.min(9, .7 * at.r));
  g.beginPath();
  for (const [x, y] of [[0, -r], [r, 0], [0, r], [-r, 0]]) g.lineTo(at.x + x, at.y + y);
  g.closePath();
  g.strokeStyle = colours.halo;
  g.lineWidth = 2;
  g.stroke();
  g.fillStyle = colours.pole;
  g.fill();
}

// Where names are, which those of joints leave free.
let labels = [];

function drawLabel(g, { point, at }) {
  const text = point.pole ? "pole" : point.label;
  g.font = "600 11px system-ui, sans-serif";
  const box = { x: at.x + 14, y: at.y - 18, w: g.measureText(text).width, h: 12 };
  if (point.pole && labels.some(o => o.x < box.x + box.w && box.x < o.x + o.w && Math.abs(o.y - box.y) < 12)) return;
  labels.push(box);
  g.lineJoin = "round";
  g.lineWidth = 3;
  g.strokeStyle = colours.halo;
  g.fillStyle = point.pole ? colours.pole : colours.target;
  g.strokeText(text, box.x, at.y - 8);
  g.fillText(text, box.x, at.y - 8);
}

// On top of the figure: what is reached lies in it. `names`: with names.
function drawTargets(g, camera, matrices, take, time, names) {
  const spots = pointsAt(take, time).map(spot => ({ ...spot, at: camera.project(spot.place, .02 * size) }))
    .filter(spot => spot.at);
  for (const { point, at } of spots) {
    const joint = point.joint >= 0 && camera.project(positionOf(matrices, point.joint), 0);
    if (joint) drawReach(g, at, joint, point.pole ? colours.pole : colours.target);
  }
  for (const { point, place, at } of spots) {
    if (point.pole) drawDiamond(g, at);
    else drawCross(g, camera, place, at);
  }
  labels = [];
  if (!names) return;
  for (const spot of spots.filter(s => !s.point.pole)) drawLabel(g, spot);
  for (const spot of spots.filter(s => s.point.pole)) drawLabel(g, spot);
}

// ---- controls ---------------------------------------------------------------------

function buildTargets(actions) {
  const button = document.createElement("button"), keys = document.createElement("dt"),
    what = document.createElement("dd");
  button.id = "targets";
  button.className = "toggle";
  button.title = "Targets and poles of IK (I)";
  button.textContent = "Targets";
  button.addEventListener("click", () => actions.toggle("targets"));
  el("trails").after(button);
  keys.textContent = "I";
  what.textContent = "targets and poles of IK";
  el("help").querySelector("dl").append(keys, what);
}

function addToLegend(legend) {
  for (const kind of ["target", "pole"]) {
    if (!targetPoints.some(point => point.pole === (kind === "pole"))) continue;
    const item = document.createElement("b"), mark = document.createElement("i");
    mark.className = kind;
    item.append(mark, kind);
    legend.append(item);
  }
}

function refreshTargets() {
  press("targets", state.targets);
  for (const mark of el("legend").querySelectorAll(".target, .pole")) mark.parentNode.hidden = !state.targets;
}

// Says what is under the pointer; false: nothing.
function tellTarget(x, y) {
  if (!state.targets) return false;
  const near = ({ place }) => {
    const at = camera.project(place, 0);
    return at ? Math.hypot(at.x - x, at.y - y) : 1e9;
  };
  const spot = pointsAt(takeNow(), state.time).filter(s => near(s) < 14).sort((a, b) => near(a) - near(b))[0];
  if (!spot) return false;
  showTip((spot.point.pole ? "pole of " : "target of ") + spot.point.label + "   " +
    spot.place.map(v => +v.toPrecision(3)).join("  "), x, y);
  return true;
}

const reportTargets = (camera, take, time) => state.targets ? pointsAt(take, time).map(({ point, place }) => {
  const at = camera.project(place, 0);
  return { label: point.label, pole: point.pole, place: place.map(v => +v.toPrecision(6)),
    spot: at ? [Math.round(at.x * 10) / 10, Math.round(at.y * 10) / 10] : null };
}) : [];

]==]
