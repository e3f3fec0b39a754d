"""Modules of the user's for functions and operators: held to their ports, all problems at once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.program.options import Design
from hlsmem.read.design import changed, load

KERNELS = Path(__file__).parents[1] / "datapath/kernels"


def loaded(folder: Path, functions: str) -> Design:
    """The kernel of floats with other `functions`."""
    for name in ("levels.c", "floats.v", "square_root.v"):
        shutil.copy(KERNELS / name, folder)
    (folder / "d.yaml").write_text(
        "hlsmem: 1\nname: levels\nkernel: {file: levels.c}\n"
        f"accelerator: {{functions: {{{functions}}}}}\n"
    )
    return load(folder / "d.yaml")


SUM = "f+: {module: float_sum, file: floats.v, latency: 3}"
ROOT = "root: {module: square_root, file: square_root.v, latency: 2}"


def test_modules_come_with_their_text_and_widths(tmp_path: Path) -> None:
    found = loaded(tmp_path, f"{SUM}, {ROOT}").modules
    assert [(one.name, one.module, one.latency) for one in found] == [
        ("f+", "float_sum", 3),
        ("root", "square_root", 2),
    ]
    assert [(one.operands, one.bits) for one in found] == [((32, 32), 32), ((32,), 32)]
    assert found[1].file.text == (KERNELS / "square_root.v").read_text()


def test_a_copy_of_the_design_has_the_modules_too(tmp_path: Path) -> None:
    design = loaded(tmp_path, f"{SUM}, {ROOT}")
    assert {one.name for one in design.sources} >= {"floats.v", "square_root.v"}
    assert changed(design, ["target.clock_mhz=100"]).modules == design.modules


REFUSED = {
    "nothing": ("f+: {}", "f+: module, file and latency are missing; add them"),
    "no latency": (
        "f+: {module: float_sum, file: floats.v}",
        "f+: latency is missing; add it",
    ),
    "no such file": (
        "f+: {module: float_sum, file: none.v, latency: 3}",
        "none.v'; check the name",
    ),
    "no such module": (
        "f+: {module: other, file: floats.v, latency: 3}",
        "'floats.v' has no module 'other'",
    ),
    "other widths": (
        "d+: {module: float_sum, file: floats.v, latency: 3}",
        "d+: 'float_sum' has a0 of 32 bits, not 64, a1 of 32 bits, not 64 and q of 32 bits, not 64;"
        " give it input clk, input ce, input [63:0] a0, input [63:0] a1, output [63:0] q",
    ),
    "another number of operands": (
        "root: {module: float_sum, file: floats.v, latency: 3}",
        "'float_sum' has a further port a1",
    ),
    "a result of a comparison": (
        "f<: {module: float_sum, file: floats.v, latency: 3}",
        "q of 32 bits, not 1",
    ),
    "no function": (
        "g: {module: float_sum, file: floats.v, latency: 3}",
        "'g' is no operator, and no function of numbers that the C calls",
    ),
    "a name of ours": (
        "f+: {module: levels_S0, file: floats.v, latency: 3}",
        "the module 'levels_S0' may be one that is generated",
    ),
    "another language": (
        "f+: {module: float_sum, file: levels.c, latency: 3}",
        "'levels.c' is no file of Verilog",
    ),
    "a file elsewhere": (
        "f+: {module: float_sum, file: ../floats.v, latency: 3}",
        "'../floats.v' is not below the folder of the design",
    ),
    "a latency of none": (
        "f+: {module: float_sum, file: floats.v, latency: 0}",
        "latency must be at least 1, not 0",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_with_a_module_is_told(name: str, tmp_path: Path) -> None:
    functions, words = REFUSED[name]
    with pytest.raises(InputError) as caught:
        loaded(tmp_path, functions)
    assert words in str(caught.value)
    assert all(one.source_location is not None for one in caught.value.problems)


def test_all_is_told_at_once(tmp_path: Path) -> None:
    bad = ("no latency", "other widths", "no function")
    with pytest.raises(InputError) as caught:
        loaded(tmp_path, ", ".join(REFUSED[name][0] for name in bad))
    assert [one.what.split(":")[0] for one in caught.value.problems] == [
        "accelerator.functions.f+",
        "accelerator.functions.d+",
        "accelerator.functions.g",
    ]
