--- Page script, for recordings only: the tracks read back (their format is described in view/recording.lua), as rows of
--- the time line, and what they say of a moment.
return [==[
const recording = model.recording;
const recorded = model.takes[0] || null;
if (recorded) recorded.loud = recording.events.filter(e => !/^(loop|done|enter|exit)$/.test(e[1]) && e[6] !== "end");
if (recorded) recorded.events = recorded.loud.map(e => [e[0], -1, e[1], e[2]]);
const frameTime = f => recorded ? recorded.at[f] : 0;

// ---- tracks -------------------------------------------------------------------

// The times at which a value changes, and what to.
function readTrack(track) {
  const next = numberReader(track.text), times = [], values = [];
  let frame = 0, level = 0;
  while (next.at() < track.text.length) {
    frame += next();
    level += next();
    times.push(frame === 0 ? 0 : frameTime(frame));
    values.push(track.base + level * track.unit);
  }
  return { times, values, first: track.base };
}

const epsilon = 1e-6; // times are rounded
function valueAt(track, time) {
  const n = countUpTo(track.times, time + epsilon);
  return n > 0 ? track.values[n - 1] : track.first;
}

// ---- rows -----------------------------------------------------------------------

const hueOf = text => {
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) % 9973;
  return hash * 137.508 % 360;
};
const round = v => Math.abs(v) >= 100 ? v.toFixed(0) : Math.abs(v) >= 10 ? v.toFixed(1) : v.toFixed(2);

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

// One row for each name, those that are not of the graph itself first.
function eventRows() {
  const rows = new Map();
  for (const event of recording.events) {
    const name = event[1];
    if (!rows.has(name))
      rows.set(name, { kind: "event", label: name, height: 20, events: [], hue: hueOf(name), ends: new Map() });
    rows.get(name).events.push(event);
  }
  for (const row of rows.values()) findEnds(row);
  const own = row => /^(loop|done|enter|exit)$/.test(row.label);
  const list = [...rows.values()];
  return list.filter(row => !own(row)).concat(list.filter(own));
}

// What sounds, and of what holds it that which has a name and does not always count alike.
function weightRows() {
  const rows = recording.nodes.map(node => ({ kind: "weight", label: node.label, type: node.type, leaf: node.leaf,
    height: 26, track: readTrack(node), low: 0, high: 1 }));
  const shownRows = rows.filter(row => row.leaf || (row.label !== row.type && row.track.values.length > 1));
  shownRows.forEach((row, i) => { row.hue = (205 + i * 137.508) % 360; });
  return shownRows;
}

function paramRows() {
  return recording.params.map(param => {
    const isNumber = param.kind === "number";
    return { kind: "param", label: param.label, type: param.kind, height: isNumber ? 26 : 20, track: readTrack(param),
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
  add("Events", eventRows());
  add("Weights", weightRows());
  add("Parameters", paramRows());
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
  return row.label + (row.kind === "weight" && row.label !== row.type ? " (" + row.type + ")" : "") + " = " +
    (isFlag ? (value ? "true" : "false") : round(value)) + " · " + seconds(time);
}

]==]
