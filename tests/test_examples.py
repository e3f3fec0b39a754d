"""The examples: planned, checked and as small as they promise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from hlsmem.check import load_subject, run_checks
from hlsmem.check.host_runs.host_bench import Bench
from hlsmem.emit.output_folder import write_folder
from hlsmem.program.model import Program
from hlsmem.read.design import load
from hlsmem.tools.find import C_COMPILER, find
from tests.conftest import EXAMPLES
from tests.plans import files_of, hardware_of, plan_storage, planning_of

# Cells at the designs' own parameters; those of max-live are optimal for any mapping.
CELLS = {
    "blur/design.yaml": {"blurx": 129},
    "blur/network.yaml": {"blurx": 129},
    "blur/conflicts.yaml": {"blurx": 129},
    "blur/tiled.yaml": {"blurx": 128},
    "blur/tile.yaml": {"blurx": 22},
    "sobel/design.yaml": {"in": 131},
    "jacobi1d/design.yaml": {"a": 65},
    "jacobi1d/network.yaml": {"a": 65},
    "jacobi1d/conflicts.yaml": {"a": 65},
    "durbin/design.yaml": {"y": 197, "sum": 1, "alpha": 1, "beta": 1},
    "matmul_relu/design.yaml": {"product": 12, "active": 12},
    "half/design.yaml": {"a": 66},
    "triangle/design.yaml": {"sum": 32},
    "heat2d/design.yaml": {"a": 272},
    "two_consumers/design.yaml": {"smooth": 25},
    "window3/design.yaml": {"in": 1282},
    "window3/unrolled.yaml": {"in": 1282},
    "window5/design.yaml": {"in": 2564},
    "stencil5/design.yaml": {"in": 4094},
    "bicubic/design.yaml": {"in": 1024},
    "transpose/design.yaml": {"tile": 256},
    "unsharp/design.yaml": {"in": 258, "b": 1},
    "camera/design.yaml": {"in": 7716, "d": 3850, "m": 3842, "bx": 3840},
    "two_readers/design.yaml": {"t": 763},
    "echo/design.yaml": {"in": 1283},
    "fifo/design.yaml": {"queue": 1024},
    "e1/design.yaml": {"A": 8},
    "msa3/design.yaml": {"D": 60},
    "mixed/design.yaml": {"A": 42},
    "jacobi_tiles/design.yaml": {"a": 20},
    "seidel/design.yaml": {"a_v": 10},
    "pipeline/design.yaml": {"image": 131},
    "receiver/design.yaml": {"looking": 1, "state": 1, "bits": 1, "symbol": 1},
    "threshold/design.yaml": {"bright": 1, "t": 49},
    "edges/design.yaml": {"in": 67, "out": 1},
}
# Sizes that every check takes little time at; where there are none, the example's own are small.
SMALLER = {
    "blur/design.yaml": {"N": 16},
    "blur/network.yaml": {"N": 16},
    "blur/tiled.yaml": {"N": 16},
    "sobel/design.yaml": {"N": 16},
    "jacobi1d/design.yaml": {"N": 16, "T": 6},
    "jacobi1d/network.yaml": {"N": 16, "T": 6},
    "durbin/design.yaml": {"N": 12},
    "matmul_relu/design.yaml": {"N": 4, "M": 6, "P": 4},
    "half/design.yaml": {"N": 16},
    "heat2d/design.yaml": {"N": 8, "T": 3},
    "triangle/design.yaml": {"N": 16},
    "two_consumers/design.yaml": {"N": 24},
    "window3/design.yaml": {"W": 12, "H": 5},
    "window3/unrolled.yaml": {"W": 12, "H": 5},
    "window5/design.yaml": {"W": 14, "H": 6},
    "stencil5/design.yaml": {"N": 8, "M": 12},
    "bicubic/design.yaml": {"N": 8, "M": 10},
    "transpose/design.yaml": {"N": 8},
    "unsharp/design.yaml": {"W": 16, "H": 6},
    "camera/design.yaml": {"W": 20, "H": 12},
    "two_readers/design.yaml": {"W": 32, "H": 8},
    "echo/design.yaml": {"N": 1300},
    "fifo/design.yaml": {"N": 1100},
    "msa3/design.yaml": {"a": 3, "b": 3, "c": 3},
    "mixed/design.yaml": {"a": 3, "b": 5, "c": 4},
    "jacobi_tiles/design.yaml": {"N": 6, "T": 5},
    "seidel/design.yaml": {"N": 6, "T": 4},
    "pipeline/design.yaml": {"W": 12, "H": 6},
    "receiver/design.yaml": {"N": 12},
    "threshold/design.yaml": {"W": 8, "H": 5},
    "edges/design.yaml": {"W": 10, "H": 6},
}
# Sizes at which all checks are run in `make test-all`, where the examples' own take too long.
LARGER = {name: {"W": 20, "H": 8} for name in CELLS if name.startswith("window")} | {
    "stencil5/design.yaml": {"N": 12, "M": 16},
    "bicubic/design.yaml": {"N": 12, "M": 14},
    "camera/design.yaml": {"W": 40, "H": 12},
    "echo/design.yaml": {"N": 2600},
    "fifo/design.yaml": {"N": 2100},
}


def test_every_example_is_listed_here() -> None:
    found = {str(file.relative_to(EXAMPLES)) for file in EXAMPLES.glob("*/*.yaml")}
    assert found == set(CELLS)


# A kernel and a network; C of other forms is built by tests of the emitter.
BUILT = ("blur/network.yaml", "durbin/design.yaml")
# Storage of several kinds; what the others have is simulated by tests of checks, too.
KINDS = ("durbin/design.yaml", "window3/unrolled.yaml")
# A queue that is a FIFO, and readers with a memory each; the record has them as well.
REPLAYED = ("two_readers/design.yaml", "fifo/design.yaml")


def written(files: dict[str, str], out: Path) -> Path:
    write_folder(out, files)
    return out


@pytest.mark.parametrize("name", CELLS)
def test_an_example_is_as_small_as_promised(name: str) -> None:
    found = hardware_of(EXAMPLES / name).folded.mappings
    assert {array: mapping.cells for array, mapping in found.items()} == CELLS[name]


def assert_passes(
    name: str, sizes: Mapping[str, int] | None, checks: Sequence[str], out: Path
) -> None:
    found = run_checks(written(files_of(EXAMPLES / name, sizes), out), checks)
    assert [v for v in found.verdicts if not v.fine] == []
    assert {v.check for v in found.verdicts} == set(checks)
    assert found.warnings == ()


@pytest.mark.few("seidel/design.yaml", *BUILT, *KINDS, *REPLAYED)
@pytest.mark.parametrize("name", CELLS)
def test_an_example_is_proved_and_replayed(name: str, tmp_path: Path) -> None:
    assert_passes(name, SMALLER.get(name), ("proof", "replay"), tmp_path / "out")


@pytest.mark.usefixtures("all_builds")
@pytest.mark.few(*BUILT[:1])
@pytest.mark.parametrize("name", CELLS)
def test_the_c_of_an_example(name: str, tmp_path: Path) -> None:
    assert_passes(name, SMALLER.get(name), ("host",), tmp_path / "out")


@pytest.mark.few(*KINDS)
@pytest.mark.parametrize("name", CELLS)
def test_the_verilog_of_an_example(name: str, tmp_path: Path) -> None:
    assert_passes(name, SMALLER.get(name), ("rtl",), tmp_path / "out")


@pytest.mark.long
@pytest.mark.parametrize("name", CELLS)
def test_a_larger_example_passes_all_checks(name: str, tmp_path: Path) -> None:
    checks = ("proof", "replay", "host", "rtl")
    assert_passes(name, LARGER.get(name), checks, tmp_path / "out")


@pytest.mark.long
@pytest.mark.parametrize("name", CELLS)
def test_the_c_of_an_example_runs_in_a_small_stack(name: str, tmp_path: Path) -> None:
    """`ulimit -s 256`, at the example's own sizes; its arguments stand elsewhere."""
    out, work = written(files_of(EXAMPLES / name), tmp_path / "out"), tmp_path / "work"
    work.mkdir()
    subject = load_subject(out)
    program = subject.design.input
    if not isinstance(program, Program) or program.tile is not None:
        pytest.skip("it has no C of the whole")
    bench = Bench(compiler=find(C_COMPILER), out=out, work=work, program=program, plan=subject.plan)
    assert bench.small_stack_kib == 256
    pair = bench.build(subject.plan.params)
    assert bench.ends_in_small_stack(pair, 0) == ""


@pytest.mark.parametrize(
    "name", [f"{name}/design.yaml" for name in ("blur", "sobel", "half", "jacobi1d")]
)
def test_four_examples_fold_tenfold(name: str) -> None:
    arrays = hardware_of(EXAMPLES / name).plan.arrays.values()
    declared = sum(array.declared_cells or 0 for array in arrays)
    assert declared >= 10 * sum(array.hardware.words for array in arrays)


def test_blur_by_iteration_needs_one_cell_less() -> None:
    planning = plan_storage(load(EXAMPLES / "blur/design.yaml", settings=["order=iteration"]))
    assert planning.folded.mappings["blurx"].cells == 128


@pytest.mark.long
def test_blur_by_iteration_passes_its_checks(tmp_path: Path) -> None:
    design = EXAMPLES / "blur/design.yaml"
    files = files_of(design, {"N": 8}, ["order=iteration"])
    checks = run_checks(written(files, tmp_path / "out"), ("proof", "replay", "host"))
    assert [v for v in checks.verdicts if not v.fine] == []


def test_durbin_folds_to_two_rows_by_modulo() -> None:
    design = load(EXAMPLES / "durbin/design.yaml", settings=["plan.method=successive"])
    mapping = plan_storage(design).folded.mappings["y"]
    assert mapping.cells == 200
    assert str(mapping.pieces[0].cells()) == "2*N"


@pytest.mark.few("seidel/design.yaml")
@pytest.mark.parametrize("design", CELLS)
def test_c_keeps_no_more_than_its_source(design: str) -> None:
    """Neither where arguments lie apart nor, by the order of the text, where they overlap."""
    plan = planning_of(EXAMPLES / design).plan
    if plan.ram is None or plan.ram.source is None:
        return
    assert plan.ram.bytes <= plan.ram.source
    assert (plan.ram.check or 0) <= plan.ram.source
    arrays = () if plan.text is None else plan.text.arrays.values()
    assert sum(one.mapping.cells * one.cell_bytes for one in arrays) <= plan.ram.bytes
