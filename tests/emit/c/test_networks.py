"""Networks and conflict sets in C: bodies, the mix, odd widths, ties, the header of cells."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hlsmem.check.host_runs.host_check import check_host
from hlsmem.core.errors import InputError
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.core.verdict import Status
from hlsmem.emit.c import emit_host
from hlsmem.emit.output_folder import write_folder
from hlsmem.mapping.storage_mapping import Certificate, Piece, StorageMapping
from hlsmem.plan import Plan
from hlsmem.program.model import ElementType, mix
from hlsmem.program.options import Design
from tests.emit.c.plans import Rows, host_files, mappings_of, plan_by_hand, program_of, shaped
from tests.plans import plan_storage
from tests.steps import load


def network(folder: Path, text: str) -> Design:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "design.yaml").write_text(text)
    return load(folder / "design.yaml")


def verdicts(out: Path, design: Design, plan: Plan) -> list[Status]:
    files: dict[str, str | bytes] = {**host_files(design, plan)}
    write_folder(out, files)
    found = check_host(out, design, program_of(design), shaped(design, plan))
    assert all(verdict.status is not Status.NOT_JUDGED for verdict in found), found
    return [verdict.status for verdict in found if not verdict.remedy]  # all tools may not be here


CHAIN = """
hlsmem: 1
name: chain
params: {{N: 12}}
context: "[N] -> {{ : N >= 3 }}"
arrays:
  in: {{type: {type}, extents: [N], storage: external}}
  t: {{type: {type}, extents: [N]}}
  out: {{type: {type}, extents: [N], storage: external}}
network:
  first:
    statements:
      P:
        domain: "[N] -> {{ P[i] : 0 <= i < N }}"
        schedule: "[N] -> {{ P[i] -> [i, 0] }}"
        reads: ["[N] -> {{ P[i] -> in[i] }}"]
        writes: ["[N] -> {{ P[i] -> t[i] }}"]
        {body1}
  second:
    statements:
      C:
        domain: "[N] -> {{ C[i] : 0 <= i < N }}"
        schedule: "[N] -> {{ C[i] -> [i, {slot}] }}"
        reads:
          - "[N] -> {{ C[i] -> t[i - {distance}] : i >= {distance} }}"
          - "[N] -> {{ C[i] -> in[i] }}"
        writes: ["[N] -> {{ C[i] -> out[i] }}"]
        {body2}
live_in: ["[N] -> {{ in[i] : 0 <= i < N }}"]
live_out: ["[N] -> {{ out[i] : 0 <= i < N }}"]
"""


def chain(folder: Path, **given: object) -> Design:
    keys = {"type": "int32", "body1": "", "body2": "", "slot": 1, "distance": 1, **given}
    return network(folder, CHAIN.format(**keys))


def ring(cells: int) -> dict[str, Rows]:
    return {"t": [(["1"], str(cells))]}


@pytest.mark.few("int5")
@pytest.mark.parametrize("type", ["int5", "float", "uint64", "double"])
def test_the_mix_agrees_with_the_unfolded_run(tmp_path: Path, type: str) -> None:
    design = chain(tmp_path, type=type)
    found = verdicts(tmp_path / "out", design, plan_by_hand(design, ring(2)))
    assert found == [Status.PASS] * len(found)


def test_bodies_and_odd_widths(tmp_path: Path) -> None:
    design = chain(
        tmp_path,
        type="int11",
        body1='body: "t = a0 * 77 + 5"',
        body2='body: "if (a0 > a1) out = a0 - a1 * 300; else out = a1 - a0 * 300;"',
    )
    found = verdicts(tmp_path / "out", design, plan_by_hand(design, ring(2)))
    assert found == [Status.PASS] * len(found)


TWO = """
hlsmem: 1
name: two
params: {N: 8}
context: "[N] -> { : N >= 3 }"
arrays:
  a: {type: int32, extents: [N]}
  p: {type: int16, extents: [N]}
  q: {type: int5, extents: [N]}
network:
  one:
    statements:
      P:
        domain: "[N] -> { P[i] : 0 <= i < N }"
        schedule: "[N] -> { P[i] -> [0, i] }"
        writes: ["[N] -> { P[i] -> a[i] }"]
  two:
    statements:
      C:
        domain: "[N] -> { C[i] : 0 <= i < N }"
        schedule: "[N] -> { C[i] -> [1, i] }"
        reads: ["[N] -> { C[i] -> a[i] }", "[N] -> { C[i] -> a[i - 1] : i >= 1 }"]
        writes: ["[N] -> { C[i] -> p[i] }", "[N] -> { C[i] -> q[i] : i >= 1 }"]
live_out: ["[N] -> { p[i] : 0 <= i < N }", "[N] -> { q[i] : 1 <= i < N }"]
"""


def test_a_statement_of_two_results_loads_each_operand_once(tmp_path: Path) -> None:
    design = network(tmp_path, TWO)
    plan = plan_storage(design).plan
    assert set(verdicts(tmp_path / "out", design, plan)) == {Status.PASS}
    (text,) = (one for name, one in host_files(design, plan).items() if name.endswith("two.c"))
    body = text[text.index("void two_ws(") :]
    assert body.count("a[hlsmem_a_cell(i)]") == 2  # stored by P, loaded by C


@pytest.mark.dear
def test_a_stream_that_leaves_is_written_to_the_argument(tmp_path: Path) -> None:
    text = CHAIN.format(type="int32", body1="", body2="", slot=1, distance=1)
    streamed = text.replace("storage: external", "storage: stream")
    design = network(tmp_path, streamed)
    found = verdicts(tmp_path / "out", design, plan_storage(design).plan)
    assert found == [Status.PASS] * len(found)
    header = (tmp_path / "out/host/chain.h").read_text()
    assert "void chain(const int32_t in[CHAIN_N], int32_t out[CHAIN_N]);" in header


@pytest.mark.needs("clang")  # what it records shows the difference
@pytest.mark.few("False")
@pytest.mark.parametrize(("cells", "expected"), [(2, True), (1, False)])
def test_a_cell_too_few_differs(tmp_path: Path, cells: int, expected: bool) -> None:
    design = chain(tmp_path)
    found = verdicts(tmp_path / "out", design, plan_by_hand(design, ring(cells)))
    assert (set(found) == {Status.PASS}) is expected


def test_at_one_time_all_reads_come_first(tmp_path: Path) -> None:
    """C[i] reads t[i - 1] when P[i] overwrites its cell: one cell is enough."""
    design = chain(tmp_path, slot=0)
    found = verdicts(tmp_path / "out", design, plan_by_hand(design, ring(1)))
    assert found == [Status.PASS] * len(found)


def test_the_mix_of_c_is_the_one_of_the_definition(tmp_path: Path) -> None:
    design = chain(tmp_path, type="int16")
    for file in emit_host(design, program_of(design), mappings_of(plan_by_hand(design, {}))):
        (tmp_path / Path(file.name).name).write_text(file.text)
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include "chain.c"\n'
        'int main(void) { printf("%d %d\\n", hlsmem_P_body(7, -3), hlsmem_C_body(2, 5, 6)); }\n'
    )
    subprocess.run(["cc", "-std=c99", "main.c", "-o", "main"], cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True)
    expected = [
        as_int16(mix("P", (7,), (-3 % 2**64,))),
        as_int16(mix("C", (2,), (5, 6))),
    ]
    assert [int(word) for word in printed.stdout.split()] == expected


def as_int16(state: int) -> int:
    assert ElementType("int16").bits == 16
    low = state * (2**32 + 1) & 0xFFFF
    return low - 0x10000 if low >= 0x8000 else low


def test_extents_are_asked_for(tmp_path: Path) -> None:
    text = CHAIN.format(type="int32", body1="", body2="", slot=1, distance=1)
    design = network(tmp_path, text.replace("in: {type: int32, extents: [N],", "in: {type: int32,"))
    with pytest.raises(InputError) as caught:
        emit_host(design, program_of(design), mappings_of(plan_by_hand(design, {})))
    assert str(caught.value).endswith(
        "host C needs the extents of 'in', which the function is given; add arrays.in.extents"
    )


BARE = """
hlsmem: 1
name: bare
params: {N: 8}
arrays: {A: {type: int32, index: [x, y]}}
conflicts: {A: {differences: "{ [x, y] : -1 <= x, y <= 1 }"}}
"""


def conflict_cells(matrix: list[list[int]], moduli: list[int]) -> StorageMapping:
    number = QuasiPolynomial.constant
    return StorageMapping(
        pieces=(
            Piece(
                matrix=tuple(tuple(number(entry) for entry in row) for row in matrix),
                modulus=tuple(number(entry) for entry in moduli),
                offset=(number(1),) * len(moduli),
            ),
        ),
        method="hand",
        cells=QuasiPolynomial.product([number(entry) for entry in moduli]).evaluate({}),
        certificate=Certificate(scope="all-parameters", by="hand"),
    )


@pytest.mark.parametrize(
    ("matrix", "moduli"), [([[1, -2]], [7]), ([[1, 0], [3, -1]], [3, 5]), ([[0, 1]], [4])]
)
def test_the_header_of_a_conflict_set(
    tmp_path: Path, matrix: list[list[int]], moduli: list[int]
) -> None:
    mapping = conflict_cells(matrix, moduli)
    (tmp_path / "bare.yaml").write_text(BARE)
    (file,) = emit_host(load(tmp_path / "bare.yaml"), None, {"A": mapping})
    assert file.name == "host/bare.h"
    (tmp_path / "bare.h").write_text(file.text)
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include "bare.h"\nint main(void)\n{\n'
        "    for (int x = -9; x < 9; x++)\n        for (int y = -9; y < 9; y++)\n"
        '            printf("%zu ", A_CELL(x, y));\n    return A_CELLS;\n}\n'
    )
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
    subprocess.run(["cc", *flags, "main.c", "-o", "main"], cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=False)
    expected = []
    for x in range(-9, 9):
        for y in range(-9, 9):
            cell = 0
            for (a, b), modulus in zip(matrix, moduli, strict=True):
                cell = cell * modulus + (a * x + b * y + 1) % modulus
            expected.append(cell)
    assert [int(word) for word in done.stdout.split()] == expected
    assert done.returncode == mapping.cells
