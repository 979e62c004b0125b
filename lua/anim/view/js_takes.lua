--- Page script: the data read back (the formats are described in view/digits.lua and view/take.lua), and poses.
return [==[
const model = JSON.parse(document.getElementById("data").textContent);
const jointCount = model.names.length;
const isBody = j => model.bones[j] === "b";

// ---- numbers and blocks ----------------------------------------------------

const digitOf = new Int16Array(128);
for (let i = 0; i < model.digits.alphabet.length; i++) digitOf[model.digits.alphabet.charCodeAt(i)] = i;

function numberReader(text) {
  const base = model.digits.alphabet.length, [one, two, three] = model.digits.forms;
  let at = 0;
  const digit = () => digitOf[text.charCodeAt(at++)];
  function natural() {
    const first = digit();
    if (first < one) return first;
    let n = first - one;
    if (n < two) return one + n * base + digit();
    n -= two;
    let start = one + two * base, length = 2;
    if (n >= three) { start += three * base * base; n = 0; length = 5; }
    for (let i = 0; i < length; i++) n = n * base + digit();
    return start + n;
  }
  const next = () => {
    const n = natural();
    return n % 2 ? -(n + 1) / 2 : n / 2;
  };
  next.at = () => at;
  return next;
}

function readStream(next, frames) {
  const order = next();
  if (order === 0) return null;
  const values = new Int32Array(frames);
  let last = 0, step = 0;
  for (let f = 0; f < frames; f++) {
    step = next() + (order === 2 ? step : 0);
    last += step;
    values[f] = last;
  }
  return values;
}

// A channel is null at rest, else its first value and, for x, y and z, the differences from it or null.
function readChannel(next, kind, frames) {
  if (kind === 0) return null;
  const channel = { base: [next(), next(), next()], moves: [null, null, null] };
  if (kind === 2) channel.moves = [0, 1, 2].map(() => readStream(next, frames));
  return channel;
}

function readBlock(text, frames) {
  const next = numberReader(text), joints = [];
  for (let j = 0; j < jointCount; j++) {
    const kinds = next();
    joints.push({
      move: readChannel(next, kinds % 3, frames),
      turn: readChannel(next, Math.floor(kinds / 3) % 3, frames),
      scale: readChannel(next, Math.floor(kinds / 9), frames),
    });
  }
  return joints;
}

function blockOf(take, b) {
  take.read = take.read || [];
  if (!take.read[b]) {
    const frames = Math.min(model.blockFrames, take.frames - b * model.blockFrames);
    take.read[b] = readBlock(take.blocks[b], frames);
  }
  return take.read[b];
}

// ---- frames and times --------------------------------------------------------

// The frames of a recording have times of their own, rising; those of a clip lie evenly.
for (const take of model.takes) if (take.times)
  take.at = Float64Array.from(readStream(numberReader(take.times), take.frames) || new Int32Array(take.frames),
    n => n * take.timeUnit);

// How many of a rising list are at or before a value.
function countUpTo(list, value, pick) {
  let low = 0, high = list.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if ((pick ? pick(list[mid]) : list[mid]) <= value) low = mid + 1;
    else high = mid;
  }
  return low;
}

const within = (x, low, high) => Math.max(low, Math.min(high, x));

// The frame at a time, from 0, with the part of the way to the next.
function frameAt(take, time) {
  if (!take.at) return take.seconds > 0 ? within(time / take.seconds, 0, 1) * (take.frames - 1) : 0;
  const frame = Math.max(0, countUpTo(take.at, time) - 1);
  const span = frame + 1 < take.frames ? take.at[frame + 1] - take.at[frame] : 0;
  return frame + (span > 0 ? within((time - take.at[frame]) / span, 0, 1) : 0);
}

const timeOf = (take, frame) => take.at ? take.at[frame] :
  take.frames > 1 ? frame * take.seconds / (take.frames - 1) : 0;

// ---- poses: ten numbers a joint (translation, rotation, scale) ------------

const rest = Float64Array.from(model.rest);
const newPose = () => Float64Array.from(rest);

function unturn(x, y, z) {
  const square = Math.min(1, x * x + y * y + z * z), double = 2 * Math.sqrt(1 - square);
  return [x * double, y * double, z * double, 1 - 2 * square];
}

function multiply(a, b) {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]];
}

const moved = (channel, axis, f) => channel.moves[axis] ? channel.moves[axis][f] : 0;

function readVector(channel, f, unit, out, o) {
  for (let axis = 0; axis < 3; axis++) out[o + axis] = (channel.base[axis] + moved(channel, axis, f)) * unit;
}

function readTurn(channel, f, out, o) {
  const unit = model.units.turn, b = channel.base;
  const first = unturn(b[0] * unit, b[1] * unit, b[2] * unit);
  const delta = unturn(moved(channel, 0, f) * unit, moved(channel, 1, f) * unit, moved(channel, 2, f) * unit);
  const q = multiply(first, delta);
  for (let i = 0; i < 4; i++) out[o + i] = q[i];
}

function readJoint(take, frame, j, out) {
  const b = Math.floor(frame / model.blockFrames), f = frame - b * model.blockFrames, o = j * 10;
  const joint = blockOf(take, b)[j];
  if (joint.move) readVector(joint.move, f, model.units.move, out, o);
  if (joint.turn) readTurn(joint.turn, f, out, o + 3);
  if (joint.scale) readVector(joint.scale, f, model.units.scale, out, o + 7);
}

// a becomes the mix of joint j of a and b.
function mixJoint(a, b, u, j) {
  const o = j * 10;
  for (const i of [0, 1, 2, 7, 8, 9]) a[o + i] += u * (b[o + i] - a[o + i]);
  let dot = 0, length = 0;
  for (let i = 3; i < 7; i++) dot += a[o + i] * b[o + i];
  for (let i = 3; i < 7; i++) {
    a[o + i] += u * ((dot < 0 ? -b[o + i] : b[o + i]) - a[o + i]);
    length += a[o + i] * a[o + i];
  }
  for (let i = 3; i < 7; i++) a[o + i] /= Math.sqrt(length) || 1;
}

const second = newPose();

// Local transforms of some joints (in order, parents first) at a time.
function samplePose(take, time, joints, out) {
  const at = frameAt(take, time);
  const frame = Math.floor(at), after = Math.min(frame + 1, take.frames - 1);
  for (const j of joints) {
    for (let i = j * 10; i < j * 10 + 10; i++) out[i] = second[i] = rest[i];
    readJoint(take, frame, j, out);
    if (at > frame) {
      readJoint(take, after, j, second);
      mixJoint(out, second, at - frame, j);
    }
  }
}

// ---- model space: three rows of four a joint, turned so that y is up -------

const axes = { y: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0], z: [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0] };
let upAxis = model.up;

// A vector of the file as the picture has it.
const upright = v => upAxis === "z" ? [v[0], v[2], -v[1]] : [v[0], v[1], v[2]];

function placeJoint(pose, matrices, j) {
  const p = model.parents[j], o = j * 10, m = j * 12;
  const [x, y, z, w] = [pose[o + 3], pose[o + 4], pose[o + 5], pose[o + 6]];
  const local = [
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w),
    2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
    2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)];
  const parent = p < 0 ? axes[upAxis] : matrices, k = p < 0 ? 0 : p * 12;
  for (let row = 0; row < 3; row++) {
    const a = parent[k + row * 4], b = parent[k + row * 4 + 1], c = parent[k + row * 4 + 2];
    for (let col = 0; col < 3; col++)
      matrices[m + row * 4 + col] = (a * local[col] + b * local[3 + col] + c * local[6 + col]) * pose[o + 7 + col];
    matrices[m + row * 4 + 3] = a * pose[o] + b * pose[o + 1] + c * pose[o + 2] + parent[k + row * 4 + 3];
  }
}

const allJoints = Array.from({ length: jointCount }, (_, j) => j);
const scratch = newPose();

// All joints of a take (null: at rest) in model space.
function place(take, time, matrices) {
  if (take) samplePose(take, time, allJoints, scratch);
  else scratch.set(rest);
  for (const j of allJoints) placeJoint(scratch, matrices, j);
}

const positionOf = (matrices, j) => [matrices[j * 12 + 3], matrices[j * 12 + 7], matrices[j * 12 + 11]];

const chains = allJoints.map(j => {
  const chain = [];
  for (let at = j; at >= 0; at = model.parents[at]) chain.unshift(at);
  return chain;
});
const path = new Float64Array(jointCount * 12);

// The position of one joint at a time.
function jointAt(take, time, j) {
  if (take) samplePose(take, time, chains[j], scratch);
  else scratch.set(rest);
  for (const at of chains[j]) placeJoint(scratch, path, at);
  return positionOf(path, j);
}

]==]
