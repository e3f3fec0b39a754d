"use strict";
// Replays a plan: cells are computed here, from the mapping, and every read is judged.
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = id => document.getElementById(id);
const FIRST = DATA.window ? DATA.window.first : 0, ALL = DATA.window ? DATA.window.steps : DATA.steps;
const NEVER = -1;

// ---- columns: [first, difference, length, ..] -> typed array
function expand(runs) {
  let size = 0;
  for (let k = 2; k < runs.length; k += 3) size += runs[k];
  const found = new Int32Array(size);
  for (let k = 0, at = 0; k < runs.length; k += 3)
    for (let j = 0, value = runs[k]; j < runs[k + 2]; j++, value += runs[k + 1]) found[at++] = value;
  return found;
}
const bits = runs => runs && Uint8Array.from(expand(runs));
const mod = (a, b) => ((a % b) + b) % b;

const statements = DATA.statements.map((s, id) => ({
  ...s, id, step: expand(s.step), iteration: s.iteration.map(expand)}));
const arrays = {};
for (const [name, a] of Object.entries(DATA.arrays)) arrays[name] = prepared(name, a);

function prepared(name, a) {
  const low = a.box.map(b => b[0]), sides = a.box.map(b => b[1] - b[0] + 1);
  const size = sides.reduce((p, q) => p * q, 1);
  const table = a.cell_table ? expand(a.cell_table) : null;
  const found = {...a, whole: a.curve, name, low, sides, size, cellOf: new Int32Array(size)};
  const piece = a.pieces && a.pieces[0], point = low.slice();
  for (let p = 0; p < size; p++) {
    if (table) found.cellOf[p] = table[p];
    else {
      let cell = 0;
      for (let r = 0; r < piece.matrix.length; r++) {
        let form = piece.offset[r];
        for (let d = 0; d < point.length; d++) form += piece.matrix[r][d] * point[d];
        cell = cell * piece.modulus[r] + mod(form, piece.modulus[r]);
      }
      found.cellOf[p] = cell;
    }
    for (let d = point.length - 1; d >= 0; d--) {
      if (++point[d] < low[d] + sides[d]) break;
      point[d] = low[d];
    }
  }
  return found;
}
const pointOf = (a, p) => {
  const x = [];
  for (let d = a.sides.length - 1; d >= 0; d--) { x[d] = p % a.sides[d] + a.low[d]; p = Math.floor(p / a.sides[d]); }
  return x;
};
const posOf = (a, x) => x.reduce((p, v, d) => p * a.sides[d] + v - a.low[d], 0);
const text = (a, p) => a.name + pointOf(a, p).map(v => "[" + v + "]").join("");

// ---- what happens at which step: offsets by step, then entries
function byStep(columns) {
  const at = new Int32Array(DATA.steps + 2);
  for (const c of columns) for (let k = 0; k < c.step.length; k++) if (c.keep(k)) at[c.step[k] + 1]++;
  for (let s = 0; s <= DATA.steps; s++) at[s + 1] += at[s];
  const size = at[DATA.steps], who = new Uint16Array(size), which = new Int32Array(size), fill = at.slice();
  columns.forEach((c, id) => {
    for (let k = 0; k < c.step.length; k++) if (c.keep(k)) { const e = fill[c.step[k]]++; who[e] = id; which[e] = k; }
  });
  return {at, who, which};
}
const runs = byStep(statements.map(s => ({step: s.step, keep: () => true})));

function touches(a, kind) {
  const found = [];
  for (const s of statements) s.accesses.forEach((x, number) => {
    if (x.array !== a.name || x.kind !== kind) return;
    const present = bits(x.present), pos = new Int32Array(s.count);
    x.element.forEach((column, d) => {
      const values = expand(column);
      for (let k = 0; k < s.count; k++) pos[k] = pos[k] * a.sides[d] + values[k] - a.low[d];
    });
    found.push({statement: s, access: x, number, step: s.step, pos, wire: bits(x.wire), keep: k => !present || present[k]});
  });
  return {...byStep(found), list: found};
}

// ---- the sweep: who holds each cell, which read is wrong, how many live
function sweep(a) {
  const reads = touches(a, "read"), writes = touches(a, "write"), {cellOf} = a;
  const before = a.live_in ? expand(a.live_in) : new Int32Array(0);
  const after = a.live_out ? expand(a.live_out) : new Int32Array(0);
  const W = writes.who.length, values = W + before.length;
  const start = new Int32Array(values).fill(-1), last = new Int32Array(values).fill(NEVER);
  const reader = new Int32Array(values).fill(-1), pos = new Int32Array(values);
  const now = new Int32Array(a.size).fill(-1), holder = new Int32Array(Math.max(a.cells, 1)).fill(-1);
  before.forEach((p, k) => { pos[W + k] = p; now[p] = W + k; holder[cellOf[p]] = p; });
  let wrong = null, count = 0, wires = 0;
  for (let s = 0; s < DATA.steps; s++) {
    for (let e = reads.at[s]; e < reads.at[s + 1]; e++) {
      const t = reads.list[reads.who[e]], k = reads.which[e], p = t.pos[k];
      if (t.wire && t.wire[k]) { wires++; continue; }
      count++;
      if (holder[cellOf[p]] !== p && !wrong) wrong = {step: s, pos: p, found: holder[cellOf[p]]};
      if (now[p] >= 0) { last[now[p]] = s; reader[now[p]] = e; }
    }
    for (let w = writes.at[s]; w < writes.at[s + 1]; w++) {
      const p = writes.list[writes.who[w]].pos[writes.which[w]];
      pos[w] = p; start[w] = s; now[p] = w; holder[cellOf[p]] = p;
    }
  }
  for (const p of after) {
    if (now[p] >= 0) last[now[p]] = DATA.steps;
    if (holder[cellOf[p]] !== p && !wrong) wrong = {step: DATA.steps, pos: p, found: holder[cellOf[p]]};
  }
  // A value lives from its write, before it the reads of the step are over, to its last read.
  const change = new Int32Array(DATA.steps + 3), late = DATA.strict ? 1 : 0;
  let alive = 0;
  for (let v = 0; v < values; v++) {
    if (last[v] === NEVER) continue;
    if (v < W) change[start[v]]++; else alive++;
    change[Math.min(last[v] + (last[v] < DATA.steps ? late : 1), DATA.steps + 1)]--;
  }
  const curve = new Int32Array(DATA.steps);
  let most = alive, peak = 0;
  for (let s = 0; s < DATA.steps; s++) {
    let own = alive += change[s], dead = 0;
    for (let w = writes.at[s]; w < writes.at[s + 1]; w++) if (last[w] === NEVER) dead = 1;
    curve[s] = own + dead;
    if (curve[s] > most) { most = curve[s]; peak = s; }
  }
  Object.assign(a, {reads, writes, start, last, reader, valuePos: pos, W, values, wrong, count, wires, curve, most, peak});
  a.ofPos = grouped(pos, a.size, start);
  a.ofCell = grouped(pos.map(p => cellOf[p]), Math.max(a.cells, 1), start);
  a.parts.forEach((part, index) => replayPart(a, part, index));
}

// Values by position or cell, in order of time: offsets and ids.
function grouped(key, size, start) {
  const at = new Int32Array(size + 1), ids = new Int32Array(key.length);
  for (const k of key) at[k + 1]++;
  for (let k = 0; k < size; k++) at[k + 1] += at[k];
  const fill = at.slice();
  for (let v = key.length - 1; v >= 0 && start[v] < 0; v--) ids[fill[key[v]]++] = v;
  for (let v = 0; v < key.length; v++) if (start[v] >= 0) ids[fill[key[v]]++] = v;
  return {at, ids};
}
// The last value of a group that began at or before a step; -1 for none.
function valueAt(a, group, key, step) {
  let low = group.at[key], high = group.at[key + 1];
  while (low < high) { const m = (low + high) >> 1; a.start[group.ids[m]] <= step ? low = m + 1 : high = m; }
  return low > group.at[key] ? group.ids[low - 1] : -1;
}
const isAlive = (a, v, step) => v >= 0 && (a.last[v] >= step || a.start[v] === step);

// ---- parts: a chain by shifting, tables word by word, queues by what is still read
function replayPart(a, part, index) {
  const own = t => a.parts.length < 2 || t.access.part === index;
  if (part.takes) {
    const flags = expand(part.takes);
    let k = 0;
    part.taken = new Uint8Array(a.size);
    for (const t of a.writes.list) for (const p of t.pos) if (flags[k++]) part.taken[p] = 1;
  }
  if (part.table) {
    const word = part.wordOf = expand(part.table), holder = new Map();
    judge(a, part, own, p => holder.get(word[p]), p => holder.set(word[p], p));
  } else if (part.taps) {
    const pushed = part.pushed = new Int32Array(a.writes.who.length);
    const taps = new Map(part.taps.map(([name, number, tap]) => [name + "." + number, tap]));
    let n = 0;
    judge(a, part, own, (p, t) => {
      const tap = taps.get(t.statement.name + "." + t.number);
      return tap === undefined ? p : tap < n ? pushed[n - 1 - tap] : undefined;
    }, p => { pushed[n++] = p; });
  } else if (part.bank) {
    part.bankOf = expand(part.bank); part.offsetOf = expand(part.offset);
  } else if (a.parts.length > 1) {
    // Nothing says at which word: what was taken and is still read stands in a queue.
    part.until = new Int32Array(a.values).fill(NEVER);
    const now = new Int32Array(a.size).fill(-1);
    let w = 0;
    judge(a, part, own, (p, t, s) => { part.until[now[p]] = s; return p; }, p => { now[p] = w; }, k => { w = k; });
    part.judged = undefined;
  }
}
function judge(a, part, own, found, write, at) {
  if (a.live_in) expand(a.live_in).forEach(write);
  part.wrong = null; part.judged = 0;
  for (let s = 0; s < DATA.steps; s++) {
    for (let e = a.reads.at[s]; e < a.reads.at[s + 1]; e++) {
      const t = a.reads.list[a.reads.who[e]], k = a.reads.which[e], p = t.pos[k];
      if (!own(t) || t.wire && t.wire[k]) continue;
      part.judged++;
      const q = found(p, t, s);
      if (q !== p && !part.wrong) part.wrong = {step: s, pos: p, found: q === undefined ? -1 : q};
    }
    for (let w = a.writes.at[s]; w < a.writes.at[s + 1]; w++) {
      const p = a.writes.list[a.writes.who[w]].pos[a.writes.which[w]];
      if (at) at(w);
      if (!part.taken || part.taken[p]) write(p);
    }
  }
}

// ---- words
const number = n => n.toLocaleString("en").replace(/,/g, "\u2009");
const times = (n, what) => n + " " + what + (n === 1 ? "" : "s");
const at = (s, k) => s.name + (s.loops.length ? " at " + s.loops.map((l, d) => l + "=" + s.iteration[d][k]).join(", ") : "");
const shown = step => step + FIRST;
const writerText = (a, v) => v >= a.W ? (DATA.window ? "before this part of the run" : "before the start")
  : "at step " + shown(a.start[v]) + " by " + at(a.writes.list[a.writes.who[v]].statement, a.writes.which[v]);
const readerText = (a, v) => a.last[v] === DATA.steps ? (DATA.window ? "after this part of the run" : "after the end")
  : "at step " + shown(a.last[v]) + " by " + readerName(a, v);
const readerName = (a, v) => { const e = a.reader[v]; return at(a.reads.list[a.reads.who[e]].statement, a.reads.which[e]); };
function wrongText(a, w) {
  const when = w.step === DATA.steps ? "after the end" : "step " + shown(w.step);
  return `${when}, ${text(a, w.pos)} finds ${w.found < 0 ? "nothing" : text(a, w.found)}`;
}
function element(tag, words, cls) {
  const e = document.createElement(tag);
  if (words !== undefined) e.textContent = words;
  if (cls) e.className = cls;
  return e;
}

// ---- state
const hasTime = DATA.steps > 0, names = Object.keys(arrays);
let array, step = 0, chosen = -1, playing = 0, corner = null, fixed = [];
if (hasTime) names.forEach(n => sweep(arrays[n]));
// Colours are asked for once a scheme: asking is slow.
let colours = {};
const css = name => colours[name] = colours[name] || getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const VIRIDIS = ["440154", "482878", "3e4989", "31688e", "26828e", "1f9e89", "35b779", "6ece58", "b5de2b", "fde725"]
  .map(h => [0, 2, 4].map(k => parseInt(h.substr(k, 2), 16)));
function colour(part) {
  const x = Math.min(Math.max(part, 0), 1) * 9, k = Math.min(8, Math.floor(x)), f = x - k;
  return VIRIDIS[k].map((v, i) => Math.round(v + (VIRIDIS[k + 1][i] - v) * f));
}
const cellColour = c => colour(array.cells > 1 ? c / (array.cells - 1) : 0);
const rgb = c => `rgb(${c})`;
const inkOn = c => c[0] * .3 + c[1] * .59 + c[2] * .11 > 130 ? "#000" : "#fff";

function brush(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * ratio)); canvas.height = Math.max(1, Math.round(height * ratio));
  canvas.style.width = width + "px"; canvas.style.height = height + "px";
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  return g;
}
// Marks differ in shape, not in colour alone; a ring of paper around each keeps them apart.
function mark(g, kind, x, y, s) {
  const t = Math.max(2, Math.min(3, s / 8));
  g.lineWidth = t + 2; g.strokeStyle = css("--paper"); g.setLineDash([]);
  if (kind === "tenant") {
    const r = Math.max(1.8, s / 6);
    g.beginPath(); g.arc(x + s / 2, y + s / 2, r, 0, 7); g.fillStyle = css("--chosen"); g.stroke(); g.fill();
    return;
  }
  if (kind === "conflict") {
    for (const [tone, wide] of [["#fff", 2.4], ["#000", 1]]) {
      g.strokeStyle = tone; g.lineWidth = wide;
      g.beginPath(); g.moveTo(x + 1, y + 1); g.lineTo(x + s - 1, y + s - 1); g.stroke();
    }
    return;
  }
  const pad = s < 10 ? -2.5 : 0;
  g.strokeRect(x + pad, y + pad, s - 2 * pad, s - 2 * pad);
  g.lineWidth = t;
  g.strokeStyle = css({read: "--read", written: "--ink", chosen: "--chosen"}[kind]);
  if (kind === "chosen") g.setLineDash([3, 2]);
  g.strokeRect(x + pad, y + pad, s - 2 * pad, s - 2 * pad);
  g.setLineDash([]);
  if (kind === "written") {
    const c = Math.max(7, s * .45); g.fillStyle = css("--ink");
    g.beginPath(); g.moveTo(x + s - pad, y + pad); g.lineTo(x + s - pad - c, y + pad); g.lineTo(x + s - pad, y + pad + c); g.fill();
  }
}

// What the instances of this step touch: [position, kind, statement, instance, access entry]
function touched(a) {
  const found = [];
  if (!hasTime) return found;
  for (const [table, kind] of [[a.reads, "read"], [a.writes, "written"]])
    for (let e = table.at[step]; e < table.at[step + 1]; e++) {
      const t = table.list[table.who[e]], k = table.which[e];
      found.push({pos: t.pos[k], kind, t, k, e, wire: !!(t.wire && t.wire[k])});
    }
  return found;
}

// ---- life curve
function drawLife() {
  if (!hasTime) return;
  const c = $("life"), w = c.parentElement.clientWidth, h = 74, g = brush(c, w, h), a = array;
  const top = 9, foot = h - 6, most = Math.max(a.cells, a.most, 1), y = v => foot - (foot - top) * v / most;
  const x = s => DATA.steps > 1 ? 1 + (w - 2) * s / (DATA.steps - 1) : w / 2;
  if (!a.shape || a.shape.length !== w) {
    a.shape = new Int32Array(w);
    for (let px = 0; px < w; px++)
      for (let s = Math.floor(px / w * DATA.steps), to = Math.max(s + 1, Math.floor((px + 1) / w * DATA.steps)); s < to && s < DATA.steps; s++)
        a.shape[px] = Math.max(a.shape[px], a.curve[s]);
  }
  g.fillStyle = css("--live"); g.beginPath(); g.moveTo(0, foot);
  a.shape.forEach((m, px) => { g.lineTo(px, y(m)); g.lineTo(px + 1, y(m)); });
  g.lineTo(w, foot); g.fill();
  g.lineWidth = 1.5; g.strokeStyle = css("--planned");
  g.beginPath(); g.moveTo(0, y(a.cells)); g.lineTo(w, y(a.cells)); g.stroke();
  const low = a.most === a.cells ? 2.5 : 0;
  g.strokeStyle = css("--bound"); g.setLineDash([5, 3]);
  g.beginPath(); g.moveTo(0, y(a.most) + low); g.lineTo(w, y(a.most) + low); g.stroke(); g.setLineDash([]);
  if (chosen >= 0) {
    g.fillStyle = css("--chosen");
    for (let k = a.ofPos.at[chosen]; k < a.ofPos.at[chosen + 1]; k++) {
      const v = a.ofPos.ids[k], from = x(Math.max(0, a.start[v])), to = x(Math.min(DATA.steps - 1, Math.max(a.last[v], a.start[v])));
      g.fillRect(from, foot, Math.max(2, to - from), 4);
    }
  }
  g.strokeStyle = g.fillStyle = css("--ink"); g.lineWidth = 1.5;
  g.beginPath(); g.moveTo(x(step), 0); g.lineTo(x(step), h); g.stroke();
  g.beginPath(); g.arc(x(step), y(a.curve[step]), 4, 0, 7); g.fill();
  drawWhole(a, w);
  c.setAttribute("aria-valuemax", DATA.steps - 1); c.setAttribute("aria-valuenow", step);
  c.setAttribute("aria-valuetext", $("now").textContent);
}

// Where the page has a part of the run: the curve of all of it, the part framed.
function drawWhole(a, w) {
  $("whole").hidden = !(DATA.window && a.whole);
  if ($("whole").hidden) return;
  const [width, ...alive] = a.whole, h = 26, g = brush($("whole"), w, h), most = Math.max(...alive, 1), x = s => s / (width * alive.length) * w;
  g.fillStyle = css("--live");
  alive.forEach((n, k) => g.fillRect(x(k * width), h - 4 - (h - 6) * n / most, x(width) + 1, (h - 6) * n / most));
  g.strokeStyle = css("--ink"); g.lineWidth = 1.5;
  g.strokeRect(x(FIRST) + 1, 1, Math.max(3, x(DATA.steps) - 2), h - 4);
}

// ---- the array as a grid
function layout(a, width) {
  const rank = a.sides.length;
  let axes = [Math.max(0, rank - 2), rank - 1], columns, rows;
  if (rank < 2) { columns = Math.min(a.size, Math.max(8, Math.ceil(Math.sqrt(a.size * 1.6)))); rows = Math.ceil(a.size / columns); axes = null; }
  else { rows = a.sides[axes[0]]; columns = a.sides[axes[1]]; }
  let size = Math.min(26, Math.floor((width - 34) / columns));
  let part = null;
  if (size < 3) {
    const many = Math.min(columns, 64), tall = Math.min(rows, 64);
    part = {columns: many, rows: tall};
    size = Math.max(3, Math.min(26, Math.floor((width - 34) / many)));
  } else if (rows * size > 1400) part = {columns, rows: Math.min(rows, Math.max(16, Math.floor(420 / size)))};
  return {axes, columns, rows, size, part};
}
let grid = null;
const posAt = (a, r, c) => {
  if (!grid.axes) return r * grid.columns + c;
  const x = fixed.slice(); x[grid.axes[0]] = r; x[grid.axes[1]] = c;
  return x.reduce((p, v, d) => p * a.sides[d] + v, 0);
};
const placeOf = (a, p) => {
  if (!grid.axes) return [Math.floor(p / grid.columns), p % grid.columns, true];
  const x = pointOf(a, p).map((v, d) => v - a.low[d]);
  return [x[grid.axes[0]], x[grid.axes[1]], x.every((v, d) => grid.axes.includes(d) || v === fixed[d])];
};
function follow(p) {
  if (p < 0 || held) return;
  const x = pointOf(array, p).map((v, d) => v - array.low[d]);
  if (grid && grid.axes) x.forEach((v, d) => { if (!grid.axes.includes(d)) fixed[d] = v; });
  if (grid && grid.part) {
    const [r, c] = placeOf(array, p);
    const shift = (at, from, many, all) => at >= from && at < from + many ? from : Math.max(0, Math.min(all - many, at - (many >> 1)));
    corner = [shift(r, corner ? corner[0] : 0, grid.part.rows, grid.rows), shift(c, corner ? corner[1] : 0, grid.part.columns, grid.columns)];
  }
}
function drawGrid() {
  const a = array, c = $("grid"), width = $("middle").clientWidth;
  grid = layout(a, width);
  if (fixed.length !== a.sides.length) fixed = a.sides.map(() => 0);
  const hits = touched(a);
  corner = corner || [0, 0];
  if (chosen >= 0) follow(chosen); else if (hits.length) follow(hits[hits.length - 1].pos);
  if (!grid.part) corner = [0, 0];
  const rows = grid.part ? grid.part.rows : grid.rows, columns = grid.part ? grid.part.columns : grid.columns, s = grid.size;
  const left = 34, top = 18, g = brush(c, Math.min(width, left + columns * s + 2), top + rows * s + 3);
  g.font = "11px system-ui, sans-serif"; g.textBaseline = "middle";
  const origin = grid.axes ? [a.low[grid.axes[0]], a.low[grid.axes[1]]] : [0, 0];
  const every = Math.max(1, [1, 2, 4, 8, 16, 32, 64].find(n => n * s >= 40) || 64);
  g.fillStyle = css("--soft");
  for (let k = 0; k < columns; k++) if ((corner[1] + k) % every === 0) { g.textAlign = "center"; g.fillText(origin[1] + corner[1] + k, left + k * s + s / 2, 9); }
  g.textAlign = "right";
  for (let k = 0; k < rows; k++) if ((corner[0] + k) % every === 0)
    g.fillText(grid.axes ? origin[0] + corner[0] + k : a.low[0] + (corner[0] + k) * grid.columns || 0, left - 5, top + k * s + s / 2);
  const gap = s > 5 ? 1 : 0, small = Math.min(11, s * .42);
  g.textAlign = "center";
  const wash = css("--wash"), dead = css("--dead"), line = css("--line");
  for (let r = 0; r < rows; r++) for (let k = 0; k < columns; k++) {
    const p = posAt(a, corner[0] + r, corner[1] + k);
    if (p >= a.size) continue;
    const x = left + k * s, y = top + r * s;
    const v = hasTime ? valueAt(a, a.ofPos, p, step) : 0, living = !hasTime || isAlive(a, v, step);
    const tone = living ? cellColour(a.cellOf[p]) : null;
    g.fillStyle = tone ? rgb(tone) : v < 0 ? wash : dead;
    g.fillRect(x, y, s - gap, s - gap);
    if (v < 0 && s >= 8) { g.strokeStyle = line; g.lineWidth = .5; g.strokeRect(x + .5, y + .5, s - gap - 1, s - gap - 1); }
    if (tone && s >= 19) { g.fillStyle = inkOn(tone); g.font = small + "px system-ui"; g.fillText(a.cellOf[p], x + s / 2, y + s / 2 + .5); }
  }
  const put = (p, kind) => {
    const [r, k, inside] = placeOf(a, p);
    if (inside && r >= corner[0] && r < corner[0] + rows && k >= corner[1] && k < corner[1] + columns)
      mark(g, kind, left + (k - corner[1]) * s, top + (r - corner[0]) * s, s - gap);
  };
  if (chosen >= 0) {
    for (const p of sharing(a, chosen)) if (p !== chosen) put(p, "tenant");
    if (!hasTime && a.differences) for (const d of a.differences) {
      const x = pointOf(a, chosen).map((v, k) => v + d[k]);
      if (d.some(v => v) && x.every((v, k) => v >= a.low[k] && v < a.low[k] + a.sides[k])) put(posOf(a, x), "conflict");
    }
  }
  for (const h of hits) put(h.pos, h.kind);
  if (chosen >= 0) put(chosen, "chosen");
  drawOverview();
  sliders();
}
function sharing(a, p) {
  const cell = a.cellOf[p], found = new Set();
  if (!hasTime) { for (let q = 0; q < a.size; q++) if (a.cellOf[q] === cell) found.add(q); return found; }
  for (let k = a.ofCell.at[cell]; k < a.ofCell.at[cell + 1]; k++) found.add(a.valuePos[a.ofCell.ids[k]]);
  return found;
}
function drawOverview() {
  const c = $("overview"), a = array;
  c.hidden = !(hasTime && grid.part && grid.axes);
  if (c.hidden) return;
  const width = Math.min(260, $("middle").clientWidth), scale = Math.max(grid.columns / width, grid.rows / 180);
  const w = Math.max(1, Math.floor(grid.columns / scale)), h = Math.max(1, Math.floor(grid.rows / scale)), g = brush(c, w, h);
  const wash = css("--wash"), dead = css("--dead"), dot = 2;
  g.fillStyle = wash; g.fillRect(0, 0, w, h);
  for (let y = 0; y < h; y += dot) for (let x = 0; x < w; x += dot) {
    const p = posAt(a, Math.min(grid.rows - 1, Math.floor(y * scale)), Math.min(grid.columns - 1, Math.floor(x * scale)));
    const v = valueAt(a, a.ofPos, p, step);
    if (v < 0) continue;
    g.fillStyle = isAlive(a, v, step) ? rgb(cellColour(a.cellOf[p])) : dead;
    g.fillRect(x, y, dot, dot);
  }
  g.strokeStyle = css("--ink"); g.lineWidth = 1.5;
  g.strokeRect(corner[1] / scale, corner[0] / scale, Math.max(3, grid.part.columns / scale), Math.max(3, grid.part.rows / scale));
}
function sliders() {
  const box = $("sliders"), a = array;
  if (!grid.axes || a.sides.length < 3) { box.textContent = ""; return; }
  if (box.children.length !== a.sides.length - 2) {
    box.textContent = "";
    a.sides.forEach((side, d) => {
      if (grid.axes.includes(d)) return;
      const label = element("label", a.index[d] + " "), input = element("input"), value = element("output");
      Object.assign(input, {type: "range", min: 0, max: side - 1});
      input.dataset.axis = d;
      input.oninput = () => { fixed[d] = +input.value; drawFixed(); };
      label.append(input, value); box.append(label);
    });
  }
  for (const label of box.children) {
    const [input, value] = label.children;
    input.value = fixed[input.dataset.axis]; value.textContent = " " + (fixed[input.dataset.axis] + a.low[input.dataset.axis]);
  }
}
let held = false;
function drawFixed() { held = true; drawGrid(); held = false; }

// ---- storage
function drawParts() {
  const box = $("parts"), a = array, width = $("right").clientWidth;
  box.textContent = "";
  for (const part of a.parts) {
    const what = [part.kind, times(part.words, "word")];
    if (part.copies > 1) what.push(part.copies + " copies");
    if (part.primitive) what.push(part.primitive);
    if (part.operands !== "all") what.push("for " + times(part.operands.length, "operand"));
    if (part.takes) what.push("takes a part of the writes");
    const banks = part.wordOf ? part.banks : part.bankOf ? part.banks : 1;
    box.append(element("h3", `${part.name}: ${what.join(", ")}${banks > 1 ? `, ${banks} banks` : ""}`));
    if (part.pushed) strip(box, a, part, width);
    else if (part.until) queue(box, a, part, width);
    else for (let b = 0; b < banks; b++) {
      if (banks > 1) box.append(element("span", "bank " + b, "soft"));
      squares(box, wordsOf(a, part, b, banks), width, banks > 1 ? `${part.name}, bank ${b}` : part.name, null, part);
    }
    if (part.kind === "ram" && part.copies > 1) box.append(element("span", `each of the ${part.copies} copies holds the same`, "soft"));
  }
  if (!a.parts.length) squares(box, wordsOf(a, {}, 0, 1), width, a.name);
}
// [value or -1] of each word of a bank, now.
function wordsOf(a, part, bank, banks) {
  const found = [];
  if (part.wordOf) {
    for (let w = 0; w < part.bank_words; w++) found.push({p: -1, v: -1, n: w});
    for (let p = 0; p < a.size; p++) {
      const w = part.wordOf[p];
      if (Math.floor(w / part.bank_words) !== bank || part.taken && !part.taken[p]) continue;
      const v = valueAt(a, a.ofPos, p, step), slot = found[w % part.bank_words];
      if (v >= 0 && (slot.v < 0 || a.start[slot.v] < a.start[v])) Object.assign(slot, {p, v});
    }
    return found;
  }
  for (let cell = 0; cell < a.cells; cell++) {
    if (part.bankOf && part.bankOf[cell] !== bank) continue;
    const v = hasTime ? valueAt(a, a.ofCell, cell, step) : -1;
    const slot = {p: v >= 0 ? a.valuePos[v] : -1, v, n: cell, cell};
    if (part.bankOf) found[part.offsetOf[cell]] = slot; else found.push(slot);
  }
  return Array.from(found, slot => slot || {p: -1, v: -1, n: ""});
}
function squares(box, words, width, label, tapped, part) {
  const a = array, canvas = element("canvas"), moduli = a.pieces && a.pieces[0].modulus.filter(m => m > 1) || [];
  let columns = Math.ceil(Math.sqrt(1.6 * words.length));
  if (!tapped && moduli.length > 1 && words.length === a.cells && moduli[moduli.length - 1] <= 64) columns = moduli[moduli.length - 1];
  columns = Math.max(1, Math.min(columns, Math.floor((width - 42) / 4), words.length));
  const s = Math.max(4, Math.min(26, Math.floor((width - 42) / columns)));
  const seen = Math.min(words.length, columns * Math.ceil(480 / s));
  const active = words.findIndex(w => w.p >= 0 && w.p === chosen);
  let from = 0;
  if (seen < words.length) {
    const now = active >= 0 ? active : words.findIndex(w => w.v >= 0 && a.start[w.v] === step);
    from = Math.max(0, Math.min(words.length - seen, Math.floor((Math.max(0, now) - seen / 2) / columns) * columns));
    from = Math.max(0, from);
  }
  const rows = Math.ceil(seen / columns), left = 40, g = brush(canvas, left + columns * s + 2, rows * s + 3);
  const serves = h => h.kind !== "read" || a.parts.length < 2 || a.parts[h.t.access.part] === part;
  const hits = touched(a).filter(serves);
  g.textBaseline = "middle";
  const inside = s >= 24 && a.sides.length < 3, marks = [];
  for (let k = 0; k < seen && from + k < words.length; k++) {
    const w = words[from + k], x = left + k % columns * s, y = Math.floor(k / columns) * s + 1;
    if (k % columns === 0) { g.fillStyle = css("--soft"); g.font = "11px system-ui"; g.textAlign = "right"; if (k / columns % Math.ceil(13 / s) === 0) g.fillText(w.n, left - 6, y + s / 2); }
    const living = w.p >= 0 && isAlive(a, w.v, step), tone = living ? cellColour(w.cell === undefined ? a.cellOf[w.p] : w.cell) : null;
    g.fillStyle = tone ? rgb(tone) : !hasTime ? rgb(cellColour(w.cell)) : w.p < 0 ? css("--wash") : css("--dead");
    g.fillRect(x, y, s - 1, s - 1);
    if (w.p >= 0 && inside) {
      g.fillStyle = tone ? inkOn(tone) : css("--ink"); g.textAlign = "center";
      const words = pointOf(a, w.p).join(","); g.font = Math.min(10, 41 / Math.max(4, words.length)) + "px system-ui";
      g.fillText(words, x + s / 2 - .5, y + s / 2);
    }
    if (tapped && tapped.has(from + k)) marks.push(() => { g.fillStyle = css("--paper"); g.fillRect(x, y + s - 6, s - 1, 5); g.fillStyle = css("--ink"); g.fillRect(x, y + s - 5, s - 1, 3); });
    for (const h of hits) if (h.pos === w.p && w.p >= 0 && (living || h.kind === "read")) marks.push(() => mark(g, h.kind, x, y, s - 1));
    if (chosen >= 0 && (hasTime ? w.p === chosen : w.cell === a.cellOf[chosen])) marks.push(() => mark(g, "chosen", x, y, s - 1));
  }
  marks.forEach(put => put());
  canvas.setAttribute("role", "application"); canvas.tabIndex = 0;
  canvas.setAttribute("aria-label", `words of ${label}; arrows move the choice`);
  const pick = k => { if (words[k] && words[k].p >= 0) choose(words[k].p); };
  canvas.onclick = e => pick(from + Math.floor((e.offsetY - 1) / s) * columns + Math.floor((e.offsetX - left) / s));
  canvas.dataset.part = label;
  canvas.onkeydown = e => {
    const by = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns}[e.key];
    if (!by) return;
    e.preventDefault(); e.stopPropagation();
    let k = words.findIndex(w => w.p === chosen && w.p >= 0);
    for (k += by; k >= 0 && k < words.length; k += by) if (words[k].p >= 0) break;
    pick(k); const again = $("parts").querySelector(`[data-part="${label}"]`); if (again) again.focus();
  };
  box.append(canvas);
  if (seen < words.length) box.append(element("span", `words ${from} to ${from + seen - 1} of ${words.length}`, "soft"));
}
function queue(box, a, part, width) {
  const words = [];
  for (let w = a.writes.at[step + 1] - 1; w >= 0 && words.length < part.words; w--)
    if (part.until[w] >= step) words.push({p: a.valuePos[w], v: w, n: words.length});
  while (words.length < part.words) words.push({p: -1, v: -1, n: words.length});
  box.append(element("span", "newest first", "soft"));
  squares(box, words, width, part.name, new Set(), part);
}
function strip(box, a, part, width) {
  const n = a.writes.at[step + 1], words = [];
  for (let k = 0; k < part.slots; k++) {
    const p = n - 1 - k >= 0 ? part.pushed[n - 1 - k] : -1;
    words.push({p, v: p < 0 ? -1 : valueAt(a, a.ofPos, p, step), n: k});
  }
  box.append(element("span", "newest first; the bar marks a tap: " + [...new Set(part.taps.map(t => t[2]))].filter(t => t >= 0).join(", "), "soft"));
  squares(box, words, width, part.name, new Set(part.taps.map(t => t[2])), part);
}

// ---- source
function drawSource() {
  const box = $("source"), lines = new Map();
  if (!hasTime) return;
  let file = -1, first = 0;
  const mine = [];
  for (let e = runs.at[step]; e < runs.at[step + 1]; e++) mine.push([statements[runs.who[e]], runs.which[e]]);
  for (const [s] of mine) {
    if (s.file === null) continue;
    if (file < 0) file = s.file;
    if (s.file !== file) continue;
    lines.has(s.line) || lines.set(s.line, []); first = first || s.line;
    for (const x of s.accesses) if (x.line) { lines.has(x.line) || lines.set(x.line, []); if (x.file === file) lines.get(x.line).push(x); }
  }
  if (file < 0) file = DATA.sources.length ? 0 : -1;
  $("file").textContent = file < 0 ? "" : DATA.sources[file].name;
  if (file >= 0 && box.dataset.file !== String(file)) {
    box.dataset.file = file; box.textContent = "";
    DATA.sources[file].text.replace(/\n$/, "").split("\n").forEach((line, k) => {
      const row = element("div"); row.append(element("i", k + 1), element("span", line || " ")); box.append(row);
    });
  }
  const source = file < 0 ? [] : DATA.sources[file].text.split("\n");
  for (const row of box.querySelectorAll(".on")) {
    row.className = ""; row.lastChild.textContent = source[row.firstChild.textContent - 1] || " ";
  }
  let top = null;
  for (const [line, accesses] of lines) {
    const row = box.children[line - 1];
    if (!row) continue;
    row.className = "on"; top = top || row;
    const words = source[line - 1], span = row.lastChild;
    span.textContent = "";
    let from = 0;
    for (const x of accesses.slice().sort((p, q) => p.column - q.column)) {
      const start = x.column - 1;
      if (start < from) continue;
      span.append(words.slice(from, start), element("span", words.substr(start, x.length), x.kind === "read" ? "r" : "w"));
      from = start + x.length;
    }
    span.append(words.slice(from));
  }
  if (top && (top.offsetTop - box.offsetTop < box.scrollTop || top.offsetTop - box.offsetTop > box.scrollTop + box.clientHeight - 30))
    box.scrollTop = top.offsetTop - box.offsetTop - box.clientHeight / 2;
  const list = $("operands");
  list.textContent = "";
  for (const h of touched(array)) {
    const a = array, cell = a.cellOf[h.pos], row = element("button");
    let words;
    if (h.kind === "written") words = ` ${text(a, h.pos)} into cell ${cell}`;
    else if (h.wire) words = ` ${text(a, h.pos)} by a wire: it is made in this step`;
    else {
      // The value before this step's writes.
      const v = valueAt(a, a.ofPos, h.pos, step - 1);
      words = ` ${text(a, h.pos)} from cell ${cell}`;
      if (v >= 0) words += (v >= a.W ? ", there " + writerText(a, v) : `, written ${times(step - a.start[v], "step")} ago`) + (a.last[v] === step ? ", for the last time" : "");
    }
    row.append(element("b", h.kind === "read" ? "reads" : "writes"), words);
    row.onclick = () => choose(h.pos);
    list.append(row);
  }
  if (list.children.length > 12) [...list.children].slice(12).forEach((row, k, all) => { if (k) row.remove(); else { row.textContent = `and ${all.length} more`; row.onclick = null; } });
}

// ---- inspector
function story() {
  const a = array, box = $("story");
  if (chosen < 0) { if (story.empty) box.innerHTML = story.empty; return; }
  story.empty = story.empty || box.innerHTML;
  box.textContent = "";
  const cell = a.cellOf[chosen], all = [...sharing(a, chosen)];
  const few = all.slice(0, 6).map(p => text(a, p)).join(", ") + (all.length > 6 ? ", \u2026" : "");
  box.append(element("p", ""), element("div"));
  box.firstChild.append(element("strong", `Cell ${cell} has ${times(all.length, "tenant")}: ${few}`));
  if (!hasTime) {
    const d = a.differences;
    box.lastChild.append(element("p", d ? `${text(a, chosen)} conflicts with every element at one of ${d.length - 1} differences (struck through).` : "There are too many differences to show them."));
    say(box.textContent); return;
  }
  const ids = a.ofCell.ids.subarray(a.ofCell.at[cell], a.ofCell.at[cell + 1]);
  const canvas = element("canvas");
  canvas.setAttribute("role", "img"); canvas.setAttribute("aria-label", "when each tenant lives");
  box.lastChild.append(canvas);
  const w = box.clientWidth, g = brush(canvas, w, 40), x = s => (w - 2) * Math.max(0, Math.min(DATA.steps, s)) / DATA.steps;
  ids.forEach((v, k) => {
    const from = x(a.start[v]), to = Math.max(from + 2, x(Math.max(a.last[v], a.start[v] + 1)));
    g.fillStyle = a.valuePos[v] === chosen ? css("--chosen") : rgb(cellColour(cell));
    g.fillRect(from, k % 2 ? 16 : 2, to - from, 11);
    const words = text(a, a.valuePos[v]); g.font = "10px system-ui"; g.textBaseline = "middle";
    if (g.measureText(words).width + 6 < to - from) { g.fillStyle = a.valuePos[v] === chosen ? "#000" : inkOn(cellColour(cell)); g.fillText(words, from + 3, (k % 2 ? 16 : 2) + 6); }
  });
  g.fillStyle = css("--ink"); g.fillRect(x(step), 0, 1.5, 29);
  g.fillStyle = css("--soft"); g.font = "10px system-ui"; g.fillText(shown(0), 0, 36); g.textAlign = "right"; g.fillText(shown(DATA.steps - 1), w - 2, 36);
  let v = valueAt(a, a.ofPos, chosen, step);
  if (v < 0 && a.ofPos.at[chosen] < a.ofPos.at[chosen + 1]) v = a.ofPos.ids[a.ofPos.at[chosen]];
  if (v < 0) { box.append(element("p", `${text(a, chosen)} never has a value.`)); say(box.textContent); return; }
  const many = a.ofPos.at[chosen + 1] - a.ofPos.at[chosen];
  const span = a.last[v] === NEVER ? "never read from its cell."
    : `read for the last time ${readerText(a, v)}: alive for ${times(Math.min(a.last[v], DATA.steps) - Math.max(a.start[v], 0), "step")}.`;
  box.append(element("p", `${text(a, chosen)}${many > 1 ? ` (one of its ${many} values)` : ""}: written ${writerText(a, v)}; ${span}`));
  const place = ids.indexOf(v), next = ids[place + 1], before = ids[place - 1];
  if (next !== undefined && a.last[v] !== NEVER)
    box.append(element("p", `The write of ${text(a, a.valuePos[next])} (${at(a.writes.list[a.writes.who[next]].statement, a.writes.which[next])}, step ${shown(a.start[next])}) waits for that read: ${gapText(a.start[next] - a.last[v])}.`));
  else box.append(element("p", "Nothing is written to its cell after it."));
  if (before !== undefined && a.last[before] !== NEVER)
    box.append(element("p", `Its own write waited for ${readerName(a, before)} to read ${text(a, a.valuePos[before])} (step ${shown(a.last[before])}).`));
  say(`${text(a, chosen)}, cell ${cell}, ${times(all.length, "tenant")}`);
}
const gapText = n => n < 0 ? "it comes too early" : n === 0 ? "it comes in the same step, behind it" : times(n, "step") + " between";
let toldLast = "";
function say(words) { if (words !== toldLast) $("said").textContent = toldLast = words; }

// ---- everything
function draw() {
  const a = array;
  if (hasTime) {
    const mine = [];
    for (let e = runs.at[step]; e < runs.at[step + 1] && mine.length < 4; e++) mine.push(at(statements[runs.who[e]], runs.which[e]));
    $("now").textContent = `step ${shown(step)} of ${ALL - 1}: ${mine.join("; ")}${runs.at[step + 1] - runs.at[step] > 4 ? "; \u2026" : ""}`;
    $("alive").textContent = `${a.curve[step]} alive in ${times(a.cells, "cell")}`;
  }
  drawLife(); drawGrid(); drawParts(); drawSource(); story(); remember();
}
function go(to) { to = Math.max(0, Math.min(DATA.steps - 1, to)); if (to !== step) { step = to; draw(); } }
function choose(p) { chosen = p; if (p >= 0) follow(p); draw(); }
function tenant(by) {
  const a = array;
  if (chosen < 0 || !hasTime) return;
  const cell = a.cellOf[chosen], ids = [...a.ofCell.ids.subarray(a.ofCell.at[cell], a.ofCell.at[cell + 1])];
  let v = valueAt(a, a.ofPos, chosen, step);
  if (v < 0) v = a.ofPos.ids[a.ofPos.at[chosen]];
  const next = ids[ids.indexOf(v) + by];
  if (next === undefined) return;
  chosen = a.valuePos[next]; step = Math.max(0, Math.min(DATA.steps - 1, a.start[next]));
  follow(chosen); draw();
}
function select(name) {
  array = arrays[name]; chosen = -1; corner = null; fixed = []; $("array").value = name;
  const a = array;
  $("shape").textContent = `${a.name}: ${a.sides.length ? a.sides.join(" \u00d7 ") + " elements" : "one element"}`;
  $("held").textContent = `its memory: ${times(a.cells, "cell")}, ${times(a.words, "word")}`;
  $("mapping").textContent = a.text;
  if (hasTime) {
    const bound = a.bounds.find(b => b.kind === "max-live");
    $("most").textContent = `live elements: ${a.most} at most, ${times(a.cells, "cell")} planned` + (a.most === a.cells ? " \u2014 no mapping can do with fewer" : a.bounds.length ? ` (${a.standing})` : "")
      + (DATA.window && bound ? `; in the whole run ${bound.cells}` : "");
    $("steps").textContent = DATA.window ? `steps ${FIRST} to ${FIRST + DATA.steps - 1} of ${ALL}${a.whole ? ": the part with the most alive" : ""}` : `${DATA.steps} steps`;
  }
  const list = $("bounds"); list.textContent = "";
  for (const b of a.bounds) list.append(element("li", b.text));
  explained();
}
function explained() {
  const box = $("explain"), found = DATA.explain[array.name];
  box.textContent = "";
  if (!found) return;
  const row = words => box.append(element("p", words));
  for (const words of [...found.first_write, ...found.last_read]) box.append(element("pre", words));
  for (const r of found.reads) if (r.costs) row(`${r.line}:${r.column} ${r.text} costs ${r.costs} of ${times(found.cells, "cell")}`);
  const free = found.reads.filter(r => !r.costs).map(r => `${r.line}:${r.column} ${r.text}`);
  if (free.length) row(`cost nothing: ${free.join(", ")}`);
  for (const c of found.changes) row(`${c.rank}. ${c.what}: ${Object.entries(c.arrays).map(([n, f]) => n + " " + times(f.cells, "cell")).join(", ")}${c.cells_only ? "; cells only" : ""} (${c.settings.join(" ")})`);
  if (!found.changes.length && found.tried) row(`none of ${times(found.tried, "change")} tried saves a cell`);
}
function head() {
  document.title = DATA.design; $("name").textContent = DATA.design;
  const params = Object.entries(DATA.params).map(([n, v]) => `${n} = ${v}`).join(", ");
  const cells = names.reduce((n, k) => n + arrays[k].cells, 0), declared = names.map(k => arrays[k].declared);
  const from = declared.every(d => d) ? `${declared.reduce((p, q) => p + q, 0)} cells folded to ${cells}` : times(cells, "cell");
  $("summary").textContent = `${from}${params ? " at " + params : ""}${hasTime ? ", order " + DATA.order : ""}`;
  const badge = (words, cls) => $("badges").append(element("li", words, cls));
  const found = {};
  if (hasTime) for (const n of names) {
    const a = arrays[n];
    found[n] = {most: a.most, reads: a.count, wrong: a.wrong && wrongText(a, a.wrong)};
    const wires = a.wires ? `, ${a.wires} by wire` : "";
    badge(a.wrong ? `${n}: ${wrongText(a, a.wrong)}` : `${n}: replayed in this page, ${a.count} reads, each found its element${wires}`, a.wrong ? "bad" : "good");
    for (const part of a.parts) if (part.judged !== undefined)
      badge(part.wrong ? `${part.name} (${part.kind}): ${wrongText(a, part.wrong)}` : `${part.name}: ${part.kind} replayed, ${part.judged} reads`, part.wrong ? "bad" : "good");
  }
  for (const v of DATA.verdicts) badge(`${v.check} ${v.of}: ${v.said}`, v.said.startsWith("pass") ? "good" : v.fine ? "none" : "bad");
  document.documentElement.dataset.replay = JSON.stringify(found);
  const table = $("table"), row = (cells, tag) => {
    const tr = element("tr");
    cells.forEach((c, k) => { const td = element(tag, c, k > 1 && k < 7 ? "number" : k === 7 ? "map" : ""); if (tag === "th") td.scope = "col"; tr.append(td); });
    table.append(tr);
  };
  row(["array", "type", "declared", "bound", "planned", "saving", "words", "mapping", "standing"], "th");
  for (const n of names) {
    const a = arrays[n], best = a.bounds.length ? Math.max(...a.bounds.map(b => b.cells)) : "\u2013";
    row([n, a.type, a.declared ?? "\u2013", best, a.cells, a.declared ? (a.declared / Math.max(a.cells, a.words)).toFixed(2) + "x" : "\u2013", a.words, a.text, a.standing], "td");
  }
  $("tool").textContent = "made by " + DATA.tool;
  for (const n of names) $("array").append(Object.assign(element("option", n), {value: n}));
  $("choose").hidden = names.length < 2;
  if (!hasTime) { $("time").hidden = true; $("left").hidden = true; $("columns").className = "still"; }
  legend();
}
function legend() {
  const box = $("legend");
  const kinds = hasTime ? [["alive", "alive, colour = its cell"], ["unwritten", "not written yet"], ["dead", "dead"], ["read", "read now"], ["written", "written now"], ["chosen", "chosen"], ["tenant", "same cell"]]
    : [["alive", "colour = its cell"], ["chosen", "chosen"], ["tenant", "same cell"], ["conflict", "in conflict"]];
  box.textContent = "";
  for (const [kind, words] of kinds) {
    const item = element("span"), c = element("canvas"), g = brush(c, 16, 16);
    if (kind === "alive") for (let k = 0; k < 10; k++) { g.fillStyle = rgb(VIRIDIS[k]); g.fillRect(3 + k, 3, 1, 10); }
    else if (kind === "dead" || kind === "unwritten") { g.fillStyle = css(kind === "dead" ? "--dead" : "--wash"); g.fillRect(3, 3, 10, 10); g.strokeStyle = css("--line"); g.strokeRect(3.5, 3.5, 9, 9); }
    else mark(g, kind, 3, 3, 10);
    item.append(c, words); box.append(item);
  }
}

// ---- the address: #array=blurx&step=5000&element=38,20
function remember() {
  if (location.protocol === "about:") return;
  const parts = [`array=${array.name}`, `step=${shown(step)}`];
  if (chosen >= 0) parts.push(`element=${pointOf(array, chosen).join(",")}`);
  clearTimeout(remember.later);
  remember.later = setTimeout(() => { try { history.replaceState(null, "", "#" + parts.join("&")); } catch (e) { /* a frame may not */ } }, 120);
}
function restore() {
  const asked = new URLSearchParams(location.hash.slice(1)), name = asked.get("array");
  select(arrays[name] ? name : names.find(n => arrays[n].cells > 1) || names[0]);
  step = hasTime ? array.peak : 0;
  if (asked.has("step") && hasTime) step = Math.max(0, Math.min(DATA.steps - 1, +asked.get("step") - FIRST || 0));
  if (asked.has("element")) {
    const x = asked.get("element").split(",").map(Number), a = array;
    if (x.length === a.sides.length && x.every((v, d) => v >= a.low[d] && v < a.low[d] + a.sides[d])) chosen = posOf(a, x);
  }
}

// ---- input
function play(on) {
  cancelAnimationFrame(playing); playing = 0;
  $("play").textContent = on ? "pause" : "play";
  if (!on) return;
  let then = performance.now(), owed = 0;
  const tick = time => {
    owed += (time - then) / 1000 * +$("speed").value; then = time;
    const by = Math.floor(owed); owed -= by;
    if (by) go(step + by);
    if (step >= DATA.steps - 1) play(false); else playing = requestAnimationFrame(tick);
  };
  playing = requestAnimationFrame(tick);
}
$("first").onclick = () => go(0);
$("back").onclick = () => go(step - 1);
$("forward").onclick = () => go(step + 1);
$("peak").onclick = () => go(array.peak);
$("play").onclick = () => play(!playing);
$("array").onchange = e => { select(e.target.value); draw(); };
const slide = e => { const r = $("life").getBoundingClientRect(); go(Math.round((e.clientX - r.left) / r.width * (DATA.steps - 1))); };
$("life").onpointerdown = e => { $("life").setPointerCapture(e.pointerId); slide(e); };
$("life").onpointermove = e => { if (e.buttons) slide(e); };
$("grid").onclick = e => {
  const k = Math.floor((e.offsetX - 34) / grid.size) + corner[1], r = Math.floor((e.offsetY - 18) / grid.size) + corner[0];
  if (k < 0 || r < 0 || k >= grid.columns || r >= grid.rows) return;
  const p = posAt(array, r, k);
  if (p < array.size) choose(p);
};
$("grid").onkeydown = e => {
  const by = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[e.key];
  if (!by) return;
  e.preventDefault(); e.stopPropagation();
  const [r, k] = chosen < 0 ? [corner[0] - by[0], corner[1] - by[1]] : placeOf(array, chosen);
  const row = Math.max(0, Math.min(grid.rows - 1, r + by[0])), column = Math.max(0, Math.min(grid.columns - 1, k + by[1]));
  const p = posAt(array, row, column);
  if (p < array.size) choose(p);
};
document.onkeydown = e => {
  if (e.ctrlKey || e.metaKey || e.altKey || /^(SELECT|INPUT)$/.test(e.target.tagName)) return;
  const far = e.shiftKey ? 64 : 1;
  const act = {
    ArrowLeft: () => go(step - far), ArrowRight: () => go(step + far), Home: () => go(0), End: () => go(DATA.steps - 1),
    p: () => go(array.peak), P: () => go(array.peak), "[": () => tenant(-1), "]": () => tenant(1), Escape: () => choose(-1),
    " ": () => { if (e.target.tagName === "BUTTON") return true; play(!playing); }
  }[e.key];
  if (!act || !hasTime && e.key !== "Escape") return;
  if (act() !== true) e.preventDefault();
};
let resized = 0;
window.onresize = () => { cancelAnimationFrame(resized); resized = requestAnimationFrame(() => { legend(); draw(); }); };
matchMedia("(prefers-color-scheme: dark)").onchange = () => { colours = {}; legend(); draw(); };

head();
restore();
draw();
document.documentElement.dataset.ready = "1";
