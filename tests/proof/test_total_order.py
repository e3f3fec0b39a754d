"""Cells of C where a statement has several instances at one time: C runs them one by one."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import hlsmem_verify
from hlsmem.plan import to_json
from tests.plans import planning_of

# In one time a row is written, and the row before is read: hardware reads first.
TIED = """hlsmem: 1
name: tied
params: {N: 8}
context: "[N] -> { : N >= 4 }"
arrays:
  in: {type: int32, extents: ["N", 2], storage: external}
  a: {type: int32, extents: ["N", 2]}
  out: {type: int32, extents: ["N", 2], storage: external}
network:
  first:
    statements:
      A:
        domain: "[N] -> { A[i, j] : 0 <= i < N and 0 <= j < 2 }"
        schedule: "[N] -> { A[i, j] -> [i] }"
        reads: ["[N] -> { A[i, j] -> in[i, j] }"]
        writes: ["[N] -> { A[i, j] -> a[i, j] }"]
        body: "a = a0"
  second:
    statements:
      B:
        domain: "[N] -> { B[i, j] : 1 <= i < N and 0 <= j < 2 }"
        schedule: "[N] -> { B[i, j] -> [i] }"
        reads: ["[N] -> { B[i, j] -> a[i - 1, 1 - j] }"]
        writes: ["[N] -> { B[i, j] -> out[i, j] }"]
        body: "out = a0"
live_out: ["[N] -> { out[i, j] : 1 <= i < N and 0 <= j < 2 }"]
"""


def test_cells_that_are_right_if_all_reads_come_first_are_false_in_c(tmp_path: Path) -> None:
    (tmp_path / "design.yaml").write_text(TIED)
    plan = planning_of(tmp_path / "design.yaml", settings=("plan.method=declared",)).plan
    document = json.loads(to_json(plan))
    held = document["arrays"]["a"]["holdings"]["host"]
    (cells,) = held["parts"]
    assert document["orders"]["host"] == {"steps": False, "times": {}}
    found = hlsmem_verify.verify(document, [{"N": 6}])
    assert (found["false"], found["open"]) == ([], {})
    for words, wrong in ((2, True), (4, False)):
        changed = copy.deepcopy(document)
        host = changed["arrays"]["a"]["holdings"]["host"]
        mapping = host["parts"][0]["mapping"]
        rows = words // 2
        mapping["pieces"] = [
            {
                "domain": None,
                "matrix": [["1", "0"], ["0", "1"]],
                "matrix_value": [[1, 0], [0, 1]],
                "modulus": [str(rows), "2"],
                "modulus_value": [rows, 2],
                "offset": ["0", "0"],
                "offset_value": [0, 0],
            }
        ]
        mapping["cells"] = host["words"] = words
        host["bits"] = 8 * cells["cell_bytes"] * words
        told = [
            one
            for one in hlsmem_verify.verify(changed)["false"]
            if "share a cell" in one and "host" in one
        ]
        assert bool(told) == wrong
