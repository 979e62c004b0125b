--- Page script, for recordings only: the tracks read back (their format is described in view/recording.lua), as rows of
--- the time line, and what they say of a moment.
return [==[
const recording = model.recording;
const recorded = model.takes[0] || null;
const frameTime = f => recorded ? recorded.at[f] : 0;

// What graphs tell of themselves, whatever the clips.
const isOwn = name => /^(loop|done|enter|exit)$/.test(name);
if (recorded) recorded.events = recording.events.filter(e => !isOwn(e[1]) && e[6] !== "end")
  .map(e => [e[0], -1, e[1], e[2]]);

// ---- tracks -------------------------------------------------------------------

// The times at which a value changes, and what to.
function readTrack(track) {
  const next = numberReader(track.text), times = [], values = [];
  let frame = 0, level = 0;
  while (next.at() < track.text.length) {
    frame += next();
    level += next();
    times.push(frame === 0 ? 0 : frameTime(frame));
    values.push(level * track.unit);
  }
  return { times, values };
}

const epsilon = 1e-6; // times are rounded
function valueAt(track, time) {
  const n = countUpTo(track.times, time + epsilon);
  return n > 0 ? track.values[n - 1] : 0;
}

// ---- rows -----------------------------------------------------------------------

// Colours far from each other, by the order in which names come up.
const hues = new Map();
function hueOf(name) {
  if (!hues.has(name)) hues.set(name, (205 + hues.size * 137.508) % 360);
  return hues.get(name);
}
const round = v => v.toFixed(Math.abs(v) >= 100 ? 0 : Math.abs(v) >= 10 ? 1 : 2).replace(/^-(?=[0.]*$)/, "");

function machineRow(machine) {
  const spans = machine.spans.map(([frame, state, source], i) => ({
    start: frame === 0 ? 0 : frameTime(frame), state, source,
    end: machine.spans[i + 1] ? frameTime(machine.spans[i + 1][0]) : recorded.seconds }));
  return { kind: "machine", label: machine.label, height: 28, spans, progress: readTrack(machine.progress),
    transitions: machine.transitions };
}

// Where the ranges of a row end, by the event that begins them.
function findEnds(row) {
  const open = new Map();
  for (const event of row.events) {
    const of = event[3] + " " + event[4];
    if (event[6] === "begin") open.set(of, event);
    if (event[6] === "end" && open.has(of)) row.ends.set(open.get(of), event[0]);
  }
}

// One row for each name: of the clips' events, or of the graph's own.
function eventRows(own) {
  const rows = new Map();
  for (const event of recording.events) {
    const name = event[1];
    if (isOwn(name) !== own) continue;
    if (!rows.has(name))
      rows.set(name, { kind: "event", label: name, height: 20, events: [], hue: hueOf(name), ends: new Map() });
    rows.get(name).events.push(event);
  }
  for (const row of rows.values()) findEnds(row);
  return [...rows.values()];
}

// What sounds, and of what holds it that which has a name and does not always count alike.
function weightRows() {
  const rows = recording.nodes.map(node => ({ kind: "weight", label: node.label, name: node.label, type: node.type,
    leaf: node.leaf, within: node.within,
    height: 23, track: readTrack(node), low: 0, high: 1 }));
  const shownRows = rows.filter(row => row.leaf || (row.name !== row.type && row.track.values.length > 1));
  shownRows.forEach((row, i) => {
    row.hue = (205 + i * 137.508) % 360;
    const isOther = other => other !== row && other.name === row.name;
    if (row.within && shownRows.some(isOther)) row.label += " · " + row.within;
  });
  return shownRows;
}

function paramRows() {
  return recording.params.map(param => {
    const isNumber = param.kind === "number";
    return { kind: "param", label: param.label, type: param.kind, height: isNumber ? 23 : 18, track: readTrack(param),
      low: isNumber ? Math.min(0, param.low) : 0, high: isNumber ? Math.max(param.high, param.low + 1e-9, 0) : 1 };
  });
}

function buildRows() {
  const rows = [];
  let top = 0;
  const add = (title, list) => {
    if (!list.length) return;
    for (const row of [{ kind: "title", label: title, height: 18 }, ...list]) {
      row.top = top;
      top += row.height;
      rows.push(row);
    }
  };
  add("States", recorded ? recording.machines.map(machineRow) : []);
  add("Events", eventRows(false));
  add("Weights", weightRows());
  add("Parameters", paramRows());
  add("Passes", eventRows(true));
  rows.height = top + 4;
  return rows;
}

// ---- words ----------------------------------------------------------------------

const describeEvent = ([time, name, data, clip, node, weight, edge]) => name + (data ? " " + data : "") +
  (edge ? " (" + edge + ")" : "") + " · " + seconds(time) + (clip ? " · of " + clip : node ? " · of " + node : "") +
  " · weight " + round(weight);

const describeTransition = ([time, from, to, why]) => from + " → " + to + " · " + seconds(time) + " · " + why;

function describeSpan(row, span) {
  const cause = row.transitions.filter(t => t[2] === span.state && t[0] <= span.end).pop();
  const fade = span.source ? " (fading from " + span.source + ")" : "";
  return (span.state || "not heard") + fade + " · " + seconds(span.start) + " to " + seconds(span.end) +
    (cause && span.state ? " · because " + cause[3] : "");
}

// What a row says of a time; `reach` is how far from a mark one may point.
function describeRow(row, time, reach) {
  const near = (list, most) => list.filter(item => Math.abs(item[0] - time) < reach).slice(0, most);
  if (row.kind === "event") return near(row.events, 3).map(describeEvent).join("\n");
  if (row.kind === "machine") {
    const marks = near(row.transitions, 3).map(describeTransition);
    const span = row.spans.find(s => s.start <= time + epsilon && time < s.end);
    return marks.length ? marks.join("\n") : span ? describeSpan(row, span) : "";
  }
  if (row.kind === "title") return "";
  const value = valueAt(row.track, time), isFlag = row.type === "boolean" || row.type === "trigger";
  return row.label + (row.kind === "weight" && row.name !== row.type ? " (" + row.type + ")" : "") + " = " +
    (isFlag ? (value ? "true" : "false") : round(value)) + " · " + seconds(time);
}

]==]
