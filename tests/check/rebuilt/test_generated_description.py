"""The check `generated`: OUT is what this version writes for the design in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check import Checks, Status, Verdict
from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.emit.output_folder import write_folder
from hlsmem.emit.output_listing import LIST
from hlsmem.planner.output_files import output_files
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.questions.planned_checks import run_checks
from tests.holdings import cells_in
from tests.plans import files_of
from tests.steps import load

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
DESIGNS = {
    "blur": ("blur/design.yaml", {"N": 12}),
    "triangle": ("triangle/design.yaml", {}),
    "threshold": ("threshold/design.yaml", {}),
    "readers": ("two_readers/design.yaml", {}),
    "durbin": ("durbin/design.yaml", {"N": 12}),
    "product": ("matmul_relu/design.yaml", {}),
}


def out_of(folder: Path, name: str) -> Path:
    file, parameters = DESIGNS[name]
    files = files_of(EXAMPLES / file, parameters)
    if name == "threshold":  # with the cycles of its runs, which plans of tests are without
        files = output_files(plan_design(load(EXAMPLES / file, parameters=parameters)))
    write_folder(folder, files)
    return folder


def edit(out: Path, change: Callable[[Any], object]) -> None:
    """Change plan.json as its own writer would write it."""
    file = out / "plan.json"
    document = json.loads(file.read_text())
    change(document)
    file.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def generated(out: Path, **asked: Any) -> Checks:
    return run_checks(out, ("generated",), **asked)


def other(document: Any, *path: str | int) -> None:
    """Another value in the place of one leaf."""
    for key in path[:-1]:
        document = document[key]
    last = path[-1]
    old = document[last]
    document[last] = (
        not old if isinstance(old, bool) else old + 1 if isinstance(old, int) else f"{old}x"
    )


def exchange(one: Any, other: Any, key: str) -> None:
    one[key], other[key] = other[key], one[key]


@pytest.mark.few("blur")
@pytest.mark.parametrize("name", DESIGNS)
def test_a_fresh_folder_is_as_generated(tmp_path: Path, name: str) -> None:
    (verdict,) = generated(out_of(tmp_path, name)).verdicts
    assert verdict.status is Status.PASS
    assert verdict.detail.startswith("as generated: ")


# Of a design what is wrong in plan.json, and what is told of it. No other check held these.
FAULTS: dict[str, tuple[str, Callable[[Any], object], str]] = {
    "registers": (
        "triangle",
        lambda d: next(iter(d["memories"].values())).update(kind="registers", copies=1, words=32),
        "words: 32 for ",
    ),
    "one copy": (
        "threshold",
        lambda d: next(
            one for one in d["memories"].values() if one["kind"] == "ram" and one["copies"] > 1
        ).update(copies=1),
        "copies: 1 for ",
    ),
    "words": (
        "readers",
        lambda d: [one.update(words=91) for one in d["memories"].values()],
        "words: 91 for ",
    ),
    "style": (
        "blur",
        lambda d: d["memories"]["blurx"].update(style="block"),
        'memories.blurx.style: "block" for ',
    ),
    "operands": (
        "blur",
        lambda d: d["streams"][0]["operands"][0].update(element="nonsense[0]"),
        '"nonsense[0]" for ',
    ),
    "place in C": (
        "product",
        lambda d: exchange(*[cells_in(one) for one in d["arrays"].values()][:2], "at"),
        ".holdings.host.parts[0].at: ",
    ),
    "words of a holding": (
        "blur",
        lambda d: other(d, "arrays", "blurx", "holdings", "hardware", "words"),
        "arrays.blurx.holdings.hardware.words: ",
    ),
    "hash": ("blur", lambda d: d["inputs"].update({"blur.c": "sha256:0"}), "inputs.blur.c: "),
    "paths": ("blur", lambda d: d["paths"].append(["s_blurx_P", "m_blurx_C"]), "paths["),
    "elastic": (
        "blur",
        lambda d: d["elastic"].append(
            {"stream": "x", "beats": 1, "bits": 1, "waits_for": "y", "latency": {}}
        ),
        "elastic[0]: ",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_leaf_of_plan_json_is_told_with_both_values(tmp_path: Path, fault: str) -> None:
    name, change, told = FAULTS[fault]
    out = out_of(tmp_path, name)
    edit(out, change)
    found = generated(out)
    (verdict,) = found.verdicts
    assert (found.exit_code, verdict.status, verdict.subject) == (1, Status.FAIL, "plan.json")
    assert told in verdict.detail


def test_every_leaf_is_held(tmp_path: Path) -> None:
    """Each leaf of the plan in turn, by the comparison itself: a plan for each would be dear."""
    from hlsmem.check.rebuilt.generated_description import other_leaves

    given = json.loads((out_of(tmp_path, "blur") / "plan.json").read_text())
    paths = [*leaves(given)]
    assert len(paths) > 150
    for path in paths:
        changed = json.loads(json.dumps(given))
        other(changed, *path)
        (told,) = other_leaves(changed, given)
        assert " for " in told


def leaves(document: Any, path: tuple[str | int, ...] = ()) -> Any:
    if isinstance(document, dict | list):
        keys = document if isinstance(document, dict) else range(len(document))
        for key in keys:
            yield from leaves(document[key], (*path, key))
    elif document is not None:
        yield path


def test_a_line_of_normal_c_is_told(tmp_path: Path) -> None:
    out = out_of(tmp_path, "blur")
    file = out / "design" / "normal.c"
    file.write_text(file.read_text().replace("y >= 2", "y >= 1"))
    found = generated(out)
    (verdict,) = found.verdicts
    assert (found.exit_code, verdict.subject) == (1, "design/normal.c")
    assert verdict.detail == "design/normal.c:15: 'if (y >= 1)' for 'if (y >= 2)'"


@pytest.mark.parametrize("name", ["verify.py", "blur.core", "pictures/blurx-life.svg"])
def test_files_that_no_check_judges_are_held(tmp_path: Path, name: str) -> None:
    out = out_of(tmp_path, "blur")
    (out / name).write_bytes((out / name).read_bytes() + b"#\n")
    (verdict,) = generated(out).verdicts
    assert (verdict.status, verdict.subject) == (Status.FAIL, name)
    assert verdict.detail.isprintable()
    (out / name).unlink()
    (verdict,) = generated(out).verdicts
    assert verdict.detail == f"{name}: No such file or directory"


def test_what_is_drawn_anew_may_be_anything(tmp_path: Path) -> None:
    out = out_of(tmp_path, "blur")
    for name in ("report.md", "report.html", "notes.json", "checks.json"):
        (out / name).write_text("{}")
    (out / "mine.txt").write_text("of the user")
    assert [one.status for one in generated(out).verdicts] == [Status.PASS]


def test_verilog_and_c_are_named_and_left_to_their_checks(tmp_path: Path) -> None:
    out = out_of(tmp_path, "blur")
    (file,) = (out / "host").glob("*.c")
    file.write_text(file.read_text().replace("#include", "/* mine */\n#include", 1))
    found = run_checks(out, ("generated", "host"))
    plan, text, *_ = found.verdicts
    assert (plan.status, text.status) == (Status.PASS, Status.NOT_JUDGED)
    assert text.subject == "host/blur.c"
    assert text.detail.endswith("; host judges it")
    assert found.exit_code == 0


def test_a_foreign_folder_is_taken_as_it_is(tmp_path: Path) -> None:
    out = out_of(tmp_path, "blur")
    edit(out, lambda d: d["memories"]["blurx"].update(style="block"))
    found = generated(out, foreign=True)
    (verdict,) = found.verdicts
    assert (found.exit_code, verdict.status) == (0, Status.SKIPPED)
    assert verdict.detail.endswith(", taken as it is")
    assert "memories.blurx.style" in verdict.detail


def test_other_libraries_may_give_other_plans(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = out_of(tmp_path, "blur")
    versions = json.loads((out / LIST).read_text())["made_with"]
    assert set(versions) == {"isl", "HiGHS"}
    own = (out / LIST).read_text()
    (out / LIST).write_text(own.replace(versions["isl"], "2020.1"))
    assert generated(out).exit_code == 0  # the same plan all the same
    edit(out, lambda d: d["memories"]["blurx"].update(style="block"))
    found = generated(out)
    (verdict,) = found.verdicts
    assert verdict.status is Status.NOT_JUDGED
    assert verdict.detail.startswith(f"made with isl 2020.1, this is {versions['isl']}: plan.json")
    assert verdict.remedy == f"pip install islpy==2020.1 highspy=={versions['HiGHS']}"
    assert found.exit_code == 3  # it was asked for by name
    capsys.readouterr()
    assert main(["check", str(out), "--only", "source"]) == 0
    assert json.loads((out / LIST).read_text())["made_with"]["isl"] == "2020.1"


@pytest.mark.parametrize("name", ["/etc/hostname", "../outside.yaml", "a/../../b.yaml", "a\nb"])
def test_inputs_are_files_below_design(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = out_of(tmp_path, "blur")
    edit(out, lambda d: d.update(inputs={name: "sha256:0", **d["inputs"]}))
    with pytest.raises(InputError):
        generated(out)
    for command in (["check", str(out)], ["explain", str(out)]):
        assert main(command) == 2
        assert f"{name!r}, which is no file" in capsys.readouterr().err


def test_what_describes_the_verilog_is_made_and_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert main(["plan", str(EXAMPLES / "blur" / "design.yaml"), "-o", str(out)]) == 0
    assert not list((out / "sim").glob("*.json"))
    (out / "sim" / "blur.json").write_text("{}")
    told: list[str] = []

    def judged(*asked: Any, **_: Any) -> tuple[Verdict, ...]:
        told.append(asked[5].read_text())
        return ()

    monkeypatch.setattr("hlsmem.check.rtl.rtl_verdicts.check_rtl", judged)
    assert run_checks(out, ("rtl",)).exit_code == 0
    assert run_checks(out, ("rtl",), foreign=True).exit_code == 0
    made = files_of(EXAMPLES / "blur" / "design.yaml", kept=())["sim/blur.json"]
    assert told == [made, made]


def test_a_design_without_a_plan_fails(tmp_path: Path) -> None:
    out = out_of(tmp_path, "blur")
    file = out / "design" / "design.yaml"
    file.write_text(file.read_text() + "\npipeline: {interval: 1}\norder: iteration\n")
    file.write_text(file.read_text() + "arrays: {blurx: {reads: fifo}}\n")
    found = run_checks(out, ("generated", "rtl"))
    assert {one.status for one in found.verdicts} == {Status.FAIL}
    assert {one.check for one in found.verdicts} == {"generated", "rtl"}
    assert all("the design has no plan: " in one.detail for one in found.verdicts), found.verdicts


# What the command line says of a design is in what OUT has of it.
@pytest.mark.few(2)
@pytest.mark.parametrize(
    "words",
    [
        ["--param", "N=9"],
        ["--set", "order=iteration", "--set", "arrays.t.reads=copies", "--param", "N=9"],
        ["--method", "successive", "--set", "plan.slack=1"],
        ["--set", "host.l1_kib=machine", "--set", "host.tile=sica"],
        ["--set", "schedule=auto", "--param", "M=9"],
    ],
    ids=lambda words: " ".join(words),
)
@pytest.mark.parametrize("kind", ["c", "yaml"])
def test_settings_of_the_command_line_are_planned_again(
    tmp_path: Path, words: list[str], kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "headers").mkdir()
    (tmp_path / "headers" / "sizes.h").write_text("#define M 7\n#define N 8\n")
    (tmp_path / "k.c").write_text(TWO)
    text = "hlsmem: 1\nname: k\nparams: {M: 7, N: 8}\nkernel: {file: k.c, function: k}\n"
    (tmp_path / "k.yaml").write_text(text)
    out = tmp_path / "out"
    include = ["--include", str(tmp_path / "headers")]
    assert main(["plan", str(tmp_path / f"k.{kind}"), "-o", str(out), *include, *words]) == 0
    capsys.readouterr()
    assert [one.detail for one in generated(out).verdicts if not one.fine] == []


TWO = """\
#include "sizes.h"
void k(const int in[M][N], int out[M][N])
{
    int t[M][N];
    for (int y = 0; y < M; y++)
        for (int x = 0; x < N; x++)
            t[y][x] = 3 * in[y][x];
    for (int y = 1; y < M; y++)
        for (int x = 0; x < N; x++)
            out[y][x] = t[y - 1][x] + t[y][x];
}
"""


def test_a_machine_that_planned_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another machine has other caches, and gives the plan of the first."""
    (tmp_path / "f.c").write_text(PRODUCT)
    (tmp_path / "d.yaml").write_text(
        "hlsmem: 1\nname: f\nparams: {N: 11, M: 9}\n"
        'context: "[N, M] -> { : N >= 7 and M >= 6 }"\nkernel: {file: f.c, function: f}\n'
        "host: {sizes: [{N: 300, M: 300}], l2_kib: 64, tile: sica, l1_kib: machine}\n"
    )
    monkeypatch.setattr("hlsmem.planner.host.host_schedule.cache_kib", lambda level: 16 * level)
    assert main(["plan", str(tmp_path / "d.yaml"), "-o", str(tmp_path / "out")]) == 0
    document = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert document["orders"]["host"]["machine"] == {"l1_kib": 16}
    monkeypatch.setattr("hlsmem.planner.host.host_schedule.cache_kib", lambda _: None)
    assert [one.detail for one in generated(tmp_path / "out").verdicts if not one.fine] == []


PRODUCT = """\
#define N 11
#define M 9
void f(const short in[N][M], int out[N][M])
{
    for (int y = 0; y < N; y++)
        for (int x = 0; x < M; x++)
            out[y][x] = y + x;
    for (int y = 0; y < N; y++)
        for (int k = 0; k < N; k++)
            for (int x = 0; x < M; x++)
                out[y][x] += in[y][0] * in[k][x];
}
"""
