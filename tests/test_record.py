"""The record of generated output: a hash of every file in OUT, for every design in examples/.

It says which change of the program changes which file, so that no output changes unseen.
`HLSMEM_REFRESH=1 pytest tests/test_record.py` rewrites it, names the files that changed and fails
once; the commit that brings the new record says why. Output may differ with the version of isl:
the record names the one it was made with, and is not held against another.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TextIO

import pytest

from hlsmem.core.verilog_library import SUFFIX
from hlsmem.emit.report import report
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.read.design import load
from hlsmem.version import TOOL, VERSION
from tests.conftest import EXAMPLES
from tests.plans import files_of, planning_of, whole_files

RECORD = Path(__file__).with_name("record.json")
DESIGNS = sorted(str(file.relative_to(EXAMPLES)) for file in EXAMPLES.glob("*/*.yaml"))
# What generated output depends on beside hlsmem.
LIBRARIES = {name: version(name) for name in ("highspy", "islpy")}

Hashes = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """The versions of libraries, and the hashes of the files of each design."""

    libraries: dict[str, str]
    designs: dict[str, Hashes]

    @staticmethod
    def read(file: TextIO) -> Record:
        return Record(**json.load(file))


def hash_of(text: str) -> str:
    """The first 16 digits of SHA-256; of texts that differ in hlsmem's version alone, the same."""
    return hashlib.sha256(without_version(text).encode()).hexdigest()[:16]


def without_version(text: str) -> str:
    """A text or name of a file with constants where hlsmem writes its version."""
    for own, constant in (
        (TOOL, "hlsmem VERSION"),
        (SUFFIX, "_vVERSION"),
        (SUFFIX.upper(), "_VVERSION"),
        (f":{VERSION}", ":VERSION"),
    ):
        text = text.replace(own, constant)
    return text


def recorded() -> Record:
    with _opened(fcntl.LOCK_SH) as file:
        return Record.read(file)


def record(design: str, hashes: Hashes) -> None:
    """Put the hashes of a design into the record; those of other libraries leave it."""
    with _opened(fcntl.LOCK_EX) as file:
        old = Record.read(file)
        known = old.designs if old.libraries == LIBRARIES else {}
        kept = {name: known[name] for name in DESIGNS if name in known}
        designs = dict(sorted((kept | {design: hashes}).items()))
        document = {"libraries": LIBRARIES, "designs": designs}
        file.seek(0)
        file.truncate()
        file.write(json.dumps(document, indent=1) + "\n")


@contextmanager
def _opened(lock: int) -> Iterator[TextIO]:
    """The record's file, locked: workers of one test run refresh it together."""
    with RECORD.open("r+", encoding="utf-8") as file:
        fcntl.flock(file, lock)
        yield file


def changes(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """A line for every file that is new, gone or another."""
    return [
        f"{name}: {'new' if name not in old else 'gone' if name not in new else 'changed'}"
        for name in sorted(old.keys() | new.keys())
        if old.get(name) != new.get(name)
    ]


@pytest.mark.needs("recorded libraries")
@pytest.mark.parametrize("design", DESIGNS)
def test_output_is_the_recorded(design: str) -> None:
    old = recorded()
    refresh = bool(os.environ.get("HLSMEM_REFRESH"))
    files = files_of(EXAMPLES / design, kept=())
    del files["verify.py"]  # a copy
    files["report.md"] = report(planning_of(EXAMPLES / design, kept=()).plan, pictures=files)
    hashes = {without_version(name): hash_of(text) for name, text in sorted(files.items())}
    changed = changes(old.designs.get(design, {}), hashes)
    if refresh and (changed or old.libraries != LIBRARIES):
        record(design, hashes)
    assert not changed, "\n".join([f"{design}: output differs from the record", *changed])


@pytest.mark.needs("recorded libraries")
def test_the_record_holds_the_examples_and_nothing_else() -> None:
    old = recorded()
    assert sorted(old.designs) == DESIGNS


def test_a_changed_file_is_seen() -> None:
    old = {"plan.json": hash_of("a"), "rtl/a.v": hash_of("b"), "rtl/c.v": hash_of("c")}
    new = {"plan.json": hash_of("a"), "rtl/a.v": hash_of("d"), "rtl/d.v": hash_of("e")}
    assert changes(old, new) == ["rtl/a.v: changed", "rtl/c.v: gone", "rtl/d.v: new"]
    assert changes(old, old) == []


def test_the_version_of_hlsmem_changes_no_hash() -> None:
    assert hash_of(f'"tool": "{TOOL}"') == hash_of('"tool": "hlsmem VERSION"')
    assert without_version(f"rtl/hlsmem_ram{SUFFIX}.v") == "rtl/hlsmem_ram_vVERSION.v"
    assert hash_of(f"{VERSION}") != hash_of("VERSION")  # 0.1.0 may well be another thing's


@pytest.mark.usefixtures("in_copies")
@pytest.mark.parametrize("name", ["blur/design.yaml"])
def test_work_in_copies_of_the_process_makes_no_difference(name: str) -> None:
    """The other tests plan in their process, users in copies of it."""
    assert whole_files(plan_design(load(EXAMPLES / name))) == files_of(EXAMPLES / name, kept=())
