--- Page script: list, time line, buttons and keys. They change `state` through `actions` (js_main).
return [==[
const el = id => document.getElementById(id);
const speeds = [-2, -1, -.5, -.25, .1, .25, .5, 1, 1.5, 2, 4];
const loopWords = { true: "", false: "once", pingpong: "to and fro" };
const seconds = t => t.toFixed(2) + " s";

function describeTake(take) {
  if (take.at) return seconds(take.seconds);
  const parts = [seconds(take.seconds)];
  if (loopWords[take.loop]) parts.push(loopWords[take.loop]);
  if (take.additive) parts.push("additive");
  return parts.join(" · ");
}

// ---- the list ---------------------------------------------------------------

function buildList(actions) {
  const list = el("clips");
  const plural = (n, word) => n + " " + word + (n === 1 ? "" : "s");
  el("about").textContent = plural(jointCount, "joint") + " · " + plural(model.takes.length, "clip");
  const items = model.takes.map((take, i) => {
    const item = document.createElement("li"), name = document.createElement("span"),
      info = document.createElement("span");
    item.setAttribute("role", "option");
    item.id = "clip" + i;
    name.className = "name";
    name.textContent = take.name;
    info.className = "info";
    info.textContent = describeTake(take);
    item.append(name, info);
    item.addEventListener("click", () => { actions.select(i); actions.play(true); actions.closePanel(); });
    list.append(item);
    return item;
  });
  el("search").addEventListener("input", () => {
    const words = el("search").value.toLowerCase().split(/\s+/);
    model.takes.forEach((take, i) => {
      items[i].hidden = !words.every(word => take.name.toLowerCase().includes(word));
    });
  });
  if (model.warnings.length) {
    el("notes").hidden = false;
    el("notes").querySelector("summary").textContent = plural(model.warnings.length, "warning");
    for (const text of model.warnings) {
      const item = document.createElement("li");
      item.textContent = text;
      el("notes").querySelector("ul").append(item);
    }
  }
  return items;
}

const shown = items => items.map((item, i) => item.hidden ? -1 : i).filter(i => i >= 0);

function markSelected(items, index) {
  items.forEach((item, i) => item.setAttribute("aria-selected", i === index));
  if (items[index]) {
    el("clips").setAttribute("aria-activedescendant", items[index].id);
    items[index].scrollIntoView({ block: "nearest" });
  }
}

// ---- the time line ----------------------------------------------------------

// Places of all marks of a take on the strip above the scrub bar.
function marksOf(take) {
  const marks = take.events.map(([time, duration, name, data]) => ({ time, duration, name, data, kind: "event" }));
  return marks.concat(take.markers.map(([time, name]) => ({ time, duration: -1, name, data: "", kind: "marker" })));
}

const thumb = 8; // half of what the browser's handle takes off both ends

const markAt = (take, time, width) => thumb + (take.seconds > 0 ? time / take.seconds : 0) * (width - 2 * thumb);

function drawTicks(take) {
  const canvas = el("ticks"), ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  if (!take) return;
  g.font = "11px system-ui, sans-serif";
  let free = -1;
  for (const mark of marksOf(take).sort((a, b) => a.time - b.time)) {
    const x = markAt(take, mark.time, width);
    g.fillStyle = colours[mark.kind];
    if (mark.duration > 0) {
      g.globalAlpha = .35;
      g.fillRect(x, height - 8, markAt(take, mark.time + mark.duration, width) - x, 8);
      g.globalAlpha = 1;
    }
    g.fillRect(x - 1, height - (mark.kind === "event" ? 10 : 7), 2, 10);
    const wide = g.measureText(mark.name).width, left = Math.max(0, Math.min(width - wide, x - wide / 2));
    if (left > free && wide < 140) {
      g.fillText(mark.name, left, height - 13);
      free = left + wide + 6;
    }
  }
}

const marksNear = (take, x, width) => marksOf(take).filter(m => Math.abs(markAt(take, m.time, width) - x) < 7);

const describeMark = mark => mark.name + " · " + seconds(mark.time) +
  (mark.duration > 0 ? " to " + seconds(mark.time + mark.duration) : "") + (mark.data ? " · " + mark.data : "");

// ---- buttons and keys ---------------------------------------------------------

const press = (id, on) => el(id).setAttribute("aria-pressed", !!on);

function buildControls(actions) {
  for (const speed of speeds) el("speed").append(new Option(speed + " ×", speed));
  el("speed").addEventListener("change", () => actions.speed(+el("speed").value));
  el("scrub").addEventListener("input", () => actions.seek(+el("scrub").value));
  el("play").addEventListener("click", () => actions.play());
  el("back").addEventListener("click", () => actions.step(-1));
  el("next").addEventListener("click", () => actions.step(1));
  for (const name of ["loop", "names", "trails", "follow", "helpers", "up", "theme"])
    el(name).addEventListener("click", () => actions.toggle(name));
  for (const button of el("views").querySelectorAll("[data-view]"))
    button.addEventListener("click", () => actions.view(button.dataset.view));
  el("fit").addEventListener("click", actions.fit);
  el("menu").addEventListener("click", () => el("panel").classList.add("open"));
  el("close").addEventListener("click", actions.closePanel);
  el("helpers").hidden = helperBones.length === 0;
  el("trails").hidden = model.feet.length + model.hands.length === 0;
  listenToKeys(actions);
}

function listenToKeys(actions) {
  const keys = {
    " ": () => actions.play(), "k": () => actions.play(),
    "ArrowLeft": () => actions.step(-1), "ArrowRight": () => actions.step(1), ",": () => actions.step(-1),
    ".": () => actions.step(1), "ArrowUp": () => actions.neighbour(-1), "ArrowDown": () => actions.neighbour(1),
    "/": () => { el("panel").classList.add("open"); el("search").focus(); },
    "1": () => actions.view("front"), "2": () => actions.view("side"), "3": () => actions.view("quarter"),
    "0": actions.fit, "[": () => actions.faster(-1), "]": () => actions.faster(1), "r": actions.reverse,
    "l": () => actions.toggle("loop"), "n": () => actions.toggle("names"), "t": () => actions.toggle("trails"),
    /*targets*/"i": () => actions.toggle("targets"),
    "f": () => actions.toggle("follow"), "+": () => actions.zoom(.5), "=": () => actions.zoom(.5),
    "-": () => actions.zoom(2), "Home": () => actions.seek(0),
  };
  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const inSearch = e.target === el("search");
    if (inSearch && e.key !== "ArrowUp" && e.key !== "ArrowDown" && e.key !== "Escape" && e.key !== "Enter") return;
    if (e.key === "Escape" || (inSearch && e.key === "Enter")) {
      if (inSearch && e.key === "Enter") actions.neighbour(0);
      el("search").blur();
      actions.closePanel();
      return;
    }
    const presses = e.key === " " || e.key === "Enter";
    if (e.target.tagName === "SELECT" || (e.target.tagName === "BUTTON" && presses)) return;
    const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!act) return;
    e.preventDefault();
    act();
  });
}

]==]
