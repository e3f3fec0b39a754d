"""Which dear tests `make test` leaves to `make test-dear`: those that add little for their time.

    make test-choice

records which branches of hlsmem each test takes, and its CPU seconds, and writes names of tests to
apart.txt: each takes few branches a second that the others do not take. Tests that cost little
stay, and those whose subject is not in branches of hlsmem: texts of Verilog and of messages, the
library, programs that are started, the record; and what planted faults are caught by. A function
of which no case stays is named alone. A test that is not listed runs, so that nobody has to make
the choice anew for a test more.

As a plugin (`-p tests.choice`) this records; as a module it chooses.
"""

from __future__ import annotations

import heapq
import json
import os
import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import pytest

from tests.times import cpu_seconds

HERE = Path(__file__).resolve().parent
APART = HERE / "apart.txt"
TRUST = HERE.parent / "reports" / "trust.md"
RECORDS = HERE.parent / "build" / "choice"
CHEAP = 0.1
"""CPU seconds of the recorded run, which takes twice those of others, below which a test stays."""
LEAST = 20
"""New branches a second of the recorded run from which a dear test stays."""
STAYING = (
    *("tests/cli/", "tests/emit/verilog/", "tests/refusals/", "tests/rtl/", "tests/tools/"),
    *("tests/proof/", "tests/test_imports.py", "tests/test_readme.py", "tests/test_record.py"),
    *("tests/core/test_watchdog.py", "tests/test_wheel.py"),
)

_seconds: dict[str, float] = {}


def apart() -> frozenset[str]:
    """The names of the tests that `make test` leaves out, and of functions of such alone."""
    return frozenset(APART.read_text().splitlines())


def is_apart(name: str, left_out: Collection[str]) -> bool:
    """True if a test, or the function that it is a case of, is left out.

    >>> is_apart("test_a.py::test_b[1-x]", {"test_a.py::test_b"})
    True
    """
    return name in left_out or _function(name) in left_out


def _function(name: str) -> str:
    return name.partition("[")[0]


def listed(chosen: Collection[str], names: Iterable[str]) -> list[str]:
    """Return the lines for tests that are left out of all `names`."""
    staying = {_function(one) for one in names if one not in chosen}
    return sorted({one if _function(one) in staying else _function(one) for one in chosen})


def pytest_configure(config: pytest.Config) -> None:
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker is not None:
        config.pluginmanager.register(_Recorder(worker))


class _Recorder:
    """Records the branches of each test, by the name of the test as the context."""

    def __init__(self, worker: str) -> None:
        import coverage

        RECORDS.mkdir(parents=True, exist_ok=True)
        self.worker = worker
        self.coverage = coverage.Coverage(
            data_file=str(RECORDS / f"branches.{worker}"),
            branch=True,
            source=[str(HERE.parent / "hlsmem")],
            config_file=False,
            messages=False,
        )
        self.coverage.start()
        self.coverage.switch_context("")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        start = cpu_seconds()
        self.coverage.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self.coverage.switch_context("")
            _seconds[item.nodeid] = cpu_seconds() - start

    def pytest_sessionfinish(self) -> None:
        (RECORDS / f"seconds.{self.worker}").write_text(json.dumps(_seconds))
        self.coverage.stop()
        self.coverage.save()


def chosen_apart(seconds: dict[str, float], branches: dict[str, set[int]]) -> list[str]:
    """Of the dear tests those that take few branches a second which the others do not, by name.

    Greedy: next comes the test with the most new branches a second.
    """
    kept = (*STAYING, *catching())
    taken: set[int] = set()
    dear = list[str]()
    for name, own in seconds.items():
        if own < CHEAP or name.startswith(kept):
            taken |= branches.get(name, set())
        else:
            dear.append(name)

    def gain(name: str) -> float:
        return -len(branches.get(name, set()) - taken) / seconds[name]

    queue = [(gain(name), name) for name in dear]
    heapq.heapify(queue)
    left = set(dear)
    while queue and queue[0][0] <= -LEAST:
        _, name = heapq.heappop(queue)
        now = gain(name)
        if queue and now > queue[0][0]:
            heapq.heappush(queue, (now, name))
            continue
        if now <= -LEAST:
            taken |= branches[name]
            left.remove(name)
    return sorted(left)


def catching() -> frozenset[str]:
    """The tests that planted faults are caught by, as reports/trust.md names them; a name that has
    a bar ends there."""
    text = TRUST.read_text(encoding="utf-8")
    return frozenset(name.strip() for name in re.findall(r"\btests/[\w/]+\.py::[^|\n]+", text))


def _recorded() -> tuple[dict[str, float], dict[str, set[int]]]:
    """The CPU seconds and the branches of each test, numbered."""
    seconds: dict[str, float] = {}
    for file in RECORDS.glob("seconds.*"):
        seconds |= json.loads(file.read_text())
    numbers: dict[tuple[str, int, int], int] = {}
    branches: defaultdict[str, set[int]] = defaultdict(set)
    for file in RECORDS.glob("branches.*"):
        with sqlite3.connect(file) as data:
            for path, test, start, end in data.execute(
                "select path, context, fromno, tono from arc"
                " join file on file.id = file_id join context on context.id = context_id"
            ):
                branches[test].add(numbers.setdefault((path, start, end), len(numbers)))
    by_loading = branches.pop("", set())
    return seconds, {test: own - by_loading for test, own in branches.items()}


def main() -> None:
    """Choose from what was recorded, and say what it saves."""
    seconds, branches = _recorded()
    found = chosen_apart(seconds, branches)
    APART.write_text("".join(f"{name}\n" for name in listed({*found}, {*seconds, *catching()})))
    saved = sum(seconds[name] for name in found)
    print(f"{len(found)} of {len(seconds)} tests, {saved:.0f} of {sum(seconds.values()):.0f} s")


if __name__ == "__main__":
    main()
