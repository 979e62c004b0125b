--- Page script, for recordings only: the time line under the figure. Lanes are drawn when the window over the time
--- changes; what moves with the time lies on a second canvas above them.
return [==[
const rulerHeight = 32;

function newTimeline(actions) {
  const rows = buildRows(), total = recorded ? Math.max(recorded.seconds, 1e-6) : 1;
  const span = { from: 0, to: total }; // what is in the window
  const box = el("timeline"), scroller = el("rows");
  let width = 1, gutter = 90, isStale = true;
  const toX = time => gutter + (time - span.from) / (span.to - span.from) * (width - gutter - 10);
  const toTime = x => span.from + (x - gutter) / (width - gutter - 10) * (span.to - span.from);
  const clampTime = time => Math.max(0, Math.min(total, time));
  const rowAt = y => rows.find(row => y >= row.top && y < row.top + row.height);

  function canvasOf(id, height) {
    const canvas = el(id), most = 12e6; // phones refuse larger ones
    const ratio = Math.min(3, window.devicePixelRatio || 1, Math.sqrt(most / (width * height)));
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.height = height + "px";
    }
    const g = canvas.getContext("2d");
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, width, height);
    g.font = "11px system-ui, sans-serif";
    g.textBaseline = "middle";
    return g;
  }

  // ---- lanes ----

  const paint = (hue, alpha) => "hsl(" + hue + " 62% " + (colours.isDark ? 62 : 44) + "% / " + alpha + ")";

  // Calls line(x, y) along a track; of the changes within a pixel, the first, least, most and last.
  function trace(row, line) {
    const { times, values } = row.track, bottom = row.top + row.height - 2, tall = row.height - 7;
    const toY = v => bottom - (v - row.low) / (row.high - row.low) * tall;
    let i = countUpTo(times, span.from), value = i > 0 ? values[i - 1] : 0;
    const isStep = row.type === "boolean" || row.type === "trigger";
    line(gutter, toY(value));
    while (i < times.length && times[i] <= span.to) {
      const x = Math.round(toX(times[i]) * 2) / 2;
      // A value that stood still holds until just before it moves on.
      const held = i > 0 ? toX(times[i - 1]) : gutter, before = toX(frameTime(Math.max(0,
        countUpTo(recorded.at, times[i] + epsilon) - 2)));
      if (isStep) line(x, toY(value));
      else if (before > held + .5 && before < x) line(before, toY(value));
      let low = values[i], high = low;
      for (value = low; i < times.length && toX(times[i]) < x + .5; i++) {
        value = values[i];
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
      if (low < value && low < high) line(x, toY(low));
      if (high > value && low < high) line(x, toY(high));
      line(x, toY(value));
    }
    line(width - 10, toY(value));
    return toY(Math.max(0, row.low));
  }

  function drawCurve(g, row) {
    const isWeight = row.kind === "weight";
    g.beginPath();
    const zero = trace(row, (x, y) => g.lineTo(x, y));
    g.lineWidth = 1.4;
    g.strokeStyle = isWeight ? paint(row.hue, 1) : colours.accent;
    g.stroke();
    g.lineTo(width - 10, zero);
    g.lineTo(gutter, zero);
    g.fillStyle = isWeight ? paint(row.hue, .42) : colours.accent;
    g.globalAlpha = isWeight ? 1 : .16;
    g.fill();
    g.globalAlpha = 1;
    if (row.type !== "number" || row.low === 0) return;
    g.fillStyle = colours.line;
    g.fillRect(gutter, zero, width - gutter, 1);
  }

  // Feet have the figure's colours.
  const sideColour = data => /^(l|left)$/i.test(data) ? colours.left : /^(r|right)$/i.test(data) ? colours.right : null;

  function drawEvents(g, row) {
    const middle = row.top + row.height / 2, first = countUpTo(row.events, span.from - 1e-9, e => e[0]);
    let free = gutter;
    for (let i = first; i < row.events.length && row.events[i][0] <= span.to; i++) {
      const [time, , data, , , weight, edge] = row.events[i], x = toX(time);
      if (edge === "begin") {
        g.fillStyle = paint(row.hue, .3);
        g.fillRect(x, row.top + 4, toX(row.ends.has(row.events[i]) ? row.ends.get(row.events[i]) : total) - x,
          row.height - 8);
      }
      g.fillStyle = sideColour(data) || paint(row.hue, 1);
      g.globalAlpha = isOwn(row.label) ? 1 : .3 + .7 * Math.min(1, weight);
      g.fillRect(x - 1, row.top + 3, 2, row.height - 6);
      g.globalAlpha = 1;
      const text = data || (row.label === "loop" ? "" : edge), next = row.events[i + 1];
      const room = (next ? toX(next[0]) : width) - x - 6;
      if (!text || x < free || g.measureText(text).width > room) continue;
      g.fillStyle = colours.ink;
      g.fillText(text, x + 4, middle);
      free = x + 8 + g.measureText(text).width;
    }
  }

  function hatch(g, x0, x1, top, bottom, colour) {
    g.save();
    g.beginPath();
    g.rect(x0, top, x1 - x0, bottom - top);
    g.clip();
    g.beginPath();
    for (let x = x0 - (bottom - top) - (x0 % 6); x < x1; x += 6) {
      g.moveTo(x, bottom);
      g.lineTo(x + bottom - top, top);
    }
    g.strokeStyle = colour;
    g.lineWidth = 1.5;
    g.stroke();
    g.restore();
  }

  // The source's colour above, the target's below its progress.
  function drawFade(g, row, part, x0, x1, top, bottom) {
    g.fillStyle = paint(hueOf(part.source), .5);
    g.fillRect(x0, top, x1 - x0, bottom - top);
    g.beginPath();
    g.moveTo(x0, bottom);
    const { times, values } = row.progress;
    for (let i = countUpTo(times, part.start - 1e-4); i < times.length && times[i] <= part.end + 1e-4; i++) {
      const y = bottom - values[i] * (bottom - top), x = Math.max(x0, Math.min(x1, toX(times[i])));
      g.lineTo(x, times[i] < part.end - 1e-4 ? y : top);
    }
    g.lineTo(x1, top);
    g.lineTo(x1, bottom);
    g.fillStyle = paint(hueOf(part.state), .8);
    g.fill();
    hatch(g, x0, x1, top, bottom, colours.front);
  }

  function drawMachine(g, row) {
    const top = row.top + 3, bottom = row.top + row.height - 3;
    for (const part of row.spans) {
      if (part.end < span.from || part.start > span.to || !part.state) continue;
      const x0 = Math.max(gutter, toX(part.start)), x1 = Math.min(width - 10, toX(part.end));
      if (part.source) drawFade(g, row, part, x0, x1, top, bottom);
      else {
        g.fillStyle = paint(hueOf(part.state), .5);
        g.fillRect(x0, top, x1 - x0, bottom - top);
      }
    }
    for (const part of namedSpans(row)) {
      const x1 = Math.min(width - 10, toX(part.end)), wide = g.measureText(part.state).width + 8;
      const x0 = [part.clear, part.start].map(t => Math.max(gutter, toX(t))).find(x => x1 - x > wide);
      g.fillStyle = colours.ink;
      if (x0 !== undefined) g.fillText(part.state, x0 + 5, (top + bottom) / 2);
    }
    for (const [time] of row.transitions) {
      const x = toX(time);
      if (x < gutter || x > width) continue;
      g.fillStyle = colours.ink;
      g.fillRect(x - .75, top, 1.5, bottom - top);
    }
  }

  // Spans of the same state, one of which may be a fade, as one, to have room for its name; `clear`: after the fade.
  function namedSpans(row) {
    const list = [];
    for (const part of row.spans) {
      const last = list[list.length - 1];
      if (last && last.state === part.state && !part.source) {
        last.end = part.end;
        last.clear = part.start;
      } else if (part.state) list.push({ ...part, clear: part.start });
    }
    return list;
  }

  const drawers = { machine: drawMachine, event: drawEvents, weight: drawCurve, param: drawCurve, title() {} };

  function drawLabel(g, row) {
    const y = row.top + row.height / 2 + (row.kind === "title" ? 3 : 0);
    if (row.kind === "title") {
      g.font = "600 10px system-ui, sans-serif";
      g.fillStyle = colours.dim;
      g.fillText(row.label.toUpperCase(), 2, y);
      g.font = "11px system-ui, sans-serif";
      return;
    }
    g.save();
    g.beginPath();
    g.rect(0, row.top, gutter - (row.track ? 38 : 6), row.height);
    g.clip();
    g.fillStyle = row.hue === undefined ? colours.accent : paint(row.hue, 1);
    g.fillRect(2, y - 5, 4, 10);
    g.fillStyle = colours.ink;
    g.fillText(row.label, 10, y);
    g.restore();
  }

  function drawLanes() {
    isStale = false;
    const g = canvasOf("lanes", rows.height);
    g.save();
    g.beginPath();
    g.rect(gutter, 0, width - gutter, rows.height);
    g.clip();
    g.fillStyle = colours.line;
    for (const { x, isLabelled } of ticks()) if (isLabelled) { g.globalAlpha = .5; g.fillRect(x, 0, 1, rows.height); }
    g.globalAlpha = 1;
    for (const row of rows) {
      g.fillStyle = colours.line;
      if (row.kind !== "title") g.fillRect(gutter, row.top + row.height - 1, width - gutter, .5);
      drawers[row.kind](g, row);
    }
    g.restore();
    for (const row of rows) drawLabel(g, row);
  }

  // ---- the ruler ----

  function ticks() {
    const perLabel = 58 / (width - gutter) * (span.to - span.from), ten = 10 ** Math.floor(Math.log10(perLabel));
    const step = [1, 2, 5, 10].map(x => x * ten).find(x => x >= perLabel), list = [];
    const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), small = step / 5;
    for (let i = Math.ceil(span.from / small - 1e-9); i * small <= span.to + 1e-9; i++)
      list.push({ x: toX(i * small), isLabelled: i % 5 === 0, text: (i * small).toFixed(digits) });
    return list;
  }

  function drawRuler() {
    const g = canvasOf("ruler", rulerHeight);
    g.textAlign = "center";
    for (const { x, isLabelled, text } of ticks()) {
      g.fillStyle = colours.dim;
      g.fillRect(x - .5, rulerHeight - (isLabelled ? 9 : 5), 1, isLabelled ? 9 : 5);
      const half = g.measureText(text).width / 2;
      if (isLabelled && x + half < width) g.fillText(text, Math.max(gutter + half, x), 12);
    }
    g.textAlign = "left";
  }

  // ---- what moves ----

  function drawHead(time) {
    const tall = Math.min(rows.height, scroller.clientHeight) + rulerHeight;
    const g = canvasOf("moving", tall), x = toX(time);
    g.textAlign = "right";
    for (const row of rows) {
      if (!row.track) continue;
      const value = valueAt(row.track, time), y = rulerHeight + row.top + row.height / 2 - scroller.scrollTop;
      if (y < rulerHeight || y > tall) continue;
      g.fillStyle = value ? colours.ink : colours.dim;
      const isFlag = row.type === "boolean" || row.type === "trigger";
      g.fillText(isFlag ? value ? "yes" : "no" : round(value), gutter - 6, y);
    }
    g.textAlign = "left";
    if (x < gutter - 1 || x > width) return;
    g.fillStyle = colours.event;
    g.fillRect(x - .75, rulerHeight - 4, 1.5, tall);
    g.beginPath();
    g.moveTo(x - 6, rulerHeight - 13);
    g.lineTo(x + 6, rulerHeight - 13);
    g.lineTo(x + 6, rulerHeight - 7);
    g.lineTo(x, rulerHeight);
    g.lineTo(x - 6, rulerHeight - 7);
    g.fill();
  }

  // ---- the window ----

  function show(from, to) {
    const least = Math.min(total, .05), wide = Math.max(least, Math.min(total, to - from));
    span.from = Math.max(0, Math.min(total - wide, from));
    span.to = span.from + wide;
    isStale = true;
    actions.redraw();
  }

  function zoom(factor, time) {
    const wide = span.to - span.from, part = (time - span.from) / wide;
    show(time - part * wide * factor, time + (1 - part) * wide * factor);
  }

  // The playhead may not leave the window; it turns the page.
  function keepInSight(time) {
    const wide = span.to - span.from;
    if (time >= span.from && time <= span.to) return;
    if (time > span.to && time < span.to + wide) show(span.to - .05 * wide, span.to + .95 * wide);
    else show(time - .1 * wide, time + .9 * wide);
  }

  function tell(x, y) {
    const row = x >= gutter && rowAt(y), time = clampTime(toTime(x));
    const text = row ? describeRow(row, time, 7 / (width - gutter) * (span.to - span.from)) : "";
    showTip(text, x, 1e9);
  }

  // ---- pointer ----

  const touches = new Map();
  let isScrubbing = false, began = null, apart = 0;
  const place = e => ({ x: e.clientX - box.getBoundingClientRect().left,
    y: e.clientY - el("lanes").getBoundingClientRect().top });
  const seekTo = x => actions.seek(clampTime(toTime(Math.max(gutter, x))));

  function down(e) {
    const at = place(e);
    if (at.x < gutter || e.target.tagName === "BUTTON") return;
    touches.set(e.pointerId, at);
    began = at;
    box.setPointerCapture(e.pointerId);
    // A finger may mean to scroll: it scrubs when it moves sideways, or taps.
    isScrubbing = touches.size === 1 && (e.pointerType !== "touch" || at.y < 0);
    if (isScrubbing) seekTo(at.x);
    apart = touches.size === 2 ? spread2() : 0;
  }
  const spread2 = () => { const [a, b] = [...touches.values()]; return Math.max(20, Math.abs(a.x - b.x)); };

  function move(e) {
    const at = place(e), before = touches.get(e.pointerId);
    if (!before) return e.pointerType === "touch" ? null : tell(at.x, at.y);
    touches.set(e.pointerId, at);
    if (touches.size === 2) {
      const now = spread2(), [a, b] = [...touches.values()];
      zoom(apart / now, toTime((a.x + b.x) / 2));
      const shift = (at.x - before.x) / 2 / (width - gutter) * (span.to - span.from);
      show(span.from - shift, span.to - shift);
      apart = now;
      isScrubbing = false;
    } else {
      if (!isScrubbing && began && Math.abs(at.x - began.x) > 6) isScrubbing = true;
      if (isScrubbing) seekTo(at.x);
      tell(at.x, at.y);
    }
  }

  function up(e) {
    const at = place(e);
    if (!touches.delete(e.pointerId) || e.type === "pointercancel") return;
    if (began && !isScrubbing && touches.size === 0 && Math.abs(at.y - began.y) < 6) seekTo(at.x);
    if (began && touches.size === 0) tell(at.x, at.y);
    began = null;
  }

  function wheel(e) {
    const at = place(e);
    if (at.x < gutter) return;
    e.preventDefault();
    const unit = e.deltaMode ? 30 : 1, wide = span.to - span.from;
    if (Math.abs(e.deltaX) > Math.abs(e.deltaY) || e.shiftKey) {
      const shift = (e.deltaX || e.deltaY) * unit / (width - gutter) * wide;
      show(span.from + shift, span.to + shift);
    } else zoom(Math.exp(Math.max(-200, Math.min(200, e.deltaY * unit)) * .002), clampTime(toTime(at.x)));
  }

  box.addEventListener("pointerdown", down);
  box.addEventListener("pointermove", move);
  box.addEventListener("pointerup", up);
  box.addEventListener("pointercancel", up);
  box.addEventListener("pointerleave", () => { if (!touches.size) showTip(""); });
  box.addEventListener("wheel", wheel, { passive: false });
  scroller.addEventListener("scroll", actions.redraw);
  el("nearer").addEventListener("click", () => zoom(.5, clampTime(state.time)));
  el("farther").addEventListener("click", () => zoom(2, clampTime(state.time)));
  el("whole").addEventListener("click", () => show(0, total));

  return {
    show, zoom, keepInSight,
    isZoomed: () => span.to - span.from < total * .999,
    window: () => [span.from, span.to],
    restyle() { isStale = true; },
    resize() {
      const wide = Math.max(1, box.clientWidth);
      if (wide === width) return;
      width = wide;
      gutter = Math.round(Math.max(104, Math.min(176, width * .2)));
      box.style.setProperty("--gutter", gutter + "px");
      isStale = true;
    },
    draw(time) {
      if (isStale) { drawLanes(); drawRuler(); }
      drawHead(time);
    },
    report: () => ({ from: span.from, to: span.to, width, gutter, x: toX(state.time),
      rows: rows.filter(row => row.kind !== "title").map(row => ({ kind: row.kind, label: row.label,
        top: row.top + rulerHeight, value: row.track ? +valueAt(row.track, state.time).toPrecision(6) : undefined,
        count: row.events ? row.events.length : row.spans ? row.spans.length : row.track.times.length })) }),
  };
}

// ---- the list of what happened ----------------------------------------------------------

const mostListed = 2000;

function buildHappenings(actions) {
  const list = recording.events.filter(e => !/^(loop|exit)$/.test(e[1])).slice(0, mostListed);
  const items = list.map(event => {
    const item = document.createElement("li"), name = document.createElement("span"),
      info = document.createElement("span");
    item.setAttribute("role", "option");
    name.className = "name";
    name.textContent = event[1] === "enter" ? "→ " + event[2] : event[1] + (event[2] ? " " + event[2] : "") +
      (event[6] ? " (" + event[6] + ")" : "");
    info.className = "info";
    info.textContent = seconds(event[0]);
    item.append(name, info);
    item.time = event[0];
    item.addEventListener("click", () => { actions.seek(event[0]); actions.closePanel(); });
    el("clips").append(item);
    return item;
  });
  el("search").placeholder = "Find an event";
  el("search").setAttribute("aria-label", "Find an event");
  el("panel").setAttribute("aria-label", "Events");
  el("menu").setAttribute("aria-label", "Events");
  el("updown").textContent = "event before, after";
  const keys = document.createElement("dt"), what = document.createElement("dd");
  keys.textContent = "+ −, wheel";
  what.textContent = "zoom the time line; with Shift: move it";
  el("help").querySelector("dl").append(keys, what);
  el("about").textContent = jointCount + " joints · " + (recorded ? recorded.frames : 0) + " updates" +
    (recorded ? " in " + seconds(recorded.seconds) : "");
  el("search").addEventListener("input", () => {
    const words = el("search").value.toLowerCase().split(/\s+/);
    for (const item of items) item.hidden = !words.every(word => item.textContent.toLowerCase().includes(word));
  });
  return items;
}

]==]
