"""The check `generated`: OUT holds what this version writes for the design in it, byte for byte.

The design is planned once more, in memory. What another check judges by itself, Verilog and C, is
named here and left to it. All else that differs fails: plan.json leaf by leaf, with both values.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from hlsmem.check.compared_texts import other_line
from hlsmem.check.library_versions import Libraries
from hlsmem.core.user_files import read_bytes, to_bytes
from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.wording import counted
from hlsmem.program.options import Design
from hlsmem_verify.outcomes import MOST_BYTES

# The files of OUT, by name, of a design.
Maker = Callable[[Design], Mapping[str, str]]

_PLAN = "plan.json"
# What is drawn anew from the plan and the verdicts.
_REDRAWN = frozenset({"report.md", "report.html", "notes.json", "checks.json"})
# The checks that judge the files of a folder by themselves.
_JUDGES = {"rtl": "rtl", "host": "host"}
# Differences of a file, and files, that are told one by one; characters of a value.
_MOST = 12
_LONGEST = 120


def check_generated(
    out: Path, design: str, files: Mapping[str, str], *, foreign: bool, libraries: Libraries
) -> tuple[Verdict, ...]:
    """The verdicts on the files in `out` beside those that the design gives.

    Those of a `foreign` folder are taken as they are, and named.
    """
    held = {name: text for name, text in files.items() if _is_shipped(name)}
    others = {name: what for name, text in held.items() if (what := other_file(out, name, text))}
    left = {name: _JUDGES[name.partition("/")[0]] for name in others if _is_judged(name)}
    faults = {name: what for name, what in others.items() if name not in left}
    if faults and libraries.other:
        first = next(iter(faults.values()))
        verdict = _verdict(design, Status.NOT_JUDGED, f"{libraries.other}: {first}")
        return (replace(verdict, remedy=libraries.remedy),)
    found = _listed(
        {name: f"{what}; {left[name]} judges it" for name, what in others.items() if name in left},
        Status.NOT_JUDGED,
    )
    if faults and foreign:
        return (
            *_listed({k: f"{v}, taken as it is" for k, v in faults.items()}, Status.SKIPPED),
            *found,
        )
    if faults:
        return (*_listed(faults, Status.FAIL), *found)
    same = "as generated: what this version writes for the design"
    return (_verdict(design, Status.PASS, same), *found)


def unplanned(design: str) -> Verdict:
    """The verdict where there is nothing to compare with."""
    return _verdict(design, Status.SKIPPED, "nothing plans the design again")


def _is_shipped(name: str) -> bool:
    """True if a file stands in OUT as it was written; descriptions of the Verilog do not."""
    return name not in _REDRAWN and not (name.startswith("sim/") and name.endswith(".json"))


def _is_judged(name: str) -> bool:
    return name.partition("/")[0] in _JUDGES


def _listed(differences: Mapping[str, str], status: Status) -> tuple[Verdict, ...]:
    """A verdict for each file that differs, as far as anybody reads."""
    found = [_verdict(name, status, what) for name, what in differences.items()]
    if len(found) <= _MOST:
        return tuple(found)
    more = counted(len(found) - _MOST, "other file")
    return (*found[:_MOST], _verdict(more, status, "not as this version writes them"))


def other_file(out: Path, name: str, text: str) -> str:
    """First difference of a file from its expected text, as text; "" if there is none."""
    given = to_bytes(text)
    try:
        size = os.stat(out / name).st_size
        if size > MOST_BYTES:
            return f"{name}: {size} bytes for {len(given)}"
        found = read_bytes(out / name)
    except OSError as error:
        return f"{name}: {error.strerror}"
    if found == given:
        return ""
    told = found.decode("utf-8", "backslashreplace")
    if name == _PLAN:
        leaves = [*islice(_leaves_of_texts(told, text), _MOST + 1)]
        if leaves:
            more = "; and more" if len(leaves) > _MOST else ""
            return f"{name}: {'; '.join(leaves[:_MOST])}{more}"
    return other_line(name, told, given.decode("utf-8", "backslashreplace"))


def _leaves_of_texts(found: str, given: str) -> Iterator[str]:
    try:
        document = json.loads(found)
    except ValueError:
        return iter(())
    return other_leaves(document, json.loads(given))


def other_leaves(found: Any, given: Any, path: str = "") -> Iterator[str]:
    """Every leaf in which two documents differ, by its path, with both values.

    >>> [*other_leaves({"a": [1, 2], "b": 3}, {"a": [1, 4, 5], "c": 3})]
    ['a[1]: 2 for 4', 'a[2]: nothing for 5', 'c: nothing for 3', 'b: 3 for nothing']
    """
    if isinstance(found, dict) and isinstance(given, dict):
        for key in {**given, **found}:
            below = f"{path}.{key}" if path else key
            yield from other_leaves(found.get(key, _NOTHING), given.get(key, _NOTHING), below)
    elif isinstance(found, list) and isinstance(given, list):
        pairs = zip_longest(found, given, fillvalue=_NOTHING)
        for number, (own, other) in enumerate(pairs):
            yield from other_leaves(own, other, f"{path}[{number}]")
    elif type(found) is not type(given) or found != given:
        yield f"{path}: {_shown(found)} for {_shown(given)}"


class _Nothing:
    """The absent value, where one of two documents has none."""


_NOTHING = _Nothing()


def _shown(value: Any) -> str:
    if isinstance(value, _Nothing):
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}.."


def _verdict(subject: str, status: Status, detail: str) -> Verdict:
    return Verdict(check="generated", subject=subject, status=status, detail=detail)
