"""Changes of designs: each that is printed, applied, gives its figures; illegal ones never are."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import hlsmem
from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.planner.planning_sequence import plan_hardware
from hlsmem.program.options import Design
from hlsmem.questions.savings import changes, figures
from hlsmem.read.design import changed
from hlsmem.read.writing import written
from hlsmem.schedule_search.design_changes import Changes
from hlsmem.schedule_search.proposals import Proposal, Proposals
from tests.families import by_default
from tests.fuzz.compare import expected, random_case
from tests.plans import plan_storage
from tests.schedule_search.kernels import FOLDER, kernel
from tests.steps import KEPT, load

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*/design.yaml"))
LONG = pytest.mark.long
SMALL = ("params.H=16", "params.W=20")


def applied(design: Design, settings: tuple[str, ...], folder: Path) -> Design:
    """The design as `--apply` writes it, read again from files."""
    for source in design.sources:
        file = folder / source.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source.text)
    file = folder / design.file
    file.write_text(written(design, settings))
    return load(file)


def check_changes(design: Design, folder: Path, top: int = 2) -> Changes:
    found = changes(design, order="any", top=top)
    for one in found.changes:
        plan = plan_hardware(applied(design, one.change.settings, folder)).plan
        assert figures(plan) == one.figures
        assert found.saving(one.figures) >= 1
    return found


@LONG
@pytest.mark.parametrize("name", ["gauss", "three", "late", "down"])
def test_a_change_gives_its_figures(name: str, tmp_path: Path) -> None:
    found = check_changes(kernel(name, "params.H=16", "params.W=40"), tmp_path, top=3)
    kinds = {one.change.kind for one in found.changes}
    # Where isl's rows are among the best, they leave no place for strips.
    assert kinds & {"interchange", "strip"}
    assert name != "gauss" or "strip" in kinds
    assert [found.saving(one.figures) for one in found.changes] == sorted(
        (found.saving(one.figures) for one in found.changes), reverse=True
    )
    assert found.complete


QUICK = ("blur", "fifo", "half")


@pytest.mark.dear
@pytest.mark.parametrize(
    "file",
    [
        file if file.parent.name in QUICK else pytest.param(file, marks=LONG)
        for file in EXAMPLES
        if file.parent.name != "heat2d"
    ],
    ids=lambda file: file.parent.name,
)
def test_changes_of_an_example_give_their_figures(file: Path, tmp_path: Path) -> None:
    check_changes(load(file), tmp_path)


SEEDS = [seed for seed in range(by_default(10, 130)) if not expected(random_case(seed)).refused]


@pytest.mark.dear
@pytest.mark.parametrize("seed", SEEDS)
def test_changes_of_random_programs_give_their_figures(seed: int, tmp_path: Path) -> None:
    case = replace(random_case(seed), order=None)
    (tmp_path / f"{case.program.name}.c").write_text(case.program.text())
    (tmp_path / "design.yaml").write_text(case.design())
    design = load(tmp_path / "design.yaml")
    if case.level is None or _is_built(design):
        check_changes(design, tmp_path / "applied")


# What one step of several iterations may not do, as no circuit could.
_UNBUILT = "writes .* in one step, .* has one write port|in the step in which .* makes it"


def _is_built(design: Design) -> bool:
    """Whether the steps of a design can be built; if not, there are no changes of it either."""
    try:
        plan_hardware(design)
    except InputError:
        for refusing in (plan_hardware, changes):
            with pytest.raises(InputError, match=_UNBUILT):
                refusing(design)
        return False
    return True


@pytest.mark.long
def test_ranks_do_not_depend_on_how_many_are_shown() -> None:
    design = kernel("gauss", *SMALL)
    few, many = (
        changes(design, kinds=["fuse", "step"], top=top, illegal=0).changes for top in (1, 3)
    )
    assert many[: len(few)] == few


@pytest.mark.long
def test_steps_of_an_iteration_take_a_cell_less() -> None:
    found = changes(kernel("gauss", *SMALL), kinds=["step"], illegal=0)
    (one,) = found.changes
    assert one.figures.words == 2 * 20 - 3
    assert one.change.settings[1:] == ("order=iteration", "pipeline.level=2")


@pytest.mark.long
def test_with_orders_kept_nothing_is_touched_by_columns() -> None:
    found = changes(kernel("gauss", *SMALL), order="kept", illegal=0)
    assert found.changes
    assert not any(one.change.by_columns for one in found.changes)


def test_an_array_is_told_to_be_a_stream() -> None:
    found = changes(load(ROOT / "examples" / "bicubic" / "design.yaml"), kinds=["stream"])
    (one,) = found.changes
    assert one.change.settings == ("arrays.in.storage=stream",)
    assert one.figures.words == 70


def test_slack_is_offered_to_be_left_out() -> None:
    found = changes(kernel("gauss", *SMALL, "plan.slack=1"), kinds=["slack"])
    assert [one.change.settings for one in found.changes] in ([], [("plan.slack=0",)])


def test_what_is_illegal_says_which_dependence_forbids_it() -> None:
    design = kernel("gauss", *SMALL)
    found = changes(design, kinds=["fuse"])
    assert found.illegal
    for one in found.illegal:
        assert one.bits < found.now.bits
        assert one.because.startswith("gauss.c:13:")
        assert "breaks a dependence" in one.because
        with pytest.raises(InputError, match="breaks a dependence"):
            plan_hardware(changed(design, one.change.settings))


IN_PLACE = """\
void k(const int in[9][9], int out[9][9]) {
    int a[9][9];
    for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++)
        a[i][j] = in[i][j];
    for (int t = 0; t < 3; t++) for (int i = 1; i < 8; i++) for (int j = 1; j < 8; j++)
        a[i][j] = (a[i-1][j] + a[i][j-1] + a[i+1][j] + a[i][j+1]) / 4;
    for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++)
        out[i][j] = a[i][j];
}
"""


@pytest.mark.long
def test_two_illegal_orders_are_not_told_in_the_same_words() -> None:
    found = changes(hlsmem.load(text=IN_PLACE, name="k.c"), kinds=["fuse"])
    told = [one.change.what for one in found.illegal]
    assert len(told) > 1
    assert len(set(told)) == len(told)


def test_an_illegal_order_among_the_proposals_is_never_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing that the search says is believed: a plan that is refused has no row."""
    illegal = Proposal(
        kind="fuse",
        what="run the reader first",
        schedule="{ S0[y, x] -> [y + 5, x, 0]; S1[y, x] -> [y, x, 1] }",
        rows=2,
        bits=1,
    )

    def proposed(*_: object, **__: object) -> Proposals:
        return Proposals(found=(illegal,), doubtful=(), work=1, complete=True)

    monkeypatch.setattr("hlsmem.schedule_search.proposals.proposals", proposed)
    found = changes(kernel("gauss", *SMALL), kinds=["fuse"])
    assert found.changes == ()


def _sets(settings: tuple[str, ...]) -> list[str]:
    return [word for setting in settings for word in ("--set", setting)]


def test_a_searched_order_stands_in_the_overrides(tmp_path: Path) -> None:
    out = tmp_path / "out"
    file = str(FOLDER / "gauss.yaml")
    settings = _sets((*KEPT, *SMALL, "schedule=auto"))
    assert main(["plan", file, *settings, "-o", str(out)]) == 0
    plan = json.loads((out / "plan.json").read_text())
    assert plan["arrays"]["tmp"]["holdings"]["hardware"]["words"] == 2 * 20 - 3
    assert plan["orders"]["hardware"]["text"] == {"bits": 16 * 18 * 8, "cycles": None}
    assert plan["overrides"] == [
        *KEPT,
        "params.H=16",
        "params.W=20",
        'schedule="{ S0[y, x] -> [y, x, 0]; S1[y, x] -> [y + 1, x, 1] }"',
    ]
    assert main(["check", str(out), "--only", "proof", "--only", "replay"]) == 0


@pytest.mark.long
def test_a_step_of_a_searched_order_is_one_value_of_its_rows() -> None:
    planning = plan_storage(kernel("unsharp", "schedule=auto", "order=iteration"))
    assert "pipeline.level=2" in planning.plan.overrides
    assert sum(one.cells for one in planning.folded.mappings.values()) == 1918


@pytest.mark.long
def test_equal_input_gives_equal_bytes(capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for _ in range(2):
        arguments = [
            "what-if",
            str(FOLDER / "gauss.yaml"),
            *_sets(SMALL),
            "--kind",
            "step",
            "--json",
        ]
        assert main(arguments) == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    document = json.loads(texts[0])
    assert document["format"] == "hlsmem-what-if/2"
    first = document["changes"][0]
    assert first["rank"] == 1
    assert first["order"] == "kept"
    assert first["legal"] == {"status": "proved", "scope": "all-parameters"}


@pytest.mark.dear
def test_a_setting_of_ones_own_has_its_row_alone(capsys: pytest.CaptureFixture[str]) -> None:
    setting = "arrays.tmp.style=registers"
    assert main(["what-if", str(FOLDER / "gauss.yaml"), *_sets(SMALL), "--try", setting]) == 0
    text = capsys.readouterr().out
    assert setting in text
    assert text.count("| try") == 1


@pytest.mark.dear
def test_an_applied_change_keeps_comments(tmp_path: Path) -> None:
    text = (
        "# my filter\nhlsmem: 1\nname: gauss  # as in the paper\nparams: {H: 16, W: 20}\n"
        'context: "[H, W] -> { : H >= 16 and W >= 16 }"\n'
        "kernel: {file: gauss.c}\nschedule: text\n"
    )
    (tmp_path / "gauss.c").write_text((FOLDER / "gauss.c").read_text())
    file = tmp_path / "design.yaml"
    file.write_text(text)
    assert main(["what-if", str(file), "--kind", "step", "--top", "1", "--apply", "1"]) == 0
    now = file.read_text()
    kept = text.removesuffix("schedule: text\n")
    assert now.startswith(kept)
    assert now.removeprefix(kept).startswith("schedule: ")
    assert "->" in now.removeprefix(kept)
    other = tmp_path / "other.yaml"
    arguments = ["what-if", str(tmp_path / "gauss.c"), "--param", "H=16", "--param", "W=20"]
    arguments += ["--set", "schedule=text"]
    assert main([*arguments, "--kind", "step", "--top", "1", "--apply", "1", "-o", str(other)]) == 0
    plans = [plan_storage(load(one)).plan for one in (file, other)]
    assert len({figures(plan).words for plan in plans}) == 1
