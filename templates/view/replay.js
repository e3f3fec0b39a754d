"use strict";
// Replays a plan: cells are computed here, from the mapping, and every read is judged.
const {min, max, floor, ceil, sqrt} = Math;
const clamp = (x, low, high) => max(low, min(high, x));
const $ = id => document.getElementById(id);
const DATA = JSON.parse($("data").textContent), STEPS = DATA.steps, LAST = STEPS - 1, hasTime = STEPS > 0;
const FIRST = DATA.window ? DATA.window.first : 0, ALL = DATA.window ? DATA.window.steps : STEPS;

// ---- columns: [first, difference, length, ..] -> typed array; null is an empty one
function expand(runs) {
  let size = 0;
  for (let k = 2; runs && k < runs.length; k += 3) size += runs[k];
  const found = new Int32Array(size);
  for (let k = 0, at = 0; at < size; k += 3)
    for (let j = 0, value = runs[k]; j < runs[k + 2]; j++, value += runs[k + 1]) found[at++] = value;
  return found;
}
const blank = size => new Int32Array(size).fill(-1);

const statements = DATA.statements.map(s => ({...s, step: expand(s.step), rank: s.rank && expand(s.rank), iteration: s.iteration.map(expand)}));
const arrays = {}, names = Object.keys(DATA.arrays);
for (const name of names) {
  const a = arrays[name] = {...DATA.arrays[name], name};
  a.low = a.box.map(b => b[0]);
  a.sides = a.box.map(b => b[1] - b[0] + 1);
  a.size = a.sides.reduce((p, q) => p * q, 1);
  a.cellOf = a.cell_table ? expand(a.cell_table) : blank(a.size).map((_, p) => cellAt(a.pieces[0], pointOf(a, p)));
}
function cellAt({matrix, modulus, offset}, x) {
  let cell = 0;
  for (let r = 0; r < matrix.length; r++) {
    let form = offset[r];
    for (let d = 0; d < x.length; d++) form += matrix[r][d] * x[d];
    cell = cell * modulus[r] + (form % modulus[r] + modulus[r]) % modulus[r];
  }
  return cell;
}
// Elements are numbered in their box, row by row.
function pointOf(a, p) {
  const x = Array(a.sides.length);
  for (let d = x.length - 1; d >= 0; d--) { x[d] = p % a.sides[d] + a.low[d]; p = floor(p / a.sides[d]); }
  return x;
}
const isInside = (a, x) => x.length === a.sides.length && x.every((v, d) => v >= a.low[d] && v < a.low[d] + a.sides[d]);
const posOf = (a, x) => x.reduce((p, v, d) => p * a.sides[d] + v - a.low[d], 0);

// ---- what happens at which step: offsets by step, then whose instance and which of them
function byStep(columns) {
  // Where a step is more than an instance, ranks say what comes first in it.
  const ranks = columns.map(c => c.rank || c.step), most = ranks.reduce((n, r) => max(n, r[r.length - 1] || 0), 0);
  const at = new Int32Array(STEPS + 1), fill = new Int32Array(most + 2);
  const each = visit => columns.forEach(({step, present}, id) => {
    for (let k = 0; k < step.length; k++) if (!present || present[k]) visit(step[k], ranks[id][k], id, k);
  });
  const sum = counts => counts.forEach((n, k) => { if (k) counts[k] += counts[k - 1]; });
  each((s, r) => { at[s + 1]++; fill[r + 1]++; });
  sum(at); sum(fill);
  const who = new Uint16Array(at[STEPS]), which = new Int32Array(who.length);
  each((s, r, id, k) => { const e = fill[r]++; who[e] = id; which[e] = k; });
  return {at, who, which, list: columns};
}
function touches(a, kind) {
  const found = [];
  for (const s of statements) s.accesses.forEach((x, number) => {
    if (x.array !== a.name || x.kind !== kind) return;
    const pos = new Int32Array(s.count);
    x.element.map(expand).forEach((column, d) => column.forEach((v, k) => { pos[k] = pos[k] * a.sides[d] + v - a.low[d]; }));
    found.push({statement: s, part: x.part, id: s.name + "." + number, step: s.step, rank: s.rank, pos, wire: expand(x.wire), present: x.present && expand(x.present)});
  });
  return byStep(found);
}
const running = byStep(statements);

// Every access to a cell in order of time: in a step all reads come first.
function walk({reads, writes, pos}, read, write) {
  for (let s = 0; s < STEPS; s++) {
    for (let e = reads.at[s]; e < reads.at[s + 1]; e++) {
      const t = reads.list[reads.who[e]], k = reads.which[e];
      if (!t.wire[k]) read(t.pos[k], s, t, e);
    }
    for (let w = writes.at[s]; w < writes.at[s + 1]; w++) write(pos[w], s, w);
  }
}
// Whether every read finds its element in some storage, which `found` and `write` are.
function judge(a, found, write, serves = () => true, after = []) {
  let wrong = null, judged = 0;
  const look = (p, s, q = -1) => { if (q !== p && !wrong) wrong = {step: s, pos: p, found: q}; };
  expand(a.live_in).forEach((p, k) => write(p, a.W + k));
  walk(a, (p, s, t) => { if (serves(t)) { judged++; look(p, s, found(p, t, s)); } }, (p, s, w) => write(p, w));
  for (const p of after) look(p, STEPS, found(p));
  return {wrong, judged};
}

// ---- the sweep: values from their write, or before the start, to their last read
function sweep(a) {
  const before = expand(a.live_in), after = expand(a.live_out), {cellOf} = a;
  const reads = a.reads = touches(a, "read"), writes = a.writes = touches(a, "write"), W = a.W = writes.who.length;
  const start = a.start = blank(W + before.length), pos = a.pos = blank(start.length);
  const last = a.last = blank(start.length), reader = a.reader = blank(start.length);
  for (let w = 0; w < W; w++) pos[w] = writes.list[writes.who[w]].pos[writes.which[w]];
  const now = blank(a.size), holder = blank(max(a.cells, 1));
  before.forEach((p, k) => { pos[W + k] = p; now[p] = W + k; });
  walk(a, (p, s, t, e) => { last[now[p]] = s; reader[now[p]] = e; }, (p, s, w) => { start[w] = s; now[p] = w; });
  for (const p of after) last[now[p]] = STEPS;
  Object.assign(a, judge(a, p => holder[cellOf[p]], p => { holder[cellOf[p]] = p; }, undefined, after));
  // A value lives from its write, before it the reads of the step are over, to its last read; one
  // that nobody reads as long as it is written. Two values of an element count once.
  const ends = new Int32Array(STEPS + 2), curve = a.curve = new Int32Array(STEPS), {strict} = DATA;
  last.forEach(end => { if (end >= 0) ends[end < STEPS ? end + strict : STEPS + 1]++; });
  let alive = a.most = last.subarray(W).filter(end => end >= 0).length;
  a.peak = 0;
  now.fill(-1);
  before.forEach((p, k) => { now[p] = W + k; });
  for (let s = 0; s < STEPS; s++) {
    curve[s] = alive -= ends[s];
    for (let w = writes.at[s]; w < writes.at[s + 1]; w++) {
      const p = pos[w], isHeld = strict && last[now[p]] === s, isRead = last[w] >= 0;
      curve[s] = max(curve[s], alive + !isHeld);
      if (isRead && isHeld) ends[s + 1]--; else alive += isRead;
      if (isRead || !isHeld) now[p] = w;
    }
    if (curve[s] > a.most) { a.most = curve[s]; a.peak = s; }
  }
  a.ofPos = grouped(pos, a.size, W);
  a.ofCell = grouped(pos.map(p => cellOf[p]), a.cells, W);
  a.parts.forEach((part, index) => replayPart(a, part, t => a.parts.length < 2 || t.part === index));
}
// Values by position, cell or word, in order of time; those of key -1 are in no group.
function grouped(keys, size, W) {
  const at = new Int32Array(size + 2), ids = new Int32Array(keys.length);
  const put = v => { if (keys[v] >= 0) ids[at[keys[v] + 1]++] = v; };
  for (const key of keys) if (key >= 0) at[key + 2]++;
  for (let k = 1; k < at.length; k++) at[k] += at[k - 1];
  for (let v = W; v < keys.length; v++) put(v);
  for (let v = 0; v < W; v++) put(v);
  return key => ids.subarray(at[key], at[key + 1]);
}
// The last value of a group that began at or before a step; -1 for none.
function valueAt(a, group, step) {
  let low = 0, high = group.length;
  while (low < high) { const m = (low + high) >> 1; a.start[group[m]] <= step ? low = m + 1 : high = m; }
  return low ? group[low - 1] : -1;
}
const isAlive = (a, v, step) => v >= 0 && (a.last[v] >= step || a.start[v] === step);

// ---- parts: a chain by shifting, words of banks one by one, a queue by the order of its writes
function replayPart(a, part, serves) {
  const {taps, takes} = part, flags = expand(takes), taken = blank(a.size).fill(takes ? 0 : 1);
  let k = 0;
  if (takes) for (const t of a.writes.list) for (const p of t.pos) taken[p] |= flags[k++];
  const replayed = (found, write) => Object.assign(part, judge(a, found, (p, w) => { if (taken[p]) write(p, w); }, serves));
  if (taps) {
    const pushed = part.pushed = [], tapOf = {};
    for (const [name, number, tap] of taps) tapOf[name + "." + number] = tap;
    replayed((p, t) => t.id in tapOf ? pushed[pushed.length - 1 - tapOf[t.id]] : p, p => pushed.push(p));
  } else if (part.kind === "fifo" || a.parts.length > 1 && !part.table && !part.bank) {
    // What was taken stands in a queue until it is read for the last time; only a FIFO has a turn.
    const until = part.until = blank(a.start.length), now = blank(a.size);
    let newest = -1;
    replayed((p, t, s) => {
      const v = now[p];
      until[v] = s;
      if (newest < 0 || a.start[v] >= a.start[newest]) newest = v;
      return part.kind === "fifo" ? a.pos[newest] : p;
    }, (p, v) => { now[p] = v; });
    if (part.kind !== "fifo") part.judged = -1;
  } else {
    // Of a chain whose taps are not known the array's cells are shown, and nothing is judged.
    const holder = new Map(), offset = expand(part.offset), bank = expand(part.bank), {cellOf} = a;
    part.bank_words = part.bank_words || offset.reduce((p, q) => max(p, q + 1), 0) || a.cells;
    const word = part.table ? expand(part.table) : part.bank ? cellOf.map(c => bank[c] * part.bank_words + offset[c]) : cellOf;
    replayed(p => holder.get(word[p]), p => holder.set(word[p], p));
    if (part.kind !== "ram" && part.kind !== "banked") part.judged = -1;
    part.ofWord = grouped(a.pos.map(p => taken[p] ? word[p] : -1), part.bank_words * part.banks, a.W);
  }
}
if (hasTime) names.forEach(name => sweep(arrays[name]));
