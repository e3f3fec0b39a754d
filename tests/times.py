"""A plugin of pytest: the CPU seconds of tests and files, with those of processes they started.

`python -m pytest -p tests.times` prints them at the end. Durations depend on other work, too.
"""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Iterator

import pytest

MOST = 150  # lines of each table
PROPERTY = "cpu_seconds"

_seconds: Counter[str] = Counter()


def cpu_seconds() -> float:
    """User and system seconds of this process and of those that it waited for."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


def _measured(item: pytest.Item) -> Iterator[None]:
    start = cpu_seconds()
    try:
        return (yield)
    finally:
        item.user_properties.append((PROPERTY, cpu_seconds() - start))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """With fixtures that the test is the first to ask for."""
    return (yield from _measured(item))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    return (yield from _measured(item))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Workers send what they measured with their reports; the last one has all of it."""
    if report.when == "teardown":
        found = (seconds for name, seconds in report.user_properties if name == PROPERTY)
        _seconds[report.nodeid] += sum(found)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    files: Counter[str] = Counter()
    for test, seconds in _seconds.items():
        files[test.partition("::")[0]] += seconds
    terminalreporter.section(f"{sum(files.values()):.0f} CPU seconds in tests")
    for table in (_seconds, files):
        for name, seconds in table.most_common(MOST):
            terminalreporter.write_line(f"{seconds:8.2f} s  {name}")
