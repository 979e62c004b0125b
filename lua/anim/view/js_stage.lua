--- Page script: the camera, the ground, and what the pointer does with them.
return [==[
// ---- camera ---------------------------------------------------------------

const viewAngle = 26 * Math.PI / 180;

function newCamera() {
  const camera = { yaw: .6, pitch: .18, distance: 4 * size, target: [0, 0, 0], offset: [0, 0, 0],
    width: 1, height: 1, roomX: 1, roomY: 1, shift: 0 };
  // Computes what project() uses; call it after any change.
  camera.aim = () => {
    const { yaw, pitch } = camera, cp = Math.cos(pitch), sp = Math.sin(pitch), cy = Math.cos(yaw), sy = Math.sin(yaw);
    camera.back = [sy * cp, sp, cy * cp];
    camera.right = [cy, 0, -sy];
    camera.over = [-sy * sp, cp, -cy * sp];
    camera.focal = camera.height / 2 / Math.tan(viewAngle / 2);
  };
  // Place on the canvas, depth, and radius there; null behind the eye.
  camera.project = (p, radius) => {
    const x = p[0] - camera.target[0], y = p[1] - camera.target[1], z = p[2] - camera.target[2];
    const dot = axis => x * axis[0] + y * axis[1] + z * axis[2];
    const depth = camera.distance - dot(camera.back), scale = camera.focal / depth;
    if (!(depth > camera.distance * .02)) return null;
    return { x: camera.width / 2 + dot(camera.right) * scale, y: camera.height / 2 - dot(camera.over) * scale,
      z: depth, r: radius * scale };
  };
  return camera;
}

const turnTo = (camera, yaw, pitch) => { camera.yaw = yaw; camera.pitch = pitch; camera.aim(); };
const views = { front: [0, .06], side: [-Math.PI / 2, .06], quarter: [.65, .2] };

// ---- what is in the picture -----------------------------------------------

const spread = (takes, pick, share) => {
  const values = takes.map(pick).sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(share * values.length))];
};

// A box of the file, turned upright: least and most of x, y, z.
function uprightBox(box) {
  const a = upright(box.slice(0, 3)), b = upright(box.slice(3));
  return [0, 1, 2].map(i => Math.min(a[i], b[i])).concat([0, 1, 2].map(i => Math.max(a[i], b[i])));
}

const boxed = takes => takes.map(take => ({ box: uprightBox(take.box), near: uprightBox(take.near),
  path: uprightBox(take.path || take.box) }));

// Height range and half width of figures that stay in their place. With many takes, odd ones count little.
function frameOf(takes, share) {
  const boxes = boxed(takes);
  const wide = ({ near }) => Math.hypot(near[3] - near[0], near[5] - near[2]) * .45;
  const crown = headShape ? .11 * size : .02 * size; // the head reaches above its joint
  return { low: spread(boxes, b => b.box[1], 1 - share), high: spread(boxes, b => b.box[4], share) + crown,
    wide: spread(boxes, wide, share) };
}

// From the hips to the middle of the body, on the ground: the head of a dog is far ahead.
function middleOf(take) {
  const near = uprightBox((take || model).near);
  return [(near[0] + near[3]) / 2, (near[2] + near[5]) / 2];
}

let usualFrame, ground;
function measureAll() {
  const takes = model.takes.length ? model.takes : [model];
  usualFrame = frameOf(takes, .6);
  ground = spread(boxed(takes), b => b.box[1], .3);
  if (Math.abs(ground) < .04 * size) ground = 0;
}

const travels = take => {
  const path = uprightBox(take.path);
  return Math.hypot(path[3] - path[0], path[5] - path[2]) > .6 * size;
};

// Where the body faces at the start, as a yaw.
function facing(take) {
  const across = upright((take || model).across);
  return Math.hypot(across[0], across[2]) > .2 * length(across) ? Math.atan2(-across[2], across[0]) : 0;
}

// The camera's distance and target for a take, the figure in the middle or (follow false) all of its path. Takes look
// equally large, unless one is far from usual or `closely` asks for its own size.
function fitTo(camera, take, follow, closely) {
  /*lines*/if (follow && take) return fitLevel(camera, take);
  const own = frameOf([take || model], 1);
  const isOdd = own.high - own.low > 1.2 * (usualFrame.high - usualFrame.low) || own.wide > 1.25 * usualFrame.wide ||
    own.low > usualFrame.high || own.high < usualFrame.low;
  const { low, high, wide } = closely || isOdd ? own : usualFrame;
  let half = [wide, (high - Math.min(low, ground) + .08 * size) / 2], centre = null;
  if (take && !follow && travels(take)) {
    const path = uprightBox(take.path);
    half = [wide + Math.hypot(path[3] - path[0], path[5] - path[2]) / 2, half[1]];
    centre = [(path[0] + path[3]) / 2, 0, (path[2] + path[5]) / 2];
  }
  const room = Math.max(half[1] / Math.tan(viewAngle / 2) / camera.roomY,
    half[0] / Math.tan(viewAngle / 2) * camera.height / camera.width / camera.roomX);
  camera.distance = Math.max(room + half[0], .5 * size);
  const rise = camera.shift * 2 * camera.distance * Math.tan(viewAngle / 2);
  return { height: (high + Math.min(low, ground)) / 2 - rise, centre };
}

// ---- ground -----------------------------------------------------------------

// The file does not say its unit: people are guessed from their height.
function guessUnit() {
  const tall = usualFrame.high - usualFrame.low;
  if (tall >= .1 && tall <= 6) return { name: "m", per: 1 };
  if (tall >= 40 && tall <= 450) return { name: "m", per: 100 };
  if (tall >= 700 && tall <= 4000) return { name: "m", per: 1000 };
  return { name: "units", per: 1 };
}

function gridStep() {
  const unit = guessUnit(), wanted = size / unit.per / 5, ten = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].map(x => x * ten).find(x => x >= wanted) || ten;
  const guess = { 1: "", 100: " (if the file is in cm)", 1000: " (if the file is in mm)" }[unit.per];
  return { step: step * unit.per, text: +step.toPrecision(2) + " " + unit.name + guess };
}

function drawGround(g, camera, centre) {
  const { step } = gridStep(), reach = 12;
  const cx = Math.round(centre[0] / step), cz = Math.round(centre[2] / step);
  const line = (x0, z0, x1, z1, alpha, width) => {
    const a = camera.project([x0 * step, ground, z0 * step], 0), b = camera.project([x1 * step, ground, z1 * step], 0);
    if (!a || !b) return;
    g.globalAlpha = alpha;
    g.lineWidth = width;
    g.beginPath();
    g.moveTo(a.x, a.y);
    g.lineTo(b.x, b.y);
    g.stroke();
  };
  g.strokeStyle = colours.ground;
  const fade = (u, v) => Math.max(0, 1 - Math.hypot(u, v) / (reach + .5)) ** 1.2 * .7;
  for (let u = -reach; u <= reach; u++)
    for (let v = -reach; v < reach; v++) {
      const alpha = fade(u, v + .5);
      if (alpha < .02) continue;
      line(cx + u, cz + v, cx + u, cz + v + 1, alpha, cx + u === 0 ? 1.7 : 1);
      line(cx + v, cz + u, cx + v + 1, cz + u, alpha, cz + u === 0 ? 1.7 : 1);
    }
  g.globalAlpha = 1;
}

// ---- pointer ----------------------------------------------------------------

// Turns, moves and zooms `camera`; `changed(moved)` after each, `hovered(x, y)` where nothing is pressed, `tapped`.
function listenToPointer(canvas, camera, on) {
  const touches = new Map();
  let start = null;
  const span = () => {
    const [a, b] = [...touches.values()];
    return { d: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };
  const pan = (dx, dy) => {
    const scale = camera.distance / camera.focal;
    for (let i = 0; i < 3; i++) camera.offset[i] += (-dx * camera.right[i] + dy * camera.over[i]) * scale;
  };
  const zoom = factor => { camera.distance = Math.max(.05 * size, Math.min(60 * size, camera.distance * factor)); };
  const turn = (dx, dy) => turnTo(camera, camera.yaw - dx * .008,
    Math.max(-1.5, Math.min(1.55, camera.pitch + dy * .008)));

  canvas.addEventListener("pointerdown", e => {
    canvas.setPointerCapture(e.pointerId);
    touches.set(e.pointerId, { x: e.clientX, y: e.clientY });
    start = touches.size === 1 ? { x: e.clientX, y: e.clientY, pan: e.shiftKey || e.button !== 0 } : null;
  });
  canvas.addEventListener("pointermove", e => {
    const touch = touches.get(e.pointerId);
    if (!touch) return on.hovered(e.offsetX, e.offsetY);
    const before = touches.size === 2 ? span() : null, dx = e.clientX - touch.x, dy = e.clientY - touch.y;
    touch.x = e.clientX;
    touch.y = e.clientY;
    if (before) {
      const now = span();
      zoom(before.d / Math.max(1, now.d));
      pan(now.x - before.x, now.y - before.y);
    } else if (touches.size === 1) {
      if (start && start.pan) pan(dx, dy);
      else turn(dx, dy);
    }
    on.changed();
  });
  const end = e => {
    if (!touches.delete(e.pointerId)) return;
    if (start && Math.hypot(e.clientX - start.x, e.clientY - start.y) < 5) on.tapped(e.offsetX, e.offsetY);
    start = null;
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => on.hovered(-1e4, -1e4));
  canvas.addEventListener("contextmenu", e => e.preventDefault());
  canvas.addEventListener("dblclick", () => on.fit());
  canvas.addEventListener("wheel", e => {
    e.preventDefault();
    zoom(Math.exp(Math.max(-200, Math.min(200, e.deltaY * (e.deltaMode ? 30 : 1))) * .0015));
    on.changed();
  }, { passive: false });
}

]==]
