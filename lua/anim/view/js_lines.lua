--- Page script, for pages with lines of a scene (stairs, walls) only: they are drawn below the figure, and the camera
--- and the shadow go up and down with it. Lines that call it begin with /*lines*/ in the other scripts.
return [==[
const sceneLines = [];
for (let i = 0; i < model.lines.length; i += 6)
  sceneLines.push([model.lines.slice(i, i + 3), model.lines.slice(i + 3, i + 6)]);

// The part of a line that is well before the eye, on the canvas; null: none of it is.
function projectLine(camera, a, b) {
  const depthOf = p => camera.distance - minus(p, camera.target).reduce((sum, x, i) => sum + x * camera.back[i], 0);
  const near = .05 * camera.distance, da = depthOf(a), db = depthOf(b);
  if (da < near && db < near) return null;
  const cut = (p, q, dp, dq) => dp < near ? along(p, q, (near - dp) / (dq - dp)) : p;
  const from = camera.project(cut(a, b, da, db), 0), to = camera.project(cut(b, a, db, da), 0);
  return from && to ? [from, to] : null;
}

// Fainter the further away.
function drawScene(g, camera) {
  g.lineCap = "round";
  for (const ends of sceneLines) {
    const line = projectLine(camera, upright(ends[0]), upright(ends[1]));
    if (!line) continue;
    const haze = hazeOf(camera, (line[0].z + line[1].z) / 2);
    drawLine(g, { a: line[0], b: line[1], colour: colours.scene, alpha: 1 - .75 * haze, width: 1.6 });
  }
}

// ---- the level that the figure stands on --------------------------------------------

// What the rig stands on the ground with: the joint above all others, else the hips.
const base = chains[model.hips][0];

// How much higher than at rest.
const levelOf = at => at[1] - jointAt(null, 0, base)[1];
const levelAt = (take, time) => levelOf(jointAt(take, time, base));

// Evened out over half a second.
function smoothLevel(take, time) {
  const steps = take && take.seconds > 0 ? [-.24, -.12, 0, .12, .24] : [0];
  return steps.reduce((sum, step) => sum + levelAt(take, time + step) / steps.length, 0);
}

// fitTo for a figure in the middle of the picture, above its level.
function fitLevel(camera, take) {
  const near = uprightBox(take.near), hips = jointAt(null, 0, model.hips)[1], low = uprightBox(model.box)[1];
  const high = hips + near[4] + (headShape ? .11 : .02) * size;
  const wide = Math.hypot(near[3] - near[0], near[5] - near[2]) * .45;
  const half = [wide, (high - low + .08 * size) / 2], open = Math.tan(viewAngle / 2);
  const room = Math.max(half[1] / camera.roomY, half[0] * camera.height / camera.width / camera.roomX) / open;
  camera.distance = Math.max(room + wide, .5 * size);
  return { height: (high + low) / 2 - camera.shift * 2 * camera.distance * open, centre: null };
}

]==]
