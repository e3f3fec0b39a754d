// ---- words
const times = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
const shown = s => s + FIRST;
const text = (a, p) => a.name + pointOf(a, p).map(v => `[${v}]`).join("");
const instance = (s, k) => s.name + (s.loops.length ? " at " : "") + s.loops.map((loop, d) => loop + "=" + s.iteration[d][k]).join(", ");
const by = (table, e) => instance(table.list[table.who[e]].statement, table.which[e]);
const outside = where => DATA.window ? where + " this part of the run" : where === "before" ? "before the start" : "after the end";
const writerText = (a, v) => v >= a.W ? outside("before") : `at step ${shown(a.start[v])} by ${by(a.writes, v)}`;
const readerText = (a, v) => a.last[v] === STEPS ? outside("after") : `at step ${shown(a.last[v])} by ${by(a.reads, a.reader[v])}`;
const wrongText = (a, {step, pos, found}) =>
  `${step === STEPS ? "after the end" : "step " + shown(step)}, ${text(a, pos)} finds ${found < 0 ? "nothing" : text(a, found)}`;
const gapText = n => n < 0 ? "it comes too early" : n ? times(n, "step") + " between" : "it comes in the same step, behind it";
function element(tag, words = "", cls = "") {
  return Object.assign(document.createElement(tag), {textContent: words, className: cls});
}
function say(words) { if (words !== $("said").textContent) $("said").textContent = words; }

// ---- state: fixed are the indices that the grid does not show, corner its first row and column
let array, grid, step = 0, chosen = -1, playing = 0, corner = [0, 0], fixed = [], isHeld = false;

// ---- the source
function drawSource() {
  const box = $("source"), lines = new Map(), mine = [];
  for (let e = running.at[step]; e < running.at[step + 1]; e++) mine.push(statements[running.who[e]]);
  const file = (mine.find(s => s.file !== null) || {file: 0}).file, source = DATA.sources[file];
  $("file").textContent = source ? source.name : "";
  if (!source) return;
  const words = source.text.replace(/\n$/, "").split("\n");
  if (box.dataset.file !== String(file)) {
    box.dataset.file = file;
    box.replaceChildren(...words.map((line, k) => {
      const row = element("div");
      row.append(element("i", k + 1), element("span", line || " "));
      return row;
    }));
  }
  for (const s of mine) if (s.file === file) for (const x of [s, ...s.accesses]) if (x.line && x.file === file) {
    if (!lines.has(x.line)) lines.set(x.line, new Map());
    if (x.column) lines.get(x.line).set(x.column, x);
  }
  for (const row of box.querySelectorAll(".on")) {
    row.className = "";
    row.lastChild.textContent = words[row.firstChild.textContent - 1] || " ";
  }
  for (const [line, operands] of lines) {
    const row = box.children[line - 1], span = row.lastChild;
    row.className = "on";
    span.textContent = "";
    let from = 0;
    for (const x of [...operands.values()].sort((p, q) => p.column - q.column)) if (x.column > from) {
      span.append(words[line - 1].slice(from, x.column - 1), element("span", words[line - 1].substr(x.column - 1, x.length), x.kind === "read" ? "r" : "w"));
      from = x.column - 1 + x.length;
    }
    span.append(words[line - 1].slice(from));
  }
  const [top] = box.querySelectorAll(".on"), place = top ? top.offsetTop - box.offsetTop : box.scrollTop;
  if (place < box.scrollTop || place > box.scrollTop + box.clientHeight - 30) box.scrollTop = place - box.clientHeight / 2;
}
function drawOperands(a) {
  const hits = touched(a);
  $("operands").replaceChildren(...hits.slice(0, 12).map(({pos, kind, wire}) => {
    const row = element("button"), v = valueAt(a, a.ofPos(pos), step - 1), cell = "cell " + a.cellOf[pos];
    let words = `${text(a, pos)} from ${cell}`;
    if (kind === "written") words = `${text(a, pos)} into ${cell}`;
    else if (wire) words = text(a, pos) + " by a wire: it is made in this step";
    else if (v >= 0) words += (v >= a.W ? ", there " + outside("before") : `, written ${times(step - a.start[v], "step")} ago`) + (a.last[v] === step ? ", for the last time" : "");
    row.append(element("b", kind === "read" ? "reads" : "writes"), " " + words);
    row.onclick = () => choose(pos);
    return row;
  }));
  if (hits.length > 12) $("operands").append(element("button", `and ${hits.length - 12} more`));
}

// ---- the life of the chosen element, and who was in its cell before and after
const [HINT] = $("story").children;
function drawStory(a) {
  const box = $("story"), row = words => box.append(element("p", words));
  box.replaceChildren(HINT);
  if (chosen < 0) return;
  const cell = a.cellOf[chosen], all = sharing(a, chosen), own = text(a, chosen), tenants = times(all.length, "tenant");
  box.replaceChildren(element("strong", `Cell ${cell} has ${tenants}: ${all.slice(0, 6).map(p => text(a, p)).join(", ")}${all.length > 6 ? ", \u2026" : ""}`));
  say(`${own}, cell ${cell}, ${tenants}`);
  if (!hasTime) {
    row(a.differences || a.pairs ? `${own} conflicts with ${a.differences ? `every element at one of ${a.differences.length - 1} differences` : times(conflicting(a, chosen).length, "element")} (struck through).` : "There are too many conflicts to show them.");
    return;
  }
  const ids = a.ofCell(cell), v = valueNow(a), place = ids.indexOf(v), next = ids[place + 1], before = ids[place - 1];
  drawTenants(a, ids, box);
  if (v < 0) { row(own + " never has a value."); return; }
  const span = a.last[v] < 0 ? "never read from its cell."
    : `read for the last time ${readerText(a, v)}: alive for ${times(min(a.last[v], STEPS) - max(a.start[v], 0), "step")}.`;
  row(`${own}${a.ofPos(chosen).length > 1 ? " (one of its values)" : ""}: written ${writerText(a, v)}; ${span}`);
  row(next !== undefined && a.last[v] >= 0
    ? `The write of ${text(a, a.pos[next])} (${by(a.writes, next)}, step ${shown(a.start[next])}) waits for that read: ${gapText(a.start[next] - a.last[v])}.`
    : "Nothing is written to its cell after it.");
  if (a.last[before] >= 0) row(`Its own write waited for ${by(a.reads, a.reader[before])} to read ${text(a, a.pos[before])} (step ${shown(a.last[before])}).`);
}
// The chosen element's value: the one it has now, or its first.
const valueNow = a => {
  const v = valueAt(a, a.ofPos(chosen), step);
  return v < 0 && a.ofPos(chosen).length ? a.ofPos(chosen)[0] : v;
};
// A strip over all steps: when each tenant of a cell lives, two lanes in turn.
function drawTenants(a, ids, box) {
  const canvas = element("canvas"), w = box.clientWidth, pen = brush(canvas, w, 40), x = s => (w - 2) * clamp(s, 0, STEPS) / STEPS;
  Object.assign(canvas, {role: "img", ariaLabel: "when each tenant lives"});
  box.append(canvas);
  ids.forEach((v, k) => {
    const from = x(a.start[v]), size = max(2, x(max(a.last[v], a.start[v] + 1)) - from), y = k % 2 ? 16 : 2;
    const mine = a.pos[v] === chosen, tone = toneOf(a.cellOf[a.pos[v]]), words = text(a, a.pos[v]);
    pen.fill(mine ? css("chosen") : rgb(tone), from, y, size, 11);
    pen.g.font = "10px system-ui";
    if (pen.g.measureText(words).width + 6 < size) pen.write(mine ? "#000" : inkOn(tone), words, from + 3, y + 6, "left", 10);
  });
  pen.fill(css("ink"), x(step), 0, 1.5, 29);
  pen.write(css("soft"), shown(0), 0, 36, "left", 10);
  pen.write(css("soft"), shown(LAST), w - 2, 36, "right", 10);
}

// ---- everything
function draw() {
  const a = array;
  if (hasTime) {
    const mine = [], end = running.at[step + 1], few = running.at[step] + 4;
    for (let e = running.at[step]; e < min(end, few); e++) mine.push(instance(statements[running.who[e]], running.which[e]));
    $("now").textContent = `step ${shown(step)} of ${ALL - 1}: ${mine.join("; ")}${end > few ? "; \u2026" : ""}`;
    $("alive").textContent = `${a.curve[step]} alive in ${times(a.cells, "cell")}`;
    drawLife(); drawSource(); drawOperands(a);
  }
  drawGrid(); drawParts(); drawStory(a); remember();
}
function go(to) { to = clamp(to, 0, LAST); if (to !== step) { step = to; draw(); } }
function choose(p) { chosen = p; draw(); }
function tenant(on) {
  if (chosen < 0 || !hasTime) return;
  const ids = array.ofCell(array.cellOf[chosen]), next = ids[ids.indexOf(valueNow(array)) + on];
  if (next === undefined) return;
  step = clamp(array.start[next], 0, LAST);
  choose(array.pos[next]);
}
function select(name) {
  const a = array = arrays[name], cells = times(a.cells, "cell");
  chosen = -1; corner = [0, 0]; fixed = []; $("array").value = name;
  $("shape").textContent = `${name}: ${a.sides.length ? a.sides.join(" \u00d7 ") + " elements" : "one element"}`;
  $("held").textContent = `its memory: ${cells}, ${times(a.words, "word")}`;
  $("mapping").textContent = a.text;
  if (hasTime) {
    const bound = DATA.window && a.bounds.find(b => b.kind === "max-live" || b.kind === "live-at");
    $("most").textContent = `live elements: ${a.most} at most, ${cells} planned` + (a.most === a.cells ? " \u2014 no mapping can do with fewer" : a.bounds.length ? ` (${a.standing})` : "")
      + (bound ? `; in the whole run ${bound.cells}` : "");
    $("steps").textContent = DATA.window ? `steps ${FIRST} to ${FIRST + LAST} of ${ALL}${DATA.arrays[name].curve ? ": the part with the most alive" : ""}` : times(STEPS, "step");
  }
  $("bounds").replaceChildren(...a.bounds.map(b => element("li", b.text)));
  drawExplained(DATA.explain[name]);
}
function drawExplained(found) {
  const box = $("explain"), row = (words, tag = "p") => box.append(element(tag, words));
  box.textContent = "";
  if (!found) return hasTime && row("hlsmem view adds what reads cost");
  for (const words of [...found.first_write, ...found.last_read]) row(words, "pre");
  const place = r => `${r.line}:${r.column} ${r.text}`, free = found.reads.filter(r => !r.costs);
  for (const r of found.reads) if (r.costs) row(`${place(r)} costs ${r.costs} of ${times(found.cells, "cell")}`);
  if (free.length) row("cost nothing: " + free.map(place).join(", "));
  for (const c of found.changes) row(`${c.rank}. ${c.what}: ${Object.entries(c.arrays).map(([n, f]) => `${n} ${times(f.cells, "cell")}`).join(", ")}${c.cells_only ? "; cells only" : ""} (${c.settings.join(" ")})`);
  if (!found.changes.length && found.tried) row(`none of ${times(found.tried, "change")} tried saves a cell`);
}
// What does not change: badges, the memory table, the choice of arrays.
function head() {
  const all = Object.values(arrays), badge = (words, cls) => $("badges").append(element("li", words, cls));
  const judged = (a, name, {wrong}, fine) => badge(wrong ? `${name}: ${wrongText(a, wrong)}` : `${name}: ${fine}`, wrong ? "bad" : "good");
  const params = Object.entries(DATA.params).map(([n, v]) => `${n} = ${v}`).join(", "), sum = key => all.reduce((n, a) => n + a[key], 0), found = {};
  document.title = $("name").textContent = DATA.design;
  $("summary").textContent = `${all.every(a => a.declared) ? `${sum("declared")} cells folded to ${sum("cells")}` : times(sum("cells"), "cell")}${params && " at " + params}${hasTime ? ", order " + DATA.order : ""}`;
  if (hasTime) for (const a of all) {
    const wires = a.reads.who.length - a.judged;
    found[a.name] = {most: a.most, reads: a.judged, wrong: a.wrong && wrongText(a, a.wrong)};
    judged(a, a.name, a, `replayed in this page, ${times(a.judged, "read")}, each found its element${wires ? `, ${wires} by wire` : ""}`);
    for (const part of a.parts) if (part.judged >= 0) judged(a, part.wrong ? `${part.name} (${part.kind})` : part.name, part, `${part.kind} replayed, ${times(part.judged, "read")}`);
  }
  for (const v of DATA.verdicts) badge(`${v.check} ${v.of}: ${v.said}`, ({p: "good", f: "bad"})[v.said[0]] || "none");
  document.documentElement.dataset.replay = JSON.stringify(found);
  const row = (tag, cells) => {
    const tr = element("tr");
    cells.forEach((words, k) => tr.append(element(tag, words, k > 1 && k < 7 ? "number" : k === 7 ? "map" : "")));
    $("table").append(tr);
  };
  row("th", ["array", "type", "declared", "bound", "planned", "saving", "words", "mapping", "standing"]);
  for (const a of all) {
    const none = "\u2013", best = a.bounds.length ? max(...a.bounds.map(b => b.cells)) : none;
    row("td", [a.name, a.type, a.declared || none, best, a.cells, a.declared ? (a.declared / max(a.cells, a.words)).toFixed(2) + "x" : none, a.words, a.text, a.standing]);
    $("array").append(element("option", a.name));
  }
  $("tool").textContent = "made by " + DATA.tool;
  $("choose").hidden = all.length < 2;
  $("time").hidden = $("left").hidden = !hasTime;
  if (!hasTime) $("columns").className = "still";
}

// ---- the address: #array=blurx&step=5000&element=38,20
function remember() {
  if (location.protocol === "about:") return;
  const mine = `#array=${array.name}&step=${shown(step)}${chosen < 0 ? "" : "&element=" + pointOf(array, chosen)}`;
  clearTimeout(remember.later);
  remember.later = setTimeout(() => { try { history.replaceState(null, "", mine); } catch (e) { /* a frame may not */ } }, 120);
}
function restore() {
  const asked = new URLSearchParams(location.hash.slice(1)), name = asked.get("array"), x = (asked.get("element") || "").split(",").map(Number);
  select(arrays[name] ? name : names.find(n => arrays[n].cells > 1) || names[0]);
  if (hasTime) step = asked.has("step") ? clamp(+asked.get("step") - FIRST || 0, 0, LAST) : array.peak;
  if (asked.has("element") && isInside(array, x)) chosen = posOf(array, x);
}

// ---- input
function play(on) {
  cancelAnimationFrame(playing); playing = 0;
  $("play").textContent = on ? "pause" : "play";
  let then = performance.now(), owed = 0;
  const tick = time => {
    owed += (time - then) / 1000 * $("speed").value; then = time;
    go(step + floor(owed)); owed %= 1;
    if (step < LAST) playing = requestAnimationFrame(tick); else play(false);
  };
  if (on) playing = requestAnimationFrame(tick);
}
const KEYS = {
  ArrowLeft: far => go(step - far), ArrowRight: far => go(step + far), Home: () => go(0), End: () => go(LAST),
  p: () => go(array.peak), "[": () => tenant(-1), "]": () => tenant(1), " ": () => play(!playing),
};
for (const [id, act] of [["first", "Home"], ["back", "ArrowLeft"], ["forward", "ArrowRight"], ["peak", "p"], ["play", " "]]) $(id).onclick = () => KEYS[act](1);
$("array").onchange = e => { select(e.target.value); draw(); };
$("life").onpointermove = e => { const r = $("life").getBoundingClientRect(); if (e.buttons) go(floor((e.clientX - r.left) / r.width * LAST + .5)); };
$("life").onpointerdown = e => { $("life").setPointerCapture(e.pointerId); $("life").onpointermove(e); };
const chooseAt = (row, column) => {
  const p = row >= 0 && row < grid.rows && column >= 0 && column < grid.columns ? posAt(array, row, column) : array.size;
  if (p < array.size) choose(p);
};
$("grid").onclick = e => chooseAt(floor((e.offsetY - 18) / grid.s) + corner[0], floor((e.offsetX - 34) / grid.s) + corner[1]);
$("grid").onkeydown = e => arrow(e, (down, right) => {
  const [row, column] = chosen < 0 ? [corner[0] - down, corner[1] - right] : placeOf(array, chosen);
  chooseAt(row + down, column + right);
});
function arrow(e, act) {
  const way = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[e.key];
  if (!way) return;
  e.preventDefault(); e.stopPropagation();
  act(...way);
}
document.onkeydown = e => {
  const act = e.key === "Escape" ? () => choose(-1) : hasTime && KEYS[e.key.length > 1 ? e.key : e.key.toLowerCase()];
  if (!act || e.ctrlKey || e.metaKey || e.altKey || /SELECT|INPUT/.test(e.target.tagName) || e.key === " " && e.target.tagName === "BUTTON") return;
  act(e.shiftKey ? 64 : 1);
  e.preventDefault();
};
let resized = 0;
const redraw = () => { legend(); draw(); };
window.onresize = () => { cancelAnimationFrame(resized); resized = requestAnimationFrame(redraw); };
matchMedia("(prefers-color-scheme: dark)").onchange = () => { colours = {}; redraw(); };

head();
restore();
redraw();
document.documentElement.dataset.ready = "1";
