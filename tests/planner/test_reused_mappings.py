"""Mappings of a class under single schedules of it: proved, run, or refused with the pair."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.core.errors import InputError
from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.options import Design
from tests.holdings import part_in
from tests.plans import plan_storage, whole_files
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DESIGN = EXAMPLES / "e1" / "design.yaml"
# Sizes and origins of tiles of the rows i, i + j, and the cycles of their Verilog.
TILES = [(1, 100, 0, 0, 38), (3, 5, 0, 0, 44), (4, 6, 1, 2, 44), (9, 13, 0, 0, 38)]


@pytest.fixture(scope="module")
def tiled_plan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("tiled") / "out"
    write_folder(out, whole_files(plan_storage(load(DESIGN))))
    return out / "plan.json"


def reusing(plan: Path, tiles: tuple[int, ...], *settings: str) -> Design:
    a, b, p, q, *_ = tiles
    order = f"{{ S[i,j] -> [floor((i + {p})/{a}), floor((i + j + {q})/{b}), i, i + j] }}"
    common = ("plan.schedules=given", "plan.bands=null", f"schedule='{order}'")
    return load(DESIGN, settings=[*common, f"plan.reuse={plan}", *settings])


@pytest.mark.few("(1, 100")
@pytest.mark.parametrize("tiles", TILES, ids=str)
def test_one_mapping_serves_every_tiling(tiled_plan: Path, tiles: tuple[int, ...]) -> None:
    planning = plan_design(reusing(tiled_plan, tiles))
    plan, mapping = planning.plan, planning.folded.mappings["A"]
    assert (mapping.cells, mapping.method) == (8, "reused")
    assert mapping.certificate.scope == "at"
    assert plan.arrays["A"].notes.remarks[0].startswith("slack: the mapping")
    assert plan.timing is not None
    assert plan.timing.cycles == tiles[-1]
    assert "reused.plan.json" in plan.inputs


@pytest.mark.long
def test_the_folder_of_a_plan_that_reuses_another_passes_its_checks(
    tiled_plan: Path, tmp_path: Path
) -> None:
    write_folder(tmp_path / "out", whole_files(plan_storage(reusing(tiled_plan, TILES[2]))))
    checks = run_checks(tmp_path / "out", ("proof", "replay", "host"))
    assert [one for one in checks.verdicts if not one.fine] == []
    assert checks.warnings == ()


def with_modulus(plan: Path, folder: Path, text: str) -> Path:
    document = json.loads(plan.read_text())
    part_in(document["arrays"]["A"])["mapping"]["pieces"][0]["modulus"] = [text]
    file = folder / "plan.json"
    file.write_text(json.dumps(document))
    return file


def test_a_cell_less_is_refused_where_a_tiling_needs_it(tiled_plan: Path, tmp_path: Path) -> None:
    file = with_modulus(tiled_plan, tmp_path, "3*n - 5")
    for tiles in (TILES[0], TILES[3]):  # whole rows, and one tile: 7 are enough
        assert plan_storage(reusing(file, tiles)).folded.mappings["A"].cells == 7
    for tiles in (TILES[1], TILES[2]):
        with pytest.raises(InputError) as caught:
            plan_storage(reusing(file, tiles))
        text = str(caught.value)
        assert "the 7 cells of 'A' are not enough for this schedule" in text
        assert "are alive together and share one" in text
        assert "written by S at i=" in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda own: own.update(index=["x", "y"]), "the plan has int32 A[x, y], this design int32"),
        (lambda own: own["element"].update(type="int16"), "the plan has int16 A[i, j]"),
        (
            lambda own: part_in(own)["mapping"]["pieces"][0].update(modulus=["3*k"]),
            "depends on 'k', which is no parameter here",
        ),
    ],
)
def test_another_array_is_refused(
    tiled_plan: Path, tmp_path: Path, change: object, message: str
) -> None:
    document = json.loads(tiled_plan.read_text())
    change(document["arrays"]["A"])  # type: ignore[operator]
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(document))
    with pytest.raises(InputError) as caught:
        plan_storage(reusing(file, TILES[0]))
    assert message in str(caught.value)


def test_a_plan_that_is_not_there_and_an_array_that_it_has_not(tiled_plan: Path) -> None:
    with pytest.raises(InputError, match=r"there is no plan 'nowhere\.json'"):
        reusing(Path("nowhere.json"), TILES[0])
    other = load(EXAMPLES / "blur" / "design.yaml", settings=[f"plan.reuse={tiled_plan}"])
    with pytest.raises(InputError, match="the plan has no array 'blurx'"):
        plan_storage(other)


def test_numbers_are_for_their_own_sizes(tiled_plan: Path, tmp_path: Path) -> None:
    document = json.loads(tiled_plan.read_text())
    mapping = part_in(document["arrays"]["A"])["mapping"]
    mapping["certificate"].update(scope="at", at={"m": 9, "n": 4})
    file = tmp_path / "plan.json"
    file.write_text(json.dumps(document))
    assert plan_storage(reusing(file, TILES[0])).folded.mappings["A"].cells == 8
    with pytest.raises(InputError, match="holds at m=9, n=4 alone"):
        plan_storage(reusing(file, TILES[0], "params.n=5"))
