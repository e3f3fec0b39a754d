"""One function of a public source, planned by `hlsmem plan` in a process of its own.

Every `int` parameter whose value is asked for gets 64, where the list has none for it. A function
is read where its design loads, planned where all of OUT is written.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass, field
from functools import partial
from io import StringIO
from pathlib import Path
from resource import RLIMIT_CPU, setrlimit
from signal import SIGXCPU, raise_signal
from tempfile import TemporaryDirectory

from hlsmem.cli.main import main as hlsmem
from hlsmem.core.errors import HlsmemError
from hlsmem.plan.plan_folder import read_plan_file
from hlsmem.read.design import load

_VALUE = 64
_MOST_PARAMETERS = 16
_ASKED = re.compile(r"'(\w+)' is a parameter of '[^']+' without a value")
_PLACED = re.compile(r"(?:(?P<file>[^:\n]+):(?P<line>\d+):\d+: )?(?P<what>.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Top:
    """A function to plan: its file and the folders of includes, from the root of a repository.

    `sources` are files of functions that it calls, from the folder of its own file; `parameters`
    have values of their own.
    """

    repository: str
    commit: str
    file: str
    top: str
    include: Sequence[str] = ()
    define: Sequence[str] = ()
    sources: Sequence[str] = ()
    parameters: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """The bits of the hardware, and how many arrays and scalars they hold."""

    bits: int
    arrays: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The first problem with its line, and its file where that is another; how many there are."""

    what: str
    place: str
    problems: int
    is_read: bool


@dataclass(frozen=True, slots=True)
class Absent:
    """The file is not there."""


Outcome = Planned | Refused | Absent


def outcome(top: Top, root: Path) -> Outcome:
    """The outcome of planning a function of the checkout in `root`.

    All of the checkout is at hand for `#include`: its root is the last of the folders.
    """
    file = root / top.file
    if not file.is_file():
        return Absent()
    settings = [f"kernel.function={top.top}"]
    if top.define:
        settings.append(f"kernel.cflags={json.dumps([f'-D{one}' for one in top.define])}")
    if top.sources:
        settings.append(f"kernel.sources={json.dumps(list(top.sources))}")
    folders = [one for name in (*top.include, ".") if (one := root / name).is_dir()]
    values = dict(top.parameters)
    with TemporaryDirectory(prefix="hlsmem-public-") as out:
        arguments = ["plan", str(file), "-o", out]
        arguments += [word for one in settings for word in ("--set", one)]
        arguments += [word for one in folders for word in ("--include", str(one))]
        for _ in range(_MOST_PARAMETERS):
            given = [word for key, one in values.items() for word in ("--param", f"{key}={one}")]
            code, errors = _ran([*arguments, *given])
            asked = dict.fromkeys(_ASKED.findall(errors) if code == 2 else (), _VALUE)
            if asked.keys() <= values.keys():
                break
            values |= asked
        if code == 0:
            plan = read_plan_file(Path(out, "plan.json"))
            bits = sum(one.hardware.bits for one in plan.arrays.values())
            return Planned(bits=bits, arrays=len(plan.arrays))
    try:
        load(file, parameters=values, settings=settings, includes=folders)
        is_read = True
    except HlsmemError:
        is_read = False
    return _refusal(errors, root, top.file, is_read=is_read)


def _ran(arguments: Sequence[str]) -> tuple[int, str]:
    """The exit code of a command and what it wrote to its standard error."""
    errors = StringIO()
    with redirect_stdout(StringIO()), redirect_stderr(errors):
        code = hlsmem(arguments)
    return code, errors.getvalue()


def _refusal(errors: str, root: Path, own: str, *, is_read: bool) -> Refused:
    """The first of the problems in a text, each of which begins a line."""
    lines = [one for one in errors.splitlines() if one and not one.startswith((" ", "remark: "))]
    found = _PLACED.fullmatch(lines[0] if lines else "nothing is said")
    assert found is not None
    file = (found["file"] or "").removeprefix(f"{root}/")
    line = f"{'line ' if file == own else f'{file}:'}{found['line']}"
    return Refused(
        what=found["what"],
        place=line if file else "",
        problems=len(lines),
        is_read=is_read,
    )


def to_json(one: Outcome) -> str:
    """An outcome as a line of text."""
    return json.dumps({"kind": type(one).__name__} | asdict(one))


def from_json(text: str) -> Outcome:
    """The outcome in a line of text.

    >>> from_json(to_json(Planned(bits=96, arrays=3)))
    Planned(bits=96, arrays=3)
    """
    content = json.loads(text)
    kinds: dict[str, type[Outcome]] = {one.__name__: one for one in (Planned, Refused, Absent)}
    return kinds[content.pop("kind")](**content)


def end_after(seconds: int) -> None:
    """End this process as its limit does, where those that it waited for took so many seconds.

    A copy that reads or works with isl has the same limit. Where it ends by that, hlsmem goes on
    with the next. Linux keeps limits by ticks and tells what it measured, a few per cent less.
    """
    used = os.times()
    if used.children_user + used.children_system >= 0.9 * seconds:
        raise_signal(SIGXCPU)


if __name__ == "__main__":
    given, checkout, *seconds = sys.argv[1:]
    for one in map(int, seconds):
        setrlimit(RLIMIT_CPU, (one, one + 5))
        os.register_at_fork(before=partial(end_after, one))
    print(to_json(outcome(Top(**json.loads(given)), Path(checkout))))
