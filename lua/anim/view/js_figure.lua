--- Page script: the figure. Bones are round cones, thick where much hangs on them, drawn from far to near.
return [==[
const size = model.size;

// ---- shape, from the first pose ------------------------------------------

const firstPose = new Float64Array(jointCount * 12);
const length = v => Math.hypot(v[0], v[1], v[2]);
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const along = (a, b, u) => [a[0] + u * (b[0] - a[0]), a[1] + u * (b[1] - a[1]), a[2] + u * (b[2] - a[2])];

const children = allJoints.map(() => []);
for (const j of allJoints) if (model.parents[j] >= 0) children[model.parents[j]].push(j);

// What hangs on a joint: the lengths of the bones below it, in full along the longest branch, each further branch half
// as much as the one before.
function measureLoad() {
  place(model.takes[0] || null, 0, firstPose);
  const bone = allJoints.map(j => model.parents[j] < 0 ? 0 :
    length(minus(positionOf(firstPose, j), positionOf(firstPose, model.parents[j]))) / size);
  const load = new Float64Array(jointCount);
  for (let j = jointCount - 1; j >= 0; j--) {
    const branches = children[j].filter(isBody).map(c => bone[c] + load[c]).sort((a, b) => b - a);
    branches.forEach((branch, i) => { load[j] += branch / 2 ** i; });
  }
  return { bone, load };
}

const shape = measureLoad();
const thickness = load => size * Math.min(.07, .006 + .05 * Math.pow(load, .7));

function findHead() {
  const head = model.head;
  if (head < 0) return null;
  const at = positionOf(firstPose, head);
  const end = children[head].find(c => /end|top|tip|nub/i.test(model.names[c]) && shape.bone[c] > .04);
  const neck = model.parents[head];
  const from = end !== undefined ? [at, positionOf(firstPose, end)] : neck >= 0 ? [positionOf(firstPose, neck), at] :
    [[0, 0, 0], [0, 1, 0]];
  // Necks say nothing of the head's size, and ends may stop short of the crown.
  const long = end !== undefined ? Math.max(.12 * size, shape.bone[end] * size) : .14 * size;
  const way = minus(from[1], from[0]).map(x => x * long / (length(minus(from[1], from[0])) || 1));
  // The same in the head's own axes, without its scale.
  const m = firstPose, o = head * 12;
  const own = [0, 1, 2].map(c => {
    const axis = [m[o + c], m[o + 4 + c], m[o + 8 + c]];
    return (axis[0] * way[0] + axis[1] * way[1] + axis[2] * way[2]) / (length(axis) ** 2 || 1);
  });
  return { joint: head, own, radius: length(way), end };
}
const headShape = findHead();

// They lie in the head.
const faceNames = /eye|brow|jaw|tongue|teeth|cheek/i;

function boneShapes() {
  const bones = [];
  for (const j of allJoints) {
    if (!isBody(j) || (headShape && j === headShape.end) || faceNames.test(model.names[j])) continue;
    const load = shape.load[j], top = thickness(load + shape.bone[j]);
    const bottom = Math.max(thickness(load), j === model.head ? .2 * headShape.radius : .55 * top);
    const inHead = headShape && model.parents[j] === headShape.joint;
    bones.push({ joint: j, parent: model.parents[j], r0: inHead ? bottom : Math.max(top, bottom), r1: bottom,
      side: model.sides[j],
      pieces: Math.max(1, Math.min(4, Math.round(shape.bone[j] / .08))) });
  }
  return bones;
}
const bodyBones = boneShapes();
const helperBones = allJoints.filter(j => model.bones[j] === "h");
// Joints that stand alone are drawn as three axes.
const loneJoints = allJoints.filter(j =>
  model.parents[j] < 0 && children[j].length === 0);

// ---- colours ----------------------------------------------------------------

let colours = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["back", "ink", "dim", "line", "ground", "shadow", "left", "right", "middle", "helper", "event",
    "marker", "halo", "accent", "front"]) colours[name] = style.getPropertyValue("--" + name).trim();
  /*lines*/colours.scene = style.getPropertyValue("--scene").trim();
  /*targets*/for (const name of ["target", "pole"]) colours[name] = style.getPropertyValue("--" + name).trim();
  colours.shades = {};
  colours.isDark = document.documentElement.dataset.theme === "dark";
}

const channels = hex => [1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16));
const mixed = (a, b, u) => "rgb(" + channels(a).map((x, i) => Math.round(x + u * (channels(b)[i] - x))).join() + ")";

// Light, middle and dark of a side, further away nearer to the background; in steps, to make few of them.
function shadesOf(side, haze) {
  const step = Math.round(haze * 12), key = side + step;
  if (!colours.shades[key]) {
    const base = { L: colours.left, R: colours.right, C: colours.middle }[side];
    const far = mixed(base, colours.back, step / 30);
    const hex = "#" + far.match(/\d+/g).map(x => (+x).toString(16).padStart(2, "0")).join("");
    colours.shades[key] = [mixed(hex, "#ffffff", .32), hex, mixed(hex, "#10131a", .45), mixed(hex, "#10131a", .6)];
  }
  return colours.shades[key];
}

// ---- drawing ------------------------------------------------------------------

// The outline of two circles and what lies between them. False where one holds the other.
function hullPath(g, a, b) {
  const dx = b.x - a.x, dy = b.y - a.y, d = Math.hypot(dx, dy);
  if (d <= Math.abs(a.r - b.r) + 1e-6) {
    const most = a.r > b.r ? a : b;
    g.moveTo(most.x + most.r, most.y);
    g.arc(most.x, most.y, most.r, 0, 2 * Math.PI);
    return false;
  }
  const angle = Math.atan2(dy, dx), open = Math.acos((a.r - b.r) / d);
  g.moveTo(a.x + a.r * Math.cos(angle + open), a.y + a.r * Math.sin(angle + open));
  g.arc(a.x, a.y, a.r, angle + open, angle - open + 2 * Math.PI);
  g.arc(b.x, b.y, b.r, angle - open, angle + open);
  g.closePath();
  return true;
}

// Light comes from the upper left: across the cone from its light to its dark side.
function acrossShade(g, a, b, shades) {
  let nx = -(b.y - a.y), ny = b.x - a.x;
  const d = Math.hypot(nx, ny) || 1, r = Math.max(a.r, b.r);
  if (nx * -.6 + ny * -.8 < 0) { nx = -nx; ny = -ny; }
  const cx = (a.x + b.x) / 2, cy = (a.y + b.y) / 2;
  const fill = g.createLinearGradient(cx + nx / d * r, cy + ny / d * r, cx - nx / d * r, cy - ny / d * r);
  fill.addColorStop(0, shades[1]);
  fill.addColorStop(.28, shades[0]);
  fill.addColorStop(.62, shades[1]);
  fill.addColorStop(1, shades[2]);
  return fill;
}

function sideLines(g, a, b) {
  const dx = b.x - a.x, dy = b.y - a.y, d = Math.hypot(dx, dy);
  if (d <= Math.abs(a.r - b.r) + 1e-6) return;
  const angle = Math.atan2(dy, dx), open = Math.acos((a.r - b.r) / d);
  for (const way of [open, -open]) {
    g.moveTo(a.x + a.r * Math.cos(angle + way), a.y + a.r * Math.sin(angle + way));
    g.lineTo(b.x + b.r * Math.cos(angle + way), b.y + b.r * Math.sin(angle + way));
  }
}

// Thin on small bones, which would be all outline else.
const outline = (a, b) => Math.max(.3, Math.min(2.2, Math.max(a.r, b.r) * .3));

function drawCone(g, item) {
  const { a, b, shades } = item;
  g.beginPath();
  sideLines(g, a, b);
  g.strokeStyle = shades[3];
  g.lineWidth = outline(a, b);
  g.stroke();
  g.beginPath();
  hullPath(g, a, b);
  g.fillStyle = Math.max(a.r, b.r) < 1.2 ? shades[1] : item.fill || acrossShade(g, a, b, shades);
  g.fill();
}

function drawBall(g, item) {
  const { a, b, shades } = item, r = Math.max(a.r, b.r);
  const cx = (a.x + b.x) / 2, cy = (a.y + b.y) / 2;
  g.beginPath();
  hullPath(g, a, b);
  g.strokeStyle = shades[3];
  g.lineWidth = outline(a, b);
  g.stroke();
  const fill = g.createRadialGradient(cx - .35 * r, cy - .45 * r, r * .1, cx, cy, r * 1.5);
  fill.addColorStop(0, shades[0]);
  fill.addColorStop(.5, shades[1]);
  fill.addColorStop(1, shades[2]);
  g.fillStyle = fill;
  g.fill();
}

function drawLine(g, item) {
  g.beginPath();
  g.moveTo(item.a.x, item.a.y);
  g.lineTo(item.b.x, item.b.y);
  g.strokeStyle = item.colour;
  g.globalAlpha = item.alpha;
  g.lineWidth = item.width;
  g.stroke();
  g.globalAlpha = 1;
}

function drawDot(g, item) {
  g.beginPath();
  g.arc(item.a.x, item.a.y, item.r, 0, 2 * Math.PI);
  g.fillStyle = item.colour;
  g.fill();
}

const hazeOf = (camera, z) => Math.max(0, Math.min(1, (z - camera.distance) / (2.5 * size) + .25));

function addCone(items, camera, p, q, r0, r1, side, pieces) {
  const a = camera.project(p, r0), b = camera.project(q, r1);
  if (!a || !b) return;
  const shades = shadesOf(side, hazeOf(camera, (a.z + b.z) / 2));
  // One gradient for all pieces: no seams between them.
  const fill = Math.max(a.r, b.r) < 1.2 ? null : acrossShade(camera.g, a, b, shades);
  let last = a;
  for (let i = 1; i <= pieces; i++) {
    const u = i / pieces, at = i === pieces ? b : camera.project(along(p, q, u), r0 + u * (r1 - r0));
    if (!at) return;
    items.push({ z: (last.z + at.z) / 2, draw: drawCone, a: last, b: at, shades, fill });
    last = at;
  }
}

function addHead(items, camera, matrices) {
  const h = headShape, o = h.joint * 12, at = positionOf(matrices, h.joint);
  const way = [0, 4, 8].map(row => matrices[o + row] * h.own[0] + matrices[o + row + 1] * h.own[1] +
    matrices[o + row + 2] * h.own[2]);
  const radius = .44 * length(way);
  const a = camera.project(along(at, at.map((x, i) => x + way[i]), .42), radius * .86);
  const b = camera.project(along(at, at.map((x, i) => x + way[i]), .66), radius);
  if (a && b) items.push({ z: (a.z + b.z) / 2 - radius * .5, draw: drawBall, a, b,
    shades: shadesOf("C", hazeOf(camera, a.z)) });
}

function addLine(items, camera, p, q, colour, alpha, width) {
  const a = camera.project(p, 0), b = camera.project(q, 0);
  if (a && b) items.push({ z: (a.z + b.z) / 2, draw: drawLine, a, b, colour, alpha, width });
}

function addLoneJoint(items, camera, matrices, j) {
  const at = positionOf(matrices, j), o = j * 12;
  [colours.right, colours.marker, colours.left].forEach((colour, c) => {
    const tip = [0, 4, 8].map((row, i) => at[i] + .25 * size * matrices[o + row + c]);
    addLine(items, camera, at, tip, colour, 1, 4);
  });
}

function drawShadow(g, camera, matrices, ground) {
  /*lines*/ground += levelOf(positionOf(matrices, base));
  g.beginPath();
  for (const bone of bodyBones) {
    const ends = [[bone.parent, bone.r0], [bone.joint, bone.r1]].map(([j, r]) => {
      const p = positionOf(matrices, j), high = Math.max(0, p[1] - ground);
      return camera.project([p[0] + .16 * high, ground, p[2] - .1 * high], r);
    });
    if (ends[0] && ends[1]) {
      // Seen from low down a round shadow is flat.
      const flat = Math.max(.12, Math.abs(Math.sin(camera.pitch)));
      hullPath(g, { ...ends[0], r: ends[0].r * flat }, { ...ends[1], r: ends[1].r * flat });
    }
  }
  g.fillStyle = colours.shadow;
  g.globalAlpha = .16;
  g.fill();
  g.globalAlpha = 1;
}

// All of the figure. `options`: helpers, trails (lists of points), ground.
function drawFigure(g, camera, matrices, options) {
  const items = [];
  camera.g = g;
  g.lineCap = "round";
  if (camera.pitch > 0) drawShadow(g, camera, matrices, options.ground);
  for (const bone of bodyBones)
    addCone(items, camera, positionOf(matrices, bone.parent), positionOf(matrices, bone.joint), bone.r0, bone.r1,
      bone.side, bone.pieces);
  if (headShape) addHead(items, camera, matrices);
  for (const j of helperBones) {
    const p = positionOf(matrices, model.parents[j]), q = positionOf(matrices, j);
    if (options.helpers || length(minus(p, q)) < size)
      addLine(items, camera, p, q, colours.helper, options.helpers ? .9 : .28, options.helpers ? 1.6 : 1);
  }
  for (const j of loneJoints) addLoneJoint(items, camera, matrices, j);
  for (const trail of options.trails || [])
    for (let i = 1; i < trail.points.length; i++)
      addLine(items, camera, trail.points[i - 1], trail.points[i], trail.colour,
        .15 + .85 * (1 - Math.abs(2 * i / trail.points.length - 1)), 2.2);
  items.sort((a, b) => b.z - a.z);
  for (const item of items) item.draw(g, item);
}

]==]
