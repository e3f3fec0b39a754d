"""Designs under conditions, as texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from hlsmem.program.model import Program
from hlsmem.timing.planned_program import arranged
from tests.steps import load
from tests.studies.dataflow.programs import Line, design_of

# A[i-2] is corrected where c says so, right before it is read: the first value stays till then.
CORRECTED = """\
hlsmem: 1
name: corrected
params: {N: 12}
context: "[N] -> { : N >= 4 }"
arrays:
  x: {type: int16, extents: [N], storage: external}
  c: {type: uint1, extents: [N]}
  A: {type: int16, extents: [N]}
  o: {type: int16, extents: [N], storage: external}
network:
  line:
    statements:
      L:
        domain: "[N] -> { L[i] : 0 <= i < N }"
        schedule: "{ L[i] -> [i, 0] }"
        reads: ["{ L[i] -> x[i] }"]
        writes: ["{ L[i] -> A[i] }"]
        body: "A = a0 + 1"
      T:
        domain: "[N] -> { T[i] : 0 <= i < N }"
        schedule: "{ T[i] -> [i, 1] }"
        reads: ["{ T[i] -> x[i] }"]
        writes: ["{ T[i] -> c[i] }"]
        body: "c = a0 % 3 == 0"
      S:
        domain: "[N] -> { S[i] : 2 <= i < N }"
        schedule: "{ S[i] -> [i, 2] }"
        reads: ["{ S[i] -> x[i] }"]
        writes: ["{ S[i] -> A[i - 2] }"]
        body: "A = 2 * a0"
        filter: {access: ["{ S[i] -> c[i - 1] }"], value: "{ S[i] -> [1] }"}
      R:
        domain: "[N] -> { R[i] : 2 <= i < N }"
        schedule: "{ R[i] -> [i, 3] }"
        reads: ["{ R[i] -> A[i - 2] }"]
        writes: ["{ R[i] -> o[i] }"]
        body: "o = a0"
live_in: ["[N] -> { x[i] : 0 <= i < N }"]
live_out: ["[N] -> { o[i] : 2 <= i < N }"]
"""
FILTER = CORRECTED[CORRECTED.index("        filter:") : CORRECTED.index("      R:")]

# A loop that goes on while w holds: S(i) runs iff w[0] to w[i] are all 1.
WHILE = """\
hlsmem: 1
name: while_w
params: {N: 6}
arrays:
  w: {type: uint1, extents: [N]}
  s: {type: int16, extents: []}
  o: {type: int16, extents: [1], storage: external}
network:
  line:
    statements:
      Z: {domain: "{ Z[] }", schedule: "{ Z[] -> [0,0,0] }", writes: ["{ Z[] -> s[] }"], body: "s = 7"}
      W:
        domain: "[N] -> { W[i] : 0 <= i < N }"
        schedule: "{ W[i] -> [1,i,0] }"
        writes: ["{ W[i] -> w[i] }"]
        filter: {access: ["{ W[i] -> w[a] : 0 <= a < i }"], value: "{ W[i] -> [1] : i > 0 }"}
      S:
        domain: "[N] -> { S[i] : 0 <= i < N }"
        schedule: "{ S[i] -> [1,i,1] }"
        reads: ["{ S[i] -> s[] }"]
        writes: ["{ S[i] -> s[] }"]
        filter: {access: ["{ S[i] -> w[a] : 0 <= a <= i }"], value: "{ S[i] -> [1] }"}
      R: {domain: "{ R[] }", schedule: "{ R[] -> [2,0,0] }", reads: ["{ R[] -> s[] }"], writes: ["{ R[] -> o[0] }"]}
live_out: ["{ o[0] }"]
"""  # noqa: E501


def program_of(folder: Path, text: str) -> Program:
    """The program of a design as it is planned, without what streams look at for themselves."""
    path = folder / "design.yaml"
    path.write_text(text)
    found = load(path, settings=["plan.control=predicate"]).input
    assert isinstance(found, Program)
    return arranged(found)


def stored(lines: Sequence[Line], n: int, *, live: bool) -> str:
    """A random program with extents; all that it reads first is there before, where `live`.

    Else only what nobody writes is.
    """
    text = re.sub(r"-> A\[(.*?)\]", r"-> A[\1 + 1]", design_of(lines, name="drawn", n=n))

    def declared(found: re.Match[str]) -> str:
        extent = '"n+2"' if found[1] == "A" else "n"
        rank = len([one for one in found[3].split(",") if one.strip()])
        return f"  {found[1]}: {{{found[2]}extents: [{', '.join([extent] * rank)}]"

    text = re.sub(r"^  (\w+): \{(.*?)index: \[(.*?)\]", declared, text, flags=re.MULTILINE)
    ranks = {name: len(index) for line in lines for name, index in (*line.reads, *line.writes)}
    ranks |= {look.array: len(look.index) for line in lines for look in line.predicate_reads}
    written = {name for line in lines for name, _ in line.writes}
    sets = []
    for name, rank in sorted(ranks.items()):
        if live or name not in written:
            index = [f"x{k}" for k in range(rank)]
            last = "n + 2" if name == "A" else "n"
            inside = " and ".join(f"0 <= {one} < {last}" for one in index) or "true"
            sets.append(f'"[n] -> {{ {name}[{", ".join(index)}] : {inside} }}"')
    return text + (f"live_in: [{', '.join(sets)}]\n" if sets else "")
