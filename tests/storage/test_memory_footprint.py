"""What plans take on a device: primitives, other ways, budgets, errors, report."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.cli.main import main
from hlsmem.core.errors import InputError, Problem
from hlsmem.devices.inference import implement
from hlsmem.devices.primitives import Cost
from hlsmem.emit.report import report
from hlsmem.plan import ArrayNotes, Primitive, from_json, notes_json, to_json
from hlsmem.planner.output_files import simulated_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.storage.banked.banked_cost import chosen_cost, turned_cost
from hlsmem.storage.memory_footprint import over_budget
from tests.plans import hardware_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


# Of blur's three reads: banks of 43 words would be no block RAMs.
COPIES = "arrays.blurx.reads=copies"


def planned(name: str, *settings: str, file: str = "design.yaml") -> Planning:
    return hardware_of(EXAMPLES / name / file, settings=settings)


def test_no_device_no_primitives() -> None:
    plan = planned("blur").plan
    assert plan.target is None
    assert plan.memories["blurx"].primitive is None
    assert all(one.resources is None for one in plan.arrays["blurx"].notes.rejected)
    assert "Memories" not in report(plan)


def test_copies_are_counted_each_and_only_one_can_collide() -> None:
    memory = planned("blur", COPIES, "target.device=ecp5-25k").plan.memories["blurx"]
    assert memory.primitive == Primitive("DP16KD", 3)
    assert memory.resources is not None
    # Of three copies one reads the cell that is overwritten in its cycle.
    assert 40 <= memory.resources.luts <= 60
    safe = planned("blur", COPIES, "target.device=ecp5-25k", "plan.slack=1").plan.memories["blurx"]
    assert safe.resources is not None
    assert safe.resources.luts == 0


def test_banks_that_serve_a_cycle_serve_steps_of_several() -> None:
    file = EXAMPLES / "stencil5" / "design.yaml"
    settings = ["pipeline.interval=2", "arrays.in.reads=banks"]
    plan = hardware_of(file, parameters={"N": 16, "M": 16}, settings=settings).plan
    assert (plan.memories["in"].kind, plan.memories["in"].banks) == ("banked", 5)
    assert plan.timing is not None
    assert plan.timing.interval == 1.0


def test_the_way_from_banks_to_operands_is_counted() -> None:
    memory = planned("stencil5", "target.output_register=no").plan.memories["in"]
    assert memory.resources is not None
    rams = implement("ecp5", 832, 32, collision=False)
    way = turned_cost("ecp5", 5, 32, 832)
    assert memory.resources.luts == way.luts + 5 * rams.cost.luts
    assert memory.resources.flip_flops == way.flip_flops
    # Where a write waits for the reads, words are chosen one by one.
    words = chosen_cost("ecp5", 5, 5, 32, 832)
    assert words.luts > way.luts
    assert words.flip_flops < way.flip_flops


def test_registers_behind_rams_are_called_what_they_are() -> None:
    for device, told in (("ecp5-25k", "their output registers"), ("ice40-hx8k", "flip-flops")):
        settings = ["target.output_register=yes", f"target.device={device}"]
        text = report(planned("fifo", *settings).plan)
        assert told in text.split("RAMs are read through")[1]


def test_too_few_banks_may_be_left_for_copies() -> None:
    few = ["arrays.in.max_banks=3", "arrays.in.reads=auto", "target.device=ecp5-25k"]
    with pytest.raises(InputError) as caught:
        planned("stencil5", *few)
    (problem,) = caught.value.problems
    assert problem.remedy.endswith("raise max_banks of 'in', or set its reads to copies")
    memory = planned("stencil5", *few, "arrays.in.reads=copies").plan.memories["in"]
    assert (memory.kind, memory.copies) == ("ram", 5)


def test_what_is_asked_for_leaves_nothing_to_reject() -> None:
    kinds = [one.parts[0].kind for one in planned("blur").plan.arrays["blurx"].notes.rejected]
    assert kinds == ["banked", "ram", "fifo"]
    assert planned("blur", COPIES).plan.arrays["blurx"].notes.rejected == ()


def test_a_chain_takes_its_delay_lines_and_registers() -> None:
    found = planned("sobel", "order=iteration", "target.device=ice40-hx8k").plan
    memory = found.memories["in"]
    assert memory.kind == "chain"
    assert memory.primitive == Primitive("SB_RAM40_4K", 1)
    kinds = [one.parts[0].kind for one in found.arrays["in"].notes.rejected]
    assert sorted(kinds) == ["banked", "fifo", "ram"]


def test_registers_are_flip_flops() -> None:
    memories = planned("durbin", "params.N=40", "target.device=xc7a35t").plan.memories
    assert memories["sum"].primitive is not None
    assert memories["sum"].primitive.name == "flip-flops"
    assert memories["y"].primitive == Primitive("RAMB36E1", 4)
    assert memories["y"].resources is not None
    assert memories["y"].resources.blocks == 8


def test_a_style_is_in_the_verilog_and_in_the_numbers() -> None:
    settings = [COPIES, "target.device=ecp5-25k", "arrays.blurx.style=distributed"]
    planning = planned("blur", *settings)
    memory = planning.plan.memories["blurx"]
    assert memory.primitive is not None
    assert memory.primitive.name == "TRELLIS_DPR16X4"
    assert '.STYLE("distributed")' in simulated_files(planning)["rtl/blur_blurx_buffer.v"]
    assert "STYLE" not in simulated_files(planned("blur", COPIES))["rtl/blur_blurx_buffer.v"]


def test_an_output_register_is_in_the_block_ram_of_ecp5() -> None:
    settings = [COPIES, "target.output_register=yes", "plan.slack=1"]
    ecp5 = planned("blur", "target.device=ecp5", *settings).plan.memories["blurx"]
    ice40 = planned("blur", "target.device=ice40", *settings).plan.memories["blurx"]
    assert ecp5.primitive == Primitive("DP16KD", 6)
    assert ecp5.resources is not None
    assert ice40.resources is not None
    assert (ecp5.resources.flip_flops, ice40.resources.flip_flops) == (0, 96)


def window(*settings: str) -> Planning:
    return planned("window3", "params.H=6", "target.device=ecp5-25k", *settings)


def test_the_plan_takes_an_output_register_where_it_is_free() -> None:
    """Delay lines of 638 words of 16 bits are one block with the register or without it."""
    auto, without = window(), window("target.output_register=no")
    assert auto.plan.timing is not None
    assert without.plan.timing is not None
    assert (auto.plan.timing.output_register, without.plan.timing.output_register) == (True, False)
    assert auto.plan.timing.cycles == without.plan.timing.cycles
    assert ".OUTREG(1)" in simulated_files(auto)["rtl/window3_in_buffer.v"]
    assert "output registers" in report(auto.plan)
    again = from_json(to_json(auto.plan))
    assert again.timing == auto.plan.timing


@pytest.mark.few("blur", "durbin")
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("blur", ("target.device=ecp5-25k", COPIES)),  # three blocks would become six
        ("sobel", ("target.device=ecp5-25k", "order=iteration")),  # LUT RAM would become a block
        (  # a cycle more in every round
            "durbin",
            (
                "target.device=ecp5-25k",
                "params.N=20",
                "arrays.y.type=int16",
                "arrays.y.style=block",
            ),
        ),
        ("blur", ("target.device=ice40-hx8k",)),  # no register to take
        ("blur", ()),
    ],
)
def test_the_plan_takes_no_output_register_where_it_costs(
    name: str, settings: tuple[str, ...]
) -> None:
    timing = planned(name, *settings).plan.timing
    assert timing is not None
    assert not timing.output_register


def test_plan_json_keeps_it_all() -> None:
    plan = planned("sobel", "params.N=8", "target.device=ecp5-25k", "target.block_rams=4").plan
    again = from_json(to_json(plan), notes=notes_json(plan))
    assert again.target == plan.target
    assert again.memories == plan.memories
    assert again.arrays["in"].notes.rejected == plan.arrays["in"].notes.rejected


def test_a_conflict_set_has_memories_too() -> None:
    plan = planned("blur", "target.device=ecp5", file="conflicts.yaml").plan
    assert all(memory.primitive is not None for memory in plan.memories.values())


def test_a_budget_that_holds_is_no_shortfall() -> None:
    assert planned("blur", "target.device=ecp5-25k").over_budget is None
    assert planned("blur", "target.device=ecp5", "target.block_rams=3").over_budget is None


def test_a_shortfall_names_the_cheapest_change() -> None:
    found = planned("blur", COPIES, "target.device=ecp5", "target.block_rams=1").over_budget
    assert found is not None
    assert found.what == ("blur takes 3 DP16KD on ecp5, and the design allows 1: 2 too many")
    assert found.remedy == (
        "arrays.blurx.parts: [{operands: [m_blurx_C.0, m_blurx_C.1, m_blurx_C.2], kind: banked}]"
        " saves 3 DP16KD for 722 LUTs and 40 flip-flops"
    )


def test_a_shortfall_of_copies_names_the_chain() -> None:
    one = planned("blur", COPIES, "target.device=ecp5", "target.block_rams=2").over_budget
    assert one is not None
    assert "style" not in one.remedy
    assert "kind: chain}] saves 1 " in one.remedy


def test_what_fits_is_planned_and_a_shortfall_is_told_where_nothing_does() -> None:
    """A chain of the blur takes two blocks, banks none for more LUTs."""
    one = planned("blur", "target.device=ecp5", "target.block_rams=1")
    assert one.over_budget is None
    assert one.plan.memories["blurx"].kind == "banked"
    assert one.plan.resources.blocks == 0
    assert planned("blur", "target.device=ecp5", "target.block_rams=2").plan.memories[
        "blurx"
    ].kind == ("chain")
    large = ("target.device=ecp5", "target.block_rams=1", "arrays.blurx.reads=chain")
    found = planned("blur", *large).over_budget
    assert found is not None
    assert found.what.endswith("takes 2 DP16KD on ecp5, and the design allows 1: 1 too many")


def told(device: str, cost: Cost) -> Problem:
    """What is said of a chain that takes so much, which no style makes smaller."""
    plan = planned("sobel", "params.N=8", "order=iteration", f"target.device={device}").plan
    memory = replace(plan.memories["in"], resources=cost)
    arrays = {"in": replace(plan.arrays["in"], notes=ArrayNotes())}
    found = over_budget(replace(plan, memories={"in": memory}, arrays=arrays))
    assert found is not None
    return found


@pytest.mark.dear
def test_a_device_too_small_names_a_larger_one() -> None:
    found = told("ecp5-12k", Cost(blocks=40)).remedy
    assert found == "set target.device to ecp5-25k, which has 56 DP16KD"
    assert told("ecp5-85k", Cost(blocks=300)).remedy == (
        "no device of ecp5 has as many: compute fewer elements a step, or plan smaller parameters"
    )


def test_a_shortfall_is_exit_code_1_and_the_plan_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    design = str(EXAMPLES / "blur" / "design.yaml")
    budget = ["--set", "target.device=ecp5-25k", "--set", "target.block_rams=1", "--set", COPIES]
    assert main(["plan", design, "-o", str(tmp_path / "out"), *budget]) == 1
    assert (tmp_path / "out" / "plan.json").is_file()
    assert "2 too many; arrays.blurx.parts: [{operands: [m_blurx_C.0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["target.device=ecp5-26k"], "'ecp5-26k' is no device known here; use ecp5: ecp5-12k,"),
        (["target.block_rams=4"], "no device is named; add target.device, such as ecp5-25k"),
        (
            ["target.device=ice40", "arrays.blurx.style=distributed"],
            "'blurx': ice40 has no memory of style distributed; use auto, registers, block",
        ),
    ],
)
def test_what_there_is_not_is_refused(settings: list[str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        planned("blur", *settings)
    assert message in str(caught.value)
    assert caught.value.problems[0].source_location is not None


def test_the_report_has_the_columns_that_engineers_parse() -> None:
    text = report(planned("durbin", "params.N=40", "target.device=ecp5-25k").plan)
    lines = [line for line in text.splitlines() if line.startswith("|")]
    heads = [line for line in lines if "BRAM_18K" in line]
    assert [cell.strip() for cell in heads[0].strip("|").split("|")] == [
        "Memory", "Module", "BRAM_18K", "FF", "LUT", "URAM", "Words", "Bits", "Banks",
        "W*Bits*Banks",
    ]  # fmt: skip
    row = next(line for line in lines if "durbin_y_buffer" in line)
    name, module, blocks, *_, words, bits, banks, size = (
        cell.strip() for cell in row.strip("|").split("|")
    )
    assert (name, module, blocks) == ("y", "durbin_y_buffer", "8")
    assert int(words) * int(bits) * int(banks) == int(size)
    assert "8 of 56 DP16KD on ecp5-25k" in text
    assert "chain not possible: 3 accesses write 'y'" in text


LUT_RAM = ("target.device=ecp5-12k", "arrays.blurx.style=distributed", COPIES)


@pytest.mark.dear
def test_luts_beyond_the_device_are_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Copies of long lines in LUT RAM, which not even a chain in it would make fit."""
    design, out = str(EXAMPLES / "blur" / "design.yaml"), str(tmp_path / "out")
    settings = [word for one in LUT_RAM for word in ("--set", one)]
    assert main(["plan", design, "-o", out, "--param", "N=2000", *settings]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "blur takes 45996 LUTs on ecp5-12k, without address generators, and there are 12096:"
        " 33900 too many; set target.device to ecp5-85k, which has 83640 LUTs"
    )


def test_other_parts_that_fit_come_before_a_larger_device() -> None:
    found = planned("blur", *LUT_RAM, "params.N=1000").over_budget
    assert found is not None
    assert found.what.endswith("there are 12096: 10992 too many")
    assert found.remedy == (
        "arrays.blurx.parts: [{operands: [m_blurx_C.0, m_blurx_C.1, m_blurx_C.2], kind: chain}]"
        " saves 15466 LUTs for 64 flip-flops"
    )


def test_of_two_resources_both_are_named_and_the_device_has_both() -> None:
    found = told("ecp5-12k", Cost(blocks=40, flip_flops=30000))
    assert str(found) == (
        "sobel takes 40 DP16KD and 30000 flip-flops on ecp5-12k, without address generators, and"
        " there are 32 and 12096: 8 and 17904 too many; set target.device to ecp5-45k, which has"
        " 108 DP16KD and 43848 flip-flops"
    )


def test_of_large_rams_a_device_without_them_has_none() -> None:
    found = told("xczu3eg", Cost(large=1))
    assert found.what == "sobel takes 1 URAM288 on xczu3eg, and there are 0: 1 too many"
    assert found.remedy == "set target.device to xczu4ev, which has 48 URAM288"
