"""Divided programs: every operand once, each part takes what it reads, the drain is in one part."""

from __future__ import annotations

from pathlib import Path

import pytest

import hlsmem
from hlsmem.core.errors import InputError
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.polyhedra.sets import count, fix_parameters
from hlsmem.program.model import Program
from hlsmem.storage.array_parts import Block, divided, is_divisible, operands_of
from hlsmem.timing.value_flow import dataflow
from tests.programs import make_program
from tests.steps import load

TWO = Path(__file__).parent / "designs" / "two.yaml"


def window(**changes: object) -> Program:
    """P writes A[x], C reads A[x] and A[x-2] from x = 2 on."""
    given: dict[str, object] = {
        "values": {"N": 8},
        "context": "[N] -> { : N >= 4 }",
        "domains": ["[N] -> { P[x] : 0 <= x < N }", "[N] -> { C[x] : 2 <= x < N }"],
        "schedules": ["[N] -> { P[x] -> [x, 0] }", "[N] -> { C[x] -> [x, 1] }"],
        "writes": ["[N] -> { P[x] -> A[x] }"],
        "reads": ["[N] -> { C[x] -> A[x] }", "[N] -> { C[x] -> A[x - 2] }"],
    }
    return make_program(**{**given, **changes})  # type: ignore[arg-type]


NEW: Block = (("m_A_C", 0),)
OLD: Block = (("m_A_C", 1),)


def test_every_operand_is_read_once_from_its_own_part() -> None:
    program = window()
    array = program.arrays["A"]
    assert operands_of(program, array) == (*NEW, *OLD)
    own, parts = divided(program, array, [NEW, OLD])
    assert [(part.name, part.block) for part in parts] == [("A_0", NEW), ("A_1", OLD)]
    reads = [access.array for statement in own.statements for access in statement.reads]
    assert reads == ["A_0", "A_1"]
    assert "A" not in own.arrays
    # The same instances read the same elements as before.
    for name, given in zip(reads, program.statements[1].reads, strict=True):
        (found,) = (a for a in own.statements[1].reads if a.array == name)
        assert str(found.relation).replace(name, "A") == str(given.relation)


def test_a_part_takes_the_elements_that_its_operands_read() -> None:
    program = window()
    own, (new, old) = divided(program, program.arrays["A"], [NEW, OLD])
    for part, least, most in ((new, 2, 8), (old, 0, 6)):
        taken = fix_parameters(part.takes, program.values)
        assert taken.dim_min_val(0).to_python() == least
        assert taken.dim_max_val(0).to_python() == most - 1
        assert count(taken) == most - least
        written = [a for a in own.statements[0].writes if a.array == part.name]
        assert len(written) == 1
        assert count(fix_parameters(written[0].relation.range(), program.values)) == most - least
        # No read of the part is left without the write that it had.
        uses = dataflow(own, part.name).uses
        assert not uses.is_empty()


def test_a_part_that_reads_all_takes_all() -> None:
    program = window(
        domains=["[N] -> { P[x] : 0 <= x < N }", "[N] -> { C[x] : 0 <= x < N }"],
        reads=["[N] -> { C[x] -> A[x] }", "[N] -> { C[x] -> A[x] }"],
    )
    _, parts = divided(program, program.arrays["A"], [NEW, OLD])
    assert [part.takes for part in parts] == [None, None]


def test_the_drain_is_an_operand_of_one_part() -> None:
    program = window(live_out=["[N] -> { A[x] : x = N - 1 }"])
    array = program.arrays["A"]
    drain = ("m_A_drain", 0)
    assert operands_of(program, array) == (*NEW, *OLD, drain)
    own, _ = divided(program, array, [NEW, (*OLD, drain)])
    live = fix_parameters(own.live_out, program.values)
    assert str(live) == "{ A_1[x = 7] }"


@pytest.mark.parametrize("blocks", [[NEW], [NEW, NEW], [NEW, OLD, OLD]])
def test_blocks_that_are_no_partition_are_refused(blocks: list[Block]) -> None:
    program = window()
    with pytest.raises(ValueError, match="are not its operands, each once"):
        divided(program, program.arrays["A"], blocks)


def test_operands_of_a_block_are_in_the_order_of_their_lanes() -> None:
    program = window()
    with pytest.raises(ValueError, match="are in another order"):
        divided(program, program.arrays["A"], [tuple(reversed((*NEW, *OLD)))])


def test_what_is_filled_before_the_start_is_not_divided() -> None:
    program = window(
        live_in=["[N] -> { A[x] : x = 0 }"],
        domains=["[N] -> { P[x] : 1 <= x < N }", "[N] -> { C[x] : 2 <= x < N }"],
    )
    assert not is_divisible(program, program.arrays["A"])
    assert is_divisible(window(), window().arrays["A"])


@pytest.mark.parametrize(
    ("parts", "what"),
    [
        (
            "[{operands: [m_t_A.0], kind: fifo}]",
            "arrays.t.parts does not name every operand once",
        ),
        (
            "[{operands: [m_t_A.0, m_t_B.0, m_t_B.1], kind: chain}]",
            "'t': no chain for m_t_A.0, m_t_B.0, m_t_B.1: the read of 't'",
        ),
    ],
)
def test_lists_that_cannot_be_are_refused(parts: str, what: str) -> None:
    design = load(TWO, parameters={"W": 16, "H": 8}, settings=(f"arrays.t.parts={parts}",))
    with pytest.raises(InputError) as caught:
        plan_hardware(design)
    (problem,) = caught.value.problems
    assert problem.what.startswith(what)
    assert problem.source_location is not None


# The first read is of the borders alone, and has a part of its own.
EDGES = """void k(const int in[8], int out[8])
{
    int a[4][8];
    for (int i = 0; i < 8; i++)
        a[0][i] = in[i];
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < 8; i++) {
            int lo = i % 2 == s % 2 ? i == 7 : i == 0;
            a[s + 1][i] = lo ? a[s][i] : a[s][i] + 1;
        }
    for (int i = 0; i < 8; i++)
        out[i] = a[3][i];
}
"""


@pytest.mark.dear
def test_what_waits_in_a_join_keeps_the_bits_of_parts_that_it_does_not_read(
    tmp_path: Path,
) -> None:
    kinds = [
        {"operands": [f"m_a_{stream}.{operand}"], "kind": "ram"}
        for stream, operand in (("S1", 0), ("S1", 1), ("S2", 0))
    ]
    planning = hlsmem.plan(hlsmem.load(text=EDGES, name="k.c", settings={"arrays.a.parts": kinds}))
    assert len(planning.plan.arrays["a"].hardware.parts) == 3
    planning.write(tmp_path / "out")
    found = hlsmem.check(tmp_path / "out", only=["rtl"]).verdicts
    assert [one.detail for one in found if not one.fine] == []
    (join,) = (tmp_path / "out" / "rtl").glob("*_m_a_S1_join.v")
    text = join.read_text()
    masked = "({32{has_0}} & m_a_0_S1_tdata[31:0])"
    assert masked in text
    join.write_text(text.replace(masked, "m_a_0_S1_tdata[31:0]"))
    found = hlsmem.check(tmp_path / "out", only=["rtl"]).verdicts
    assert "shows another beat before the one it offered is taken" in found[0].detail
