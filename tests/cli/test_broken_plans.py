"""plan.json that is not as hlsmem wrote it: verdicts or a message, whatever stands in it."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hlsmem_verify
from hlsmem.cli.main import main
from hlsmem.core.errors import InputError
from hlsmem.emit.output_folder import write_folder
from hlsmem.plan import from_json
from hlsmem.plan.plan_shape import misfits
from tests.conftest import EXAMPLES
from tests.families import by_default
from tests.plans import files_of

# One with a chain and C of its own, one with banks.
DESIGNS = ("blur", "transpose")
PART = ("arrays", "tile", "holdings", "hardware", "parts", 0)
MAPPING = (*PART, "mapping")
PIECE = (*MAPPING, "pieces", 0)
VALUES: tuple[Any, ...] = (
    *(None, "x", "", 0, 1, -1, 10**17, [], {}, True, 1.5),
    *("{ [i] : i = 0 }", "[N] -> { A[i] : ", "{ S[i] -> [j] : j = k }"),
)
Path_ = tuple[str | int, ...]


def plan_of(folder: Path, design: str) -> Any:
    """An OUT of the design in a folder; its plan.json."""
    write_folder(folder / "out", files_of(EXAMPLES / design / "design.yaml", {"N": 8}))
    return json.loads((folder / "out" / "plan.json").read_text())


def changed(document: Any, path: Path_, value: Any) -> Any:
    document = copy.deepcopy(document)
    inner = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return document


def at(document: Any, path: Path_) -> Any:
    for key in path:
        document = document[key]
    return document


def paths(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, entry in inner:
        yield (*path, key)
        if isinstance(entry, (dict, list)):
            yield from paths(entry, (*path, key))


def faults(document: Any) -> Iterator[tuple[Path_, Any]]:
    """Each place, and each value for it."""
    for path in paths(document):
        yield from ((path, value) for value in (*VALUES, *others(at(document, path))))


def others(value: Any) -> tuple[Any, ...]:
    """Values that may have the shape of the one that is there."""
    if isinstance(value, int) and not isinstance(value, bool):
        return (value + 1, value - 1)
    if isinstance(value, str):
        return (f"{value}x", value[:-1], value.replace("1", "2"), value.replace("N", "M"))
    return (value * 2, value[:-1]) if isinstance(value, list) else ()


VERIFY = "hlsmem-verify"
CHECKS = ("check out --only proof", VERIFY)
READERS = (
    *("view out", "explain out", "synth out", "bench out", "diff out out"),
    "diff out/plan.json out/plan.json",
)

# Beside each whether `check` judges it all the same, and finds it false.
FAULTS: dict[str, tuple[Path_, Any, bool]] = {
    "an older format": (("format",), "hlsmem-plan/3", False),
    "program null": (("program",), None, True),
    "no isl text": ((*PIECE, "domain"), "x", False),
    "no pivot": ((*PART, "bank_basis", 1, 1), 0, False),
    "no number": (("timing", "asked"), {}, False),
    "no text": (("overrides",), [-1], False),
    "no offset": ((*PIECE, "offset"), [], False),
    "a modulus more": ((*PIECE, "modulus_value", 0), 9, True),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_every_verb_that_reads_it_refuses_or_judges_a_plan(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    document = plan_of(tmp_path, "transpose")
    path, value, is_judged = FAULTS[fault]
    (tmp_path / "out" / "plan.json").write_text(json.dumps(changed(document, path, value)))
    for reader in CHECKS if is_judged else (*CHECKS, *READERS):
        code = hlsmem_verify.main(["out"]) if reader == VERIFY else main(reader.split())
        told = capsys.readouterr()
        if is_judged or (code == 1 and reader == VERIFY):
            assert (code, "FA" in told.out) == (1, True), (reader, told)
        else:
            assert code == 2, (reader, told)
            assert told.err.startswith(("out/plan.json: ", "hlsmem-verify: out/plan.json: "))
            assert "; run `hlsmem plan` again" in told.err


@pytest.mark.parametrize("design", DESIGNS)
def test_a_value_anywhere_is_read_or_refused(design: str, tmp_path: Path) -> None:
    document = plan_of(tmp_path, design)
    for path, value in Random(design).sample(list(faults(document)), by_default(200, 4000)):
        with suppress(InputError):
            from_json(json.dumps(changed(document, path, value)), "plan.json")


@pytest.mark.parametrize("design", DESIGNS)
def test_a_plan_that_makes_no_sense_has_verdicts_or_a_message(
    design: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Also where the report and the page cannot be drawn of it."""
    monkeypatch.chdir(tmp_path)
    document = plan_of(tmp_path, design)
    drawn = Random(design).sample(list(faults(document)), by_default(15, 2000))
    for path, value in drawn:
        if any(misfits(changed(document, path, value))):
            continue
        (tmp_path / "out" / "plan.json").write_text(json.dumps(changed(document, path, value)))
        for only in ("proof",):
            code = main(["check", "out", "--only", only])
            told = capsys.readouterr()
            assert code in (0, 1, 2), (path, value, told.err)
            assert "## Checks" in told.out or "; " in told.err, (path, value)


def test_the_verdicts_stand_where_nothing_can_be_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    document = plan_of(tmp_path, "transpose")
    file, report = tmp_path / "out" / "plan.json", tmp_path / "out" / "report.md"
    report.write_text("as it was")
    file.write_text(json.dumps(changed(document, (*MAPPING, "pieces"), [])))
    assert main(["check", "out", "--only", "proof"]) == 2
    told = capsys.readouterr()
    assert "## Checks" in told.out
    assert "FAILED: proof." in told.out
    assert told.err.startswith("out/plan.json: it is not as hlsmem wrote it, and nothing more")
    assert report.read_text() == "as it was"
    assert json.loads((tmp_path / "out" / "checks.json").read_text())["checks"]
    # The same fault in a plan that stands as it was written is one of ours.
    files = files_of(EXAMPLES / "transpose" / "design.yaml", {"N": 8})
    write_folder(tmp_path / "out", files | {"plan.json": file.read_text()})
    assert main(["check", "out", "--only", "proof"]) == 70
    told = capsys.readouterr()
    assert "## Checks" in told.out
    Path(told.err.split()[-1]).unlink()
