"""Every way to store an array, compared in primitives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hlsmem.devices import family_of
from hlsmem.devices.primitives import Style
from hlsmem.errors import InputError
from hlsmem.lifetime import storage_problems
from hlsmem.order import arranged
from hlsmem.pipeline import plan_design
from hlsmem.program import Program
from hlsmem.read.design import load
from hlsmem.storage.chain.delays import Chain
from hlsmem.storage.options import StorageOption, StorageRequest, require_target, storage_options

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def request(
    name: str, array: str, *settings: str, cells: int, copies: int, **more: Any
) -> StorageRequest:
    design = load(EXAMPLES / name / "design.yaml", settings=settings)
    assert isinstance(design.input, Program)
    program = arranged(design.input)
    problem = next(p for p in storage_problems(program) if p.array.name == array)
    return StorageRequest(
        program=program,
        problem=problem,
        cells=cells,
        copies=copies,
        **{"device": "ecp5"} | more,
    )


def options(*arguments: Any, **more: Any) -> dict[str, StorageOption]:
    found = storage_options(request(*arguments, **more))
    family = family_of(more.get("device", "ecp5"))
    ranks = [(bool(o.reason), family.rank(o.cost)) for o in found]
    assert ranks == sorted(ranks)
    return {option.kind: option for option in found}


def test_a_window_costs_least_in_a_chain() -> None:
    found = options("sobel", "in", "order=iteration", cells=130, copies=7)
    assert next(iter(found)) == "chain"
    assert set(found) == {"chain", "banks", "copies"}
    assert (found["chain"].words, found["chain"].available) == (131, True)
    assert isinstance(found["chain"].detail, Chain)
    # Seven reads a cycle: the eighth, its newest element, is a wire.
    assert found["banks"].banks == 8
    assert found["banks"].available
    assert (found["copies"].copies, found["copies"].available) == (7, True)


def test_a_chain_needs_order_iteration() -> None:
    chain = options("sobel", "in", cells=131, copies=8)["chain"]
    assert not chain.available
    assert chain.text.endswith("with order: iteration")


def test_slack_leaves_no_chain() -> None:
    chain = options("sobel", "in", "order=iteration", cells=131, copies=8, slack=1)["chain"]
    assert chain.reason == "its handshake passes through in a cycle, which plan.slack rules out"


def test_one_read_a_cycle_needs_one_memory() -> None:
    found = options("matmul_relu", "active", cells=12, copies=1)
    assert set(found) == {"single", "chain", "fifo"}
    assert found["chain"].reason.startswith("the read of 'active' at matmul_relu.c:21:30 lies")


def test_a_fifo_takes_what_one_memory_takes_but_for_collisions() -> None:
    found = options("fifo", "queue", cells=1024, copies=1, no_fifo="")
    fifo, single = found["fifo"], found["single"]
    assert (fifo.words, fifo.available) == (1024, True)
    assert (fifo.cell, fifo.count) == (single.cell, single.count)
    assert (fifo.cost.luts, single.cost.luts) == (0, 51)


def test_folded_cells_go_into_as_few_banks_as_reads() -> None:
    banks = options("blur", "blurx", cells=129, copies=3)["banks"]
    assert (banks.banks, banks.words) == (3, 129)
    assert banks.text == "3 linear banks of 43 words (optimal)"


def test_a_style_is_kept_to() -> None:
    block = options("sobel", "in", cells=131, copies=8, style=Style.BLOCK)
    assert (block["copies"].cell, block["copies"].count) == ("DP16KD", 8)
    auto = options("sobel", "in", cells=131, copies=8)
    assert (auto["copies"].cell, auto["copies"].count) == ("TRELLIS_DPR16X4", 144)


def test_more_cycles_a_step_need_fewer_banks() -> None:
    found = storage_options(request("sobel", "in", cells=131, copies=8, interval=2))
    banks = [(o.banks, o.available) for o in found if o.kind == "banks"]
    fast = options("sobel", "in", cells=131, copies=8)["banks"].banks
    assert sorted(banks) == [(4, False), (fast, True)]


def test_no_banks_where_none_are_wanted() -> None:
    assert options("sobel", "in", cells=131, copies=8, max_banks=1)["banks"].reason == (
        "max_banks is 1"
    )


def test_too_few_banks_are_refused_where_the_array_stands() -> None:
    with pytest.raises(InputError) as caught:
        options("sobel", "in", cells=131, copies=8, max_banks=4)
    (problem,) = caught.value.problems
    assert problem.what.startswith("'in' has 8 accesses a cycle, which 4 banks cannot serve: in[")
    assert problem.remedy.startswith("9 banks would do (no fewer can do)")
    assert problem.place is not None
    assert problem.place.line == 7


def test_a_target_is_refused_with_all_styles_it_has_not() -> None:
    design = load(EXAMPLES / "blur" / "design.yaml", settings=["arrays.blurx.style=distributed"])
    assert isinstance(design.input, Program)
    require_target("ecp5", None, design.input.planned_arrays())
    with pytest.raises(InputError) as caught:
        require_target("ice40", None, design.input.planned_arrays())
    assert str(caught.value) == (
        "blur.c:6:9: 'blurx': ice40 has no memory of style distributed; use auto, registers, block"
    )


def test_unrolled_reads_have_a_chain_alone() -> None:
    settings = ("order=iteration", "pipeline.unroll.x=2")
    found = options("sobel", "in", *settings, cells=130, copies=7)
    assert [kind for kind, option in found.items() if option.available] == ["chain"]
    assert found["chain"].text.startswith("12 taps in 2 lanes")
    # Of twelve elements the newest two are wires.
    assert found["banks"].banks == 10


def test_registers_are_memory_too(tmp_path: Path) -> None:
    """A word a bank needs no RAM at all, and still costs more than two small copies."""
    (tmp_path / "any.c").write_text(
        """void any(const short in[16], int out[16][16]) {
        #pragma scop
            for (int y = 0; y < 16; y++)
                for (int x = 0; x < 16; x++)
                    out[y][x] = in[x] + in[y];
        #pragma endscop
        }"""
    )
    (tmp_path / "any.yaml").write_text(
        "{hlsmem: 1, name: any, kernel: {file: any.c, function: any},"
        " arrays: {in: {storage: memory}}, target: {device: ecp5}}"
    )
    plan = plan_design(load(tmp_path / "any.yaml")).plan
    copies, banks, _ = plan.arrays["in"].alternatives
    assert (copies.kind, banks.kind, banks.banks) == ("copies", "banks", 16)
    assert plan.memories["in"].kind == "ram"


ANYWHERE = """{hlsmem: 1, name: any, kernel: {file: any.c, function: any},
 arrays: {a: {storage: memory}}, target: {device: ecp5}}"""


def test_reads_at_too_many_distances_have_copies_and_say_why_no_banks(tmp_path: Path) -> None:
    (tmp_path / "any.c").write_text(
        """void any(const short a[40][40], short b[40][40]) {
        #pragma scop
            for (int i = 1; i < 39; i++)
                for (int j = 1; j < 39; j++)
                    b[i][j] = a[i][j] + a[j][i] + a[i][39 - j];
        #pragma endscop
        }"""
    )
    (tmp_path / "any.yaml").write_text(ANYWHERE)
    plan = plan_design(load(tmp_path / "any.yaml")).plan
    assert plan.memories["a"].copies == 3
    _, banks, _ = plan.arrays["a"].alternatives
    assert banks.reason == (
        "a[j][i] at any.c:5:41 and a[i][39 - j] at any.c:5:51 are at distances that change from"
        " step to step, those of a step at more than 512 in all: too many for banks"
    )
    with pytest.raises(InputError) as caught:
        plan_design(load(tmp_path / "any.yaml", settings=["arrays.a.reads=banks"]))
    assert str(caught.value) == (
        f"any.c:1:22: 'a' cannot be in banks: {banks.reason}; leave out arrays.a.reads, or set it"
        " to copies"
    )
