"""Public HLS sources: the list, what becomes of a function of a checkout, and the page of it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, replace
from os import times_result
from pathlib import Path
from signal import SIGSEGV, SIGXCPU

import pytest

from hlsmem.tools.run import Finished
from reports import public, public_top
from reports.public import WANTED, kind, line, main, refusals, summary, text, tops
from reports.public_top import Absent, Outcome, Planned, Refused, Top, outcome, to_json

OWN = {"repository": "own/small", "commit": "0123456789abcdef"}
HEADER = "#define LAST 2\n"
KERNEL = """\
#include "size.h"
void shift(int n, const int in[1000], int out[1000])
{
    int t[1000];
    for (int i = 0; i < n; i++)
        t[i] = in[i];
    for (int i = LAST; i < n; i++)
        out[i] = t[i] + t[i - LAST] * SCALE;
}
void halved(int x[8])
{
    for (int i = 1; i < 8; i += x[0])
        x[i] = 0;
}
"""
SHIFT = Top(**OWN, file="src/k.c", top="shift", include=["inc", "gone"], define=["SCALE=3"])
HALVED = Top(**OWN, file="src/k.c", top="halved", include=["inc"], define=["SCALE=3"])
GONE = Top(**OWN, file="src/gone.c", top="gone")


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the checkout of one repository."""
    folder = tmp_path_factory.mktemp("sources")
    root = folder / "own+small"
    (root / "src").mkdir(parents=True)
    (root / "inc").mkdir()
    (root / "src" / "k.c").write_text(KERNEL)
    (root / "inc" / "size.h").write_text(HEADER)
    return folder


def test_the_list_has_the_tops_that_targets_are_of() -> None:
    counts = Counter(one.repository for one in tops())
    assert {name: whole for name, (_, whole) in WANTED.items()} == {
        name: count for name, count in counts.items() if name in WANTED
    }
    assert len({(one.repository, one.file, one.top, tuple(one.define)) for one in tops()}) == 272


def test_a_parameter_whose_value_is_asked_for_gets_64(sources: Path) -> None:
    """What the file includes is found, and SCALE is defined."""
    found = outcome(SHIFT, public.checkout(sources, SHIFT.repository))
    assert isinstance(found, Planned)
    assert found.arrays == 3
    assert 0 < found.bits < 64 * 32


def test_a_refusal_has_its_place_and_how_many_follow(sources: Path) -> None:
    found = outcome(HALVED, public.checkout(sources, HALVED.repository))
    assert isinstance(found, Refused)
    assert found.place == "line 12"
    assert "does not step 'i' by a constant" in found.what
    assert not found.is_read


def test_a_file_that_is_not_there_is_not_at_hand(sources: Path) -> None:
    assert outcome(GONE, public.checkout(sources, GONE.repository)) == Absent()
    assert public.checkout(sources, "other/small") == sources / "other+small"


ENDINGS = {
    -SIGXCPU: "more than 9 s of a processor",
    -SIGSEGV: "the process ends by SIGSEGV ",
    1: "the process ends by exit status 1 KeyError",
    0: "plan: 96 bits, 3 arrays",
}


@pytest.mark.parametrize("status", ENDINGS)
def test_a_process_may_end_early(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    errors = "KeyError\n" if status == 1 else ""
    output = "" if status else to_json(SHIFTED)
    done = Finished(arguments=(), status=status, output=output, errors=errors)
    monkeypatch.setattr(public, "run", lambda *_, **__: done)
    assert line(public.tried(SHIFT, sources=Path(), seconds=9)) == ENDINGS[status]


@pytest.mark.parametrize("used", [6.0, 8.0, 8.9])
def test_no_copy_follows_one_that_used_the_seconds(
    used: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised = list[int]()
    times = times_result((9.0, 9.0, used - 2, 2.0, 99.0))
    monkeypatch.setattr(public_top, "raise_signal", raised.append)
    monkeypatch.setattr("os.times", lambda: times)
    public_top.end_after(9)
    assert raised == ([SIGXCPU] if used == 8.9 else [])


def test_a_top_has_so_much_time(sources: Path) -> None:
    assert line(public.tried(SHIFT, sources=sources, seconds=0)) == "more than 0 s"


def test_the_page_has_a_line_a_top_and_a_table_of_sources(
    sources: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "public.md"
    monkeypatch.setattr(public, "OUT", out)
    monkeypatch.setattr(public, "WANTED", {"own/small": (2, 3)})
    monkeypatch.setattr(public, "tops", lambda: [SHIFT, HALVED, GONE, ELSEWHERE])
    made = {"shift": SHIFTED, "halved": OTHER}
    monkeypatch.setattr(public, "tried", lambda top, **_: made.get(top.top, Absent()))
    main([str(sources), "--jobs", "1"])
    assert out.read_text() == f"{public._HEAD.format(seconds=60)}\n{PAGE}"
    out.unlink()
    capsys.readouterr()
    main([str(sources), "--refusals", "--only", "k.c:halved"])
    assert not out.exists()
    assert REFUSED in capsys.readouterr().out


def test_a_run_that_was_ended_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = list[str]()
    made = {"shift": SHIFTED, "halved": OTHER}

    def tried(top: Top, **_: object) -> Outcome:
        asked.append(top.top)
        return made.get(top.top, Absent())

    monkeypatch.setattr(public, "tops", lambda: [SHIFT, HALVED, GONE])
    monkeypatch.setattr(public, "tried", tried)
    outcomes = [str(tmp_path), "--jobs", "1", "--refusals", "--outcomes", str(tmp_path / "o")]
    main([*outcomes, "--only", "k.c:halved"])
    main(outcomes)
    whole = capsys.readouterr().out
    assert sorted(asked) == sorted(one.top for one in (SHIFT, HALVED, GONE))
    main(outcomes)
    assert len(asked) == 3
    assert capsys.readouterr().out in whole


def test_a_parameter_with_a_value_of_its_own_stands_beside_the_top(sources: Path) -> None:
    top = replace(SHIFT, parameters={"n": 0})
    found = outcome(top, sources / "own+small")
    assert isinstance(found, Refused)
    assert "n=0" in found.what
    assert "| shift n=0 |" in text([(top, found)], 60)


def test_outcomes_of_an_older_list_are_known(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "outcomes.json"
    older = {key: one for key, one in asdict(GONE).items() if key != "parameters"}
    file.write_text(json.dumps({"top": older, "outcome": {"kind": "Absent"}}) + "\n")
    monkeypatch.setattr("reports.public.tops", lambda: [GONE])
    monkeypatch.delattr("reports.public.tried")
    main([str(sources), "--refusals", "--outcomes", str(file)])


ELSEWHERE = Top(repository="own/other", commit="fedcba9876543210", file="x.cpp", top="x")
SHIFTED = Planned(bits=96, arrays=3)
OTHER = Refused(what="'i' does not; count", place="line 12", problems=2, is_read=True)
PAGE = """\
| source (commit)          | tops | not at hand | read | planned | wanted |
|--------------------------|-----:|------------:|-----:|--------:|-------:|
| own/small (0123456789ab) |    3 |           1 |    2 |       1 |      1 |
| own/other (fedcba987654) |    1 |           1 |    0 |       0 |      0 |
| all                      |    4 |           2 |    2 |       1 |      1 |

## own/small

| file       | top    |                                           |
|------------|--------|-------------------------------------------|
| src/k.c    | shift  | plan: 96 bits, 3 arrays                   |
| src/k.c    | halved | line 12: 'i' does not; count (and 1 more) |
| src/gone.c | gone   | not at hand                               |

## own/other

Not at hand.
"""
REFUSED = """
   1 '..' does not
     own/small src/k.c halved: line 12: 'i' does not; count (and 1 more)
"""


def test_refusals_come_the_most_frequent_first() -> None:
    others: list[tuple[Top, Outcome]] = [
        (GONE, Refused(what=f"'x{n}' has {n} bits; cut", place="", problems=1, is_read=False))
        for n in range(2)
    ]
    found = list(refusals([(HALVED, OTHER), *others, (SHIFT, SHIFTED)]))
    assert found[0] == "   2 '..' has N bits"
    assert found[2] == "   1 '..' does not"
    assert kind("bits 31:0 of 3,000 in 'a;b'") == "bits N:N of N in '..'"


def test_targets_are_shares_of_what_is_at_hand() -> None:
    name, (share, whole) = next(iter(WANTED.items()))
    top = Top(repository=name, commit="0" * 12, file="a.c", top="a")
    found: list[tuple[Top, Outcome]] = [(top, Absent())] * 3
    found += [(top, OTHER)] * (whole - 3)
    last = summary(found).splitlines()[-1]
    assert last.split("|")[-2].strip() == str(share * (whole - 3) // whole)
