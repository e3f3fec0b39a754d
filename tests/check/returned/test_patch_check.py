"""The check `patch`: what comes back is what its patch says, and faults of it are seen."""

from __future__ import annotations

from pathlib import Path

import pytest

from hlsmem.check import run_checks
from hlsmem.check.returned.applied_patch import NotApplicable, applied
from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.source_patch import patch_of
from hlsmem.plan.plan_folder import refuse_strange
from tests.plans import files_of, put

EDGES = Path(__file__).parents[2] / "source_edits" / "kernels" / "edges.c"


def judged(folder: Path, old: str = "", new: str = "", *, is_patched: bool = True) -> Verdict:
    """The verdict on a kernel's text that comes back with a fault, its patch made anew."""
    files = dict(files_of(EDGES))
    text = files["source/edges.c"]
    assert old in text
    files["source/edges.c"] = text.replace(old, new, 1)
    if is_patched:
        patch = patch_of("edges.c", files["design/edges.c"], files["source/edges.c"])
        files["source/edges.c.patch"] = patch
    put(folder, files)
    (found,) = run_checks(folder, ("patch",)).verdicts
    return found


def test_what_comes_back_passes(tmp_path: Path) -> None:
    found = judged(tmp_path)
    assert found.status is Status.PASS
    assert found.detail.startswith("1 file: equal bits at N=14, M=9; N=")


FAULTS = {
    "a guard off by one": ("y >= 2", "y >= 1"),
    "a line one short": ("s_line0[N - 3]", "s_line0[N - 4]"),
    "a counter one early": ("s_at + 1 < N - 3", "s_at + 2 < N - 3"),
    "two taps exchanged": ("4 * s_2 - s_4", "4 * s_4 - s_2"),
    "a move dropped": ("s_3 = s_2;", ";"),
    "no C": ("s_3 = s_2;", "s_3 = s_2"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_seen(name: str, tmp_path: Path) -> None:
    found = judged(tmp_path, *FAULTS[name])
    assert found.status is Status.FAIL
    wanted = "does not compile" if name == "no C" else "out[" if "line" not in name else ""
    assert wanted in found.detail


def test_a_text_that_is_not_its_patch(tmp_path: Path) -> None:
    found = judged(tmp_path, "s_3 = s_2;", "s_3 = s_1;", is_patched=False)
    assert found.status is Status.FAIL
    assert found.detail == "source/edges.c is not what its patch makes of design/edges.c"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb\nc\n", "a\nc\n"),
        ("a\nb", "a\nb\nc"),
        ("", "a\n"),
        ("a\r\nb\r\n", "x\r\nb\r\n"),
        (
            "".join(f"{k}\n" for k in range(40)),
            "".join(f"{k + (k in (3, 30))}\n" for k in range(40)),
        ),
    ],
)
def test_a_patch_makes_the_text(before: str, after: str) -> None:
    assert applied(before, patch_of("k", before, after)) == after


def test_a_patch_of_another_text_does_not_apply() -> None:
    patch = patch_of("k", "a\nb\nc\n", "a\nx\nc\n")
    with pytest.raises(NotApplicable):
        applied("a\nd\nc\n", patch)


def test_folders_of_the_user_may_have_any_name(tmp_path: Path) -> None:
    files = {
        name.replace("edges.c", "v1.2/edges.c")
        if name.startswith(("design/", "source/"))
        else name: text
        for name, text in files_of(EDGES).items()
    }
    put(tmp_path, files)
    refuse_strange(tmp_path)
    (tmp_path / "rtl" / "edges.v").mkdir(parents=True)
    with pytest.raises(InputError, match="is a folder"):
        refuse_strange(tmp_path)
