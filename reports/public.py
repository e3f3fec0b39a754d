"""reports/public.md: functions of public HLS sources, planned by `make public SOURCES=DIR`.

DIR has a checkout of each repository in OWNER+NAME or in NAME; tests/public/sources.json names
repositories, commits and functions. With `--refusals` nothing is written: the refusals are
printed, the most frequent first. With `--outcomes FILE` a run that was ended goes on from there.
"""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from signal import SIGXCPU

from hlsmem.core.errors import LimitError
from hlsmem.core.wording import counted
from hlsmem.emit.markdown_table import Column, table
from hlsmem.tools.run import run
from reports.public_top import Absent, Outcome, Planned, Refused, Top, from_json, to_json

OUT = Path(__file__).resolve().with_name("public.md")
HERE = OUT.parents[1]
LIST = HERE / "tests/public/sources.json"
WANTED: Mapping[str, tuple[int, int]] = {
    "Xilinx/Vitis-HLS-Introductory-Examples": (38, 64),
    "Xilinx/Vitis_Accel_Examples": (20, 42),
    "Xilinx/finn-hlslib": (8, 22),
    "Xilinx/xfopencv": (12, 57),
    "MicrochipTech/fpga-hls-examples": (14, 36),
    "cornell-zhang/rosetta": (3, 7),
    "Xilinx/HLx_Examples": (7, 19),
    "UCLA-VAST/tapa": (2, 6),
}
"""How many of how many functions are to be planned."""
_LONGEST = 150
_HEAD = """# Public HLS sources

Rebuilt by `make public SOURCES=DIR`, where DIR has a checkout of each repository at its commit, \
in OWNER+NAME or in NAME. Every `int` parameter whose value is asked for gets 64, or what \
stands beside the top. Tops that are not read or not planned have the first problem, and how many \
follow it. A top has {seconds} s of a processor. *Wanted* is the share of what is at hand, rounded \
down.
"""

Outcomes = Sequence[tuple[Top, Outcome]]


def tops() -> list[Top]:
    """The functions of tests/public/sources.json."""
    return [Top(**one) for one in json.loads(LIST.read_text(encoding="utf-8"))]


def checkout(sources: Path, repository: str) -> Path:
    """The folder that a repository is expected in."""
    short = sources / repository.partition("/")[2]
    return short if short.is_dir() else sources / repository.replace("/", "+")


def tried(top: Top, *, sources: Path, seconds: int) -> Outcome:
    """The outcome of a function in a process that has so many seconds of a processor.

    Other programs make it wait: by the clock it has ten times as long.
    """
    root = checkout(sources, top.repository)
    command = [sys.executable, "-m", "reports.public_top", json.dumps(asdict(top))]
    try:
        done = run([*command, str(root), str(seconds)], folder=HERE, seconds=10 * seconds)
    except LimitError:
        return _ended(f"more than {10 * seconds} s")
    if done.status == -SIGXCPU:
        return _ended(f"more than {seconds} s of a processor")
    if not done.succeeded:
        return _ended(" ".join([f"the process ends by {done.ending()}", done.last_lines()[-80:]]))
    return from_json(done.output.splitlines()[-1])


def _ended(what: str) -> Refused:
    return Refused(what=what, place="", problems=1, is_read=False)


def text(found: Outcomes, seconds: int) -> str:
    """The whole page."""
    parts = [_HEAD.format(seconds=seconds), summary(found)]
    columns = [Column("file"), Column("top"), Column("")]
    for repository, own in _by_repository(found).items():
        if all(isinstance(one, Absent) for _, one in own):
            parts.append(f"\n## {repository}\n\nNot at hand.")
            continue
        rows = [[top.file, _named(top), line(one)] for top, one in own]
        parts.append(f"\n## {repository}\n\n{table(columns, rows)}")
    return "\n".join(parts) + "\n"


def line(one: Outcome) -> str:
    """An outcome in one line.

    >>> line(Refused(what="no body; add one", place="k.h:3", problems=3, is_read=False))
    'k.h:3: no body; add one (and 2 more)'
    """
    match one:
        case Absent():
            return "not at hand"
        case Planned(bits=bits, arrays=arrays):
            return f"plan: {counted(bits, 'bit')}, {counted(arrays, 'array')}"
        case Refused(what=what, place=place, problems=problems):
            more = f" (and {problems - 1} more)" if problems > 1 else ""
            return f"{place}: {_cut(what)}{more}" if place else f"{_cut(what)}{more}"


def _named(top: Top) -> str:
    return " ".join([top.top, *(f"{name}={value}" for name, value in top.parameters.items())])


def _cut(what: str) -> str:
    return what if len(what) <= _LONGEST else f"{what[: _LONGEST - 3].rstrip()}..."


def summary(found: Outcomes) -> str:
    """A table with a row a repository, and one of all."""
    columns = [Column("source (commit)")]
    columns += [
        Column(one, right=True) for one in ("tops", "not at hand", "read", "planned", "wanted")
    ]
    rows = []
    for repository, own in _by_repository(found).items():
        rows.append((f"{repository} ({own[0][0].commit[:12]})", _counts(repository, own)))
    sums = [sum(column) for column in zip(*(counts for _, counts in rows), strict=True)]
    return table(columns, [[name, *map(str, c)] for name, c in [*rows, ("all", sums)]])


def _counts(repository: str, own: Outcomes) -> list[int]:
    """Functions, those not at hand, read, planned, and wanted."""
    outcomes = [one for _, one in own]
    absent = sum(isinstance(one, Absent) for one in outcomes)
    planned = sum(isinstance(one, Planned) for one in outcomes)
    read = planned + sum(isinstance(one, Refused) and one.is_read for one in outcomes)
    share, whole = WANTED.get(repository, (0, 1))
    return [len(own), absent, read, planned, share * (len(own) - absent) // whole]


def _by_repository(found: Outcomes) -> dict[str, list[tuple[Top, Outcome]]]:
    kept = defaultdict(list)
    for top, one in found:
        kept[top.repository].append((top, one))
    return dict(kept)


def refusals(found: Outcomes) -> Iterator[str]:
    """How often each kind of refusal is the first of a function, the most frequent first.

    Each with an example. A kind is the text up to its remedy, names and numbers apart.
    """
    kinds = defaultdict(list)
    for top, one in found:
        if isinstance(one, Refused):
            kinds[kind(one.what)].append((top, one))
    for name, own in sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])):
        top, one = own[0]
        yield f"{len(own):4} {name}"
        yield f"     {top.repository} {top.file} {top.top}: {line(one)}"


def kind(what: str) -> str:
    """A message without its remedy, quoted texts and numbers.

    >>> kind("'f(x; 3)' is read at line 12 of 400; assign it")
    "'..' is read at line N of N"
    """
    plain = re.sub(r"'[^']*'", "'..'", what).partition("; ")[0]
    return re.sub(r"\b\d[\d,.]*\b", "N", plain)


def _known(file: Path | None) -> dict[str, Outcome]:
    """The outcomes in a file, by functions."""
    if file is None or not file.is_file():
        return {}
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {_key(Top(**one["top"])): from_json(json.dumps(one["outcome"])) for one in lines}


def _key(top: Top) -> str:
    return json.dumps(asdict(top))


def _noted(file: Path | None, top: Top, one: Outcome) -> None:
    """Note an outcome in a file of lines in JSON."""
    if file is not None:
        with file.open("a", encoding="utf-8") as text:
            line = {"top": asdict(top), "outcome": json.loads(to_json(one))}
            text.write(json.dumps(line) + "\n")


def main(arguments: Sequence[str]) -> None:
    """Plan the functions, two at once; write the page or print the refusals."""
    parser = ArgumentParser(prog="python -m reports.public", description=__doc__)
    parser.add_argument("sources", type=Path, help="the folder of the checkouts")
    parser.add_argument("--refusals", action="store_true", help="print refusals, write nothing")
    parser.add_argument("--only", default="", help="those with this in OWNER/NAME/FILE:TOP")
    parser.add_argument("--seconds", type=int, default=60, help="of a processor, for each")
    parser.add_argument("--jobs", type=int, default=2, help="how many at once")
    parser.add_argument("--outcomes", type=Path, help="lines of JSON: what is there is taken")
    asked = parser.parse_args(arguments)
    chosen = [one for one in tops() if asked.only in f"{one.repository}/{one.file}:{one.top}"]
    known = _known(asked.outcomes)

    def own(top: Top) -> Outcome:
        if _key(top) in known:
            return known[_key(top)]
        one = tried(top, sources=asked.sources.resolve(), seconds=asked.seconds)
        _noted(asked.outcomes, top, one)
        return one

    found = list[tuple[Top, Outcome]]()
    with ThreadPoolExecutor(asked.jobs) as pool:
        for top, one in zip(chosen, pool.map(own, chosen), strict=True):
            found.append((top, one))
            print(f"{top.repository}/{top.file}:{top.top}: {line(one)}", flush=True)
    if asked.refusals:
        print("", *refusals(found), "", summary(found), sep="\n")
    else:
        OUT.write_text(text(found, asked.seconds), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
