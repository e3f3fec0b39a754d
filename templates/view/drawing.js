// ---- colours and marks
let colours = {};
// Asked for once a scheme: asking is slow.
const css = name => colours[name] = colours[name] || getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const VIRIDIS = "440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725".split(" ")
  .map(h => [0, 2, 4].map(k => parseInt(h.substr(k, 2), 16)));
function toneOf(cell) {
  const x = clamp(array.cells > 1 ? cell / (array.cells - 1) : 0, 0, 1) * 9, k = min(8, floor(x));
  return VIRIDIS[k].map((v, d) => floor(v + (VIRIDIS[k + 1][d] - v) * (x - k) + .5));
}
const rgb = tone => `rgb(${tone})`;
const inkOn = tone => tone[0] * .3 + tone[1] * .59 + tone[2] * .11 > 130 ? "#000" : "#fff";

// A canvas of a size in CSS pixels, with what is drawn on it: tones are CSS colours.
function brush(canvas, width, height) {
  const ratio = devicePixelRatio || 1, g = canvas.getContext("2d");
  for (const [side, size] of [["width", width], ["height", height]]) {
    canvas[side] = max(1, floor(size * ratio + .5));
    canvas.style[side] = size + "px";
  }
  g.scale(ratio, ratio);
  g.textBaseline = "middle";
  return {
    g,
    fill(tone, ...box) { g.fillStyle = tone; g.fillRect(...box); },
    frame(tone, wide, ...box) { g.strokeStyle = tone; g.lineWidth = wide; g.strokeRect(...box); },
    line(tone, wide, ...points) {
      g.strokeStyle = tone; g.lineWidth = wide;
      g.beginPath();
      for (let k = 0; k < points.length; k += 2) g.lineTo(points[k], points[k + 1]);
      g.stroke();
    },
    disc(tone, ...at) { g.fillStyle = tone; g.beginPath(); g.arc(...at, 0, 7); g.fill(); },
    write(tone, words, x, y, align = "center", size = 11) {
      g.fillStyle = tone; g.textAlign = align; g.font = size + "px system-ui";
      g.fillText(words, x, y);
    },
  };
}
// Marks differ in shape, not in colour alone; a ring of paper around each keeps them apart.
function mark({g, frame, line, disc}, kind, x, y, s) {
  const thick = clamp(s / 8, 2, 3), pad = s < 10 ? -2.5 : 0, ring = [x + pad, y + pad, s - 2 * pad, s - 2 * pad];
  if (kind === "conflict") {
    for (const [tone, wide] of [["#fff", 2.4], ["#000", 1]]) line(tone, wide, x + 1, y + 1, x + s - 1, y + s - 1);
    return;
  }
  if (kind === "tenant") {
    const r = max(1.8, s / 6), at = [x + s / 2, y + s / 2];
    disc(css("paper"), ...at, r + thick / 2 + 1); disc(css("chosen"), ...at, r);
    return;
  }
  frame(css("paper"), thick + 2, ...ring);
  if (kind === "chosen") g.setLineDash([3, 2]);
  frame(css({read: "read", written: "ink", chosen: "chosen"}[kind]), thick, ...ring);
  g.setLineDash([]);
  if (kind === "written") {
    const c = max(7, s * .45), right = x + s - pad, top = y + pad;
    g.fillStyle = css("ink");
    g.beginPath(); g.moveTo(right, top); g.lineTo(right - c, top); g.lineTo(right, top + c); g.fill();
  }
}
// What the instances of this step touch.
function touched(a) {
  const found = [];
  if (hasTime) for (const [table, kind] of [[a.reads, "read"], [a.writes, "written"]])
    for (let e = table.at[step]; e < table.at[step + 1]; e++) {
      const t = table.list[table.who[e]], k = table.which[e];
      found.push({pos: t.pos[k], kind, part: t.part, wire: t.wire[k]});
    }
  return found;
}

// ---- the life curve
function drawLife() {
  const c = $("life"), w = c.parentElement.clientWidth, h = 74, pen = brush(c, w, h), {g} = pen, a = array;
  const foot = h - 6, y = v => foot - (foot - 9) * v / max(a.cells, a.most, 1), x = s => LAST ? 1 + (w - 2) * s / LAST : w / 2;
  if (!a.shape || a.shape.length !== w) {
    a.shape = new Int32Array(w);
    for (let s = 0, px = 0; px < w; px++) {
      const to = min(STEPS, max(s + 1, (px + 1) / w * STEPS));
      for (s = floor(px / w * STEPS); s < to; s++) a.shape[px] = max(a.shape[px], a.curve[s]);
    }
  }
  g.fillStyle = css("live"); g.beginPath(); g.moveTo(0, foot);
  a.shape.forEach((most, px) => { g.lineTo(px, y(most)); g.lineTo(px + 1, y(most)); });
  g.lineTo(w, foot); g.fill();
  pen.line(css("planned"), 1.5, 0, y(a.cells), w, y(a.cells));
  const low = y(a.most) + (a.most === a.cells ? 2.5 : 0);
  g.setLineDash([5, 3]); pen.line(css("bound"), 1.5, 0, low, w, low); g.setLineDash([]);
  if (chosen >= 0) for (const v of a.ofPos(chosen)) {
    const from = x(max(0, a.start[v]));
    pen.fill(css("chosen"), from, foot, max(2, x(min(LAST, max(a.last[v], a.start[v]))) - from), 4);
  }
  pen.line(css("ink"), 1.5, x(step), 0, x(step), h);
  pen.disc(css("ink"), x(step), y(a.curve[step]), 4);
  drawWhole(a, w);
  Object.assign(c, {ariaValueMax: LAST, ariaValueNow: step, ariaValueText: $("now").textContent});
}
// Where the page has a part of the run: the curve of all of it, the part framed.
function drawWhole(a, w) {
  const hidden = $("whole").hidden = !(DATA.window && a.whole);
  if (hidden) return;
  const [width, ...alive] = a.whole, pen = brush($("whole"), w, 26), x = s => s / (width * alive.length) * w;
  alive.forEach((n, k) => { const tall = 20 * n / max(...alive, 1); pen.fill(css("live"), x(k * width), 22 - tall, x(width) + 1, tall); });
  pen.frame(css("ink"), 1.5, x(FIRST) + 1, 1, max(3, x(STEPS) - 2), 22);
}

// ---- the array as a grid: two of its indices, or all elements in rows; `many` and `tall` are seen
function layout(a, width) {
  const rank = a.sides.length, axes = rank > 1 && (a.axes || [rank - 2, rank - 1]);
  const columns = axes ? a.sides[axes[1]] : min(a.size, max(8, ceil(sqrt(a.size * 1.6))));
  const rows = axes ? a.sides[axes[0]] : ceil(a.size / columns), fit = n => clamp(floor((width - 34) / n), 3, 26);
  let s = fit(columns), many = columns, tall = rows;
  if ((width - 34) / columns < 3) { many = min(columns, 64); tall = min(rows, 64); s = fit(many); }
  else if (rows * s > 1400) tall = min(rows, max(16, floor(420 / s)));
  return {axes, columns, rows, s, many, tall, isPart: many < columns || tall < rows};
}
const posAt = (a, r, c) => {
  if (!grid.axes) return r * grid.columns + c;
  const x = fixed.slice(); x[grid.axes[0]] = r; x[grid.axes[1]] = c;
  return x.reduce((p, v, d) => p * a.sides[d] + v, 0);
};
const placeOf = (a, p) => {
  if (!grid.axes) return [floor(p / grid.columns), p % grid.columns, true];
  const x = pointOf(a, p).map((v, d) => v - a.low[d]);
  return [x[grid.axes[0]], x[grid.axes[1]], x.every((v, d) => grid.axes.includes(d) || v === fixed[d])];
};
function follow(p) {
  if (isHeld) return;
  if (grid.axes) pointOf(array, p).forEach((v, d) => { if (!grid.axes.includes(d)) fixed[d] = v - array.low[d]; });
  const seen = [grid.tall, grid.many], all = [grid.rows, grid.columns], place = placeOf(array, p);
  corner = corner.map((from, k) => place[k] >= from && place[k] < from + seen[k] ? from : clamp(place[k] - (seen[k] >> 1), 0, all[k] - seen[k]));
}
function drawGrid() {
  const a = array, {clientWidth} = $("middle"), hits = touched(a), left = 34, top = 18;
  grid = layout(a, clientWidth);
  if (fixed.length !== a.sides.length) fixed = a.sides.map(() => 0);
  if (!grid.isPart) corner = [0, 0];
  const followed = chosen >= 0 ? chosen : hits.length ? hits[hits.length - 1].pos : -1;
  if (followed >= 0) follow(followed);
  const {s, many, tall, axes} = grid, pen = brush($("grid"), min(clientWidth, left + many * s + 9), top + tall * s + 3);
  const every = [1, 2, 4, 8, 16, 32].find(n => n * s >= 40) || 64;
  for (let k = 0; k < many; k++) if ((corner[1] + k) % every === 0) pen.write(css("soft"), (axes ? a.low[axes[1]] : 0) + corner[1] + k, left + k * s + s / 2, 9);
  for (let k = 0; k < tall; k++) if ((corner[0] + k) % every === 0)
    pen.write(css("soft"), axes ? a.low[axes[0]] + corner[0] + k : (a.low[0] || 0) + (corner[0] + k) * grid.columns, left - 5, top + k * s + s / 2, "right");
  const gap = s > 5 ? 1 : 0;
  for (let r = 0; r < tall; r++) for (let k = 0; k < many; k++) {
    const p = posAt(a, corner[0] + r, corner[1] + k), x = left + k * s, y = top + r * s;
    if (p >= a.size) continue;
    const v = hasTime ? valueAt(a, a.ofPos(p), step) : 0, tone = (!hasTime || isAlive(a, v, step)) && toneOf(a.cellOf[p]);
    pen.fill(tone ? rgb(tone) : css(v < 0 ? "wash" : "dead"), x, y, s - gap, s - gap);
    if (v < 0 && s >= 8) pen.frame(css("line"), .5, x + .5, y + .5, s - gap - 1, s - gap - 1);
    if (tone && s >= 19) pen.write(inkOn(tone), a.cellOf[p], x + s / 2, y + s / 2 + .5, "center", min(11, s * .42));
  }
  const put = (p, kind) => {
    const [r, k, inside] = placeOf(a, p), y = r - corner[0], x = k - corner[1];
    if (inside && y >= 0 && y < tall && x >= 0 && x < many) mark(pen, kind, left + x * s, top + y * s, s - gap);
  };
  if (chosen >= 0) {
    for (const p of sharing(a, chosen)) if (p !== chosen) put(p, "tenant");
    for (const p of conflicting(a, chosen)) put(p, "conflict");
  }
  for (const hit of hits) put(hit.pos, hit.kind);
  if (chosen >= 0) put(chosen, "chosen");
  drawOverview(a, clientWidth);
  sliders(a);
}
// The elements that are ever in the cell of one.
function sharing(a, p) {
  const cell = a.cellOf[p], found = new Set();
  if (hasTime) for (const v of a.ofCell(cell)) found.add(a.pos[v]);
  else a.cellOf.forEach((c, q) => { if (c === cell) found.add(q); });
  return [...found];
}
// The elements that a conflict set keeps apart from one.
function conflicting(a, p) {
  if (a.pairs) return a.pairs.filter(pair => pair.includes(p)).map(([q, r]) => q === p ? r : q);
  const all = (a.differences || []).map(d => pointOf(a, p).map((v, k) => v + d[k]));
  return all.filter(x => isInside(a, x)).map(x => posOf(a, x)).filter(q => q !== p);
}
function drawOverview(a, width) {
  const c = $("overview"), {axes, rows, columns, many, tall} = grid;
  c.hidden = !(hasTime && grid.isPart && axes);
  if (c.hidden) return;
  const scale = max(columns / min(260, width), rows / 180), w = max(1, floor(columns / scale)), h = max(1, floor(rows / scale));
  const pen = brush(c, w, h);
  pen.fill(css("wash"), 0, 0, w, h);
  for (let y = 0; y < h; y += 2) for (let x = 0; x < w; x += 2) {
    const p = posAt(a, min(rows - 1, floor(y * scale)), min(columns - 1, floor(x * scale))), v = valueAt(a, a.ofPos(p), step);
    if (v >= 0) pen.fill(isAlive(a, v, step) ? rgb(toneOf(a.cellOf[p])) : css("dead"), x, y, 2, 2);
  }
  pen.frame(css("ink"), 1.5, corner[1] / scale, corner[0] / scale, max(3, many / scale), max(3, tall / scale));
}
// One for each index that the grid does not show; its name brings it into the columns.
function sliders(a) {
  const box = $("sliders"), {axes} = grid, rest = a.sides.map((_, d) => d).filter(d => axes && !axes.includes(d)), key = a.name + axes;
  if (box.dataset.key !== key) box.replaceChildren(...rest.map(d => {
    const row = element("div"), name = element("button", a.index[d]), input = Object.assign(element("input"), {type: "range", max: a.sides[d] - 1, ariaLabel: a.index[d]});
    name.onclick = () => { a.axes = [axes[1], d]; draw(); };
    input.oninput = () => { fixed[d] = +input.value; isHeld = true; drawGrid(); isHeld = false; };
    row.append(name, input, element("output"));
    return row;
  }));
  box.dataset.key = key;
  rest.forEach((d, k) => {
    const [, input, value] = box.children[k].children;
    input.value = fixed[d]; value.textContent = `${fixed[d] + a.low[d]}; rows ${a.index[axes[0]]}, columns ${a.index[axes[1]]}`;
  });
}

// ---- storage
function drawParts() {
  const box = $("parts"), a = array, soft = words => box.append(element("span", words, "soft"));
  box.textContent = "";
  for (const part of a.parts) {
    const {name, kind, copies, banks, operands, taps, until} = part, what = [kind, times(part.words, "word")];
    if (copies > 1) what.push(copies + " copies");
    if (part.primitive) what.push(part.primitive);
    if (operands !== "all") what.push("for " + times(operands.length, "operand"));
    if (part.takes) what.push("takes a part of the writes");
    if (banks > 1) what.push(banks + " banks");
    box.append(element("h3", `${name}: ${what.join(", ")}`));
    if (taps || until) {
      const at = new Set((taps || []).map(tap => tap[2]));
      soft("newest first" + (taps ? "; the bar marks a tap: " + [...at].filter(tap => tap >= 0).join(", ") : ""));
      squares(a, line(a, part), name, at, part);
    } else for (let bank = 0; bank < banks; bank++) {
      if (banks > 1) soft("bank " + bank);
      squares(a, wordsOf(part.bank_words, w => part.ofWord(bank * part.bank_words + w)), banks > 1 ? `${name}, bank ${bank}` : name, null, part);
    }
    if (kind === "ram" && copies > 1) soft(`each of the ${copies} copies holds the same`);
  }
  if (!a.parts.length) squares(a, wordsOf(a.cells, hasTime ? a.ofCell : () => []), a.name);
}
// Words with the value that stands in each now: its element and its number, -1 for none.
const word = (v, n) => ({p: v < 0 ? -1 : array.pos[v], v, n});
const wordsOf = (size, group) => Array.from({length: size}, (_, n) => word(valueAt(array, group(n), step), n));
// A chain or a queue, from the newest element.
function line(a, part) {
  const found = [], add = v => found.push(word(v, found.length)), {pushed} = part;
  // Elements from before the start were pushed first.
  const done = a.start.length - a.W + a.writes.at[step + 1];
  if (pushed) for (let k = 1; k <= part.slots; k++) add(k > done ? -1 : valueAt(a, a.ofPos(pushed[done - k]), step));
  else for (let w = a.writes.at[step + 1] - 1; w >= 0 && found.length < part.words; w--) if (part.until[w] >= step) add(w);
  while (found.length < part.words) add(-1);
  return found;
}
function squares(a, words, label, tapped, part) {
  const box = $("parts"), canvas = element("canvas"), left = 40, top = 6, room = $("right").clientWidth - left - 2, all = words.length;
  const moduli = (a.pieces ? a.pieces[0].modulus : []).filter(m => m > 1), row = moduli[moduli.length - 1];
  const isGrid = !tapped && moduli.length > 1 && all === a.cells && row <= 64;
  const columns = clamp(isGrid ? row : ceil(sqrt(1.6 * all)), 1, max(1, min(floor(room / 4), all))), s = clamp(floor(room / columns), 4, 26);
  const seen = min(all, columns * ceil(480 / s)), mine = words.findIndex(w => chosen >= 0 && w.p === chosen);
  const now = mine >= 0 ? mine : words.findIndex(w => w.v >= 0 && a.start[w.v] === step);
  const from = clamp(floor((now - seen / 2) / columns) * columns, 0, all - seen);
  const pen = brush(canvas, left + columns * s + 2, ceil(seen / columns) * s + top + 2), marks = [];
  const hits = touched(a).filter(hit => hit.kind === "written" || a.parts.length < 2 || a.parts[hit.part] === part);
  for (let k = 0; k < seen; k++) {
    const w = words[from + k], x = left + k % columns * s, y = floor(k / columns) * s + top, held = w.p >= 0, size = s - 1;
    if (k % columns === 0 && k / columns % ceil(13 / s) === 0) pen.write(css("soft"), w.n, left - 6, y + s / 2, "right");
    const living = hasTime ? held && isAlive(a, w.v, step) : true, tone = living && toneOf(held ? a.cellOf[w.p] : w.n);
    pen.fill(tone ? rgb(tone) : css(held ? "dead" : "wash"), x, y, size, size);
    if (held && s >= 24 && a.sides.length < 3) {
      const inside = pointOf(a, w.p).join(",");
      pen.write(tone ? inkOn(tone) : css("ink"), inside, x + size / 2, y + s / 2, "center", min(10, 41 / max(4, inside.length)));
    }
    if (tapped && tapped.has(from + k)) marks.push(() => { pen.fill(css("paper"), x, y + s - 6, size, 5); pen.fill(css("ink"), x, y + s - 5, size, 3); });
    for (const hit of hits) if (held && hit.pos === w.p && (living || hit.kind === "read")) marks.push(() => mark(pen, hit.kind, x, y, size));
    if (chosen >= 0 && (hasTime ? w.p === chosen : w.n === a.cellOf[chosen])) marks.push(() => mark(pen, "chosen", x, y, size));
  }
  // Behind all squares: a neighbour would paint over half a ring.
  marks.forEach(put => put());
  Object.assign(canvas, {role: "application", tabIndex: 0, ariaLabel: `words of ${label}; arrows move the choice`});
  canvas.dataset.part = label;
  const pick = k => { if (words[k] && words[k].p >= 0) choose(words[k].p); };
  canvas.onclick = e => pick(from + floor((e.offsetY - top) / s) * columns + floor((e.offsetX - left) / s));
  canvas.onkeydown = e => arrow(e, (down, right) => {
    const by = down * columns + right;
    let k = mine + by;
    while (words[k] && words[k].p < 0) k += by;
    pick(k);
    box.querySelector(`[data-part="${label}"]`).focus();
  });
  box.append(canvas);
  if (seen < all) box.append(element("span", `words ${from} to ${from + seen - 1} of ${all}`, "soft"));
}
function legend() {
  const kinds = hasTime ? {alive: "alive, colour = its cell", wash: "not written yet", dead: "dead", read: "read now", written: "written now", chosen: "chosen", tenant: "same cell"}
    : {alive: "colour = its cell", chosen: "chosen", tenant: "same cell", conflict: "in conflict"};
  $("legend").replaceChildren(...Object.entries(kinds).map(([kind, words]) => {
    const item = element("span"), c = element("canvas"), pen = brush(c, 16, 16);
    if (kind === "alive") VIRIDIS.forEach((tone, k) => pen.fill(rgb(tone), 3 + k, 3, 1, 10));
    else if (kind === "dead" || kind === "wash") { pen.fill(css(kind), 3, 3, 10, 10); pen.frame(css("line"), 1, 3.5, 3.5, 9, 9); }
    else mark(pen, kind, 3, 3, 10);
    item.append(c, words);
    return item;
  }));
}
