"""plan.objective: blocks makes the block RAMs of the device small, not the cells."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.emit.report import report
from hlsmem.plan import from_json, notes_json, to_json
from hlsmem.program.options import Design
from tests.check.subjects import passes, proof
from tests.plans import plan_storage
from tests.steps import load

BLUR = Path(__file__).resolve().parent.parent / "examples" / "blur" / "conflicts.yaml"


def blur(*settings: str) -> Design:
    return load(BLUR, settings=settings)


def test_a_block_that_is_taken_anyway_is_used_for_a_cheaper_address() -> None:
    design = blur("plan.objective=blocks", "target.device=ecp5-25k")
    plan = plan_storage(design).plan
    array = plan.arrays["blurx"]
    assert array.hardware.parts[0].mapping.pieces[0].modulus_at(plan.params) == (4, 64)
    lines = report(plan).splitlines()
    assert (
        "- blocks: 1 of ecp5-25k, no fewer for the cells of the bound;"
        " 129 cells would do, with a dearer address"
    ) in lines
    text = to_json(plan)
    assert from_json(text, notes=notes_json(plan)) == plan
    assert passes(proof(plan))


def test_a_block_more_is_not_taken() -> None:
    """1101 cells are three blocks of 512 words; powers of two would take four."""
    settings = ("plan.objective=blocks", "target.device=ecp5", "params.N=550")
    array = plan_storage(blur(*settings)).plan.arrays["blurx"]
    assert array.hardware.parts[0].mapping.cells == 1101
    assert array.notes.remarks[0].startswith("blocks: 3 of ecp5, no fewer for")


def test_a_device_alone_leaves_the_plan_as_it_is() -> None:
    with_device = plan_storage(blur("target.device=ice40-hx8k")).plan.arrays["blurx"]
    assert with_device == plan_storage(blur()).plan.arrays["blurx"]


def test_blocks_of_no_device_and_devices_that_are_not_known() -> None:
    with pytest.raises(InputError) as nothing:
        blur("plan.objective=blocks")
    assert str(nothing.value) == (
        "--set plan.objective=blocks: plan.objective: blocks are those of a device, and none is"
        " named; add target: {device: ecp5-25k}, or the device that it is"
    )
    with pytest.raises(InputError) as unknown:
        plan_storage(blur("target.device=ecp6"))
    assert str(unknown.value).startswith("--set target.device=ecp6: 'ecp6' is no device known")
