"""What holds for all tests: their marks, their linker, and the plans that they share."""

from __future__ import annotations

import gc
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from hlsmem.check.c_runs import c_building as building
from hlsmem.check.host_runs import host_check as host
from hlsmem.check.host_runs import host_sizes, unusual_calls
from hlsmem.check.host_runs.host_bench import Bench
from hlsmem.check.host_runs.host_check import LEVELS, OTHER_COMPILERS, seldom_taken
from hlsmem.check.host_runs.host_sizes import MOST_INSTANCES
from hlsmem.check.host_runs.unusual_calls import _ways as ways
from hlsmem.planner import planning_sequence
from hlsmem.polyhedra import limits
from hlsmem.read.c import files, kernel
from hlsmem.tools import bench_simulation
from hlsmem.tools.sandbox import TRUST, obstacle
from tests import choice, families, needs, plans, readings
from tests.compiled import Compilers, Simulations
from tests.needs import pytest_addoption, pytest_runtest_setup, pytest_terminal_summary
from tests.plans import Answers, pytest_configure_node, pytest_unconfigure
from tests.readings import Readings

__all__ = [
    "pytest_addoption",
    "pytest_configure_node",
    "pytest_runtest_setup",
    "pytest_terminal_summary",
    "pytest_unconfigure",
]

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"

collect_ignore = ["rtl/bench.py"]  # runs inside the simulator, where it finds its modules

# Lattice Boltzmann in three dimensions, and as listed twice: `make test` has it in two.
LARGE = re.compile(r"(?i)\[.*(lbm-d3q|s000-lbm)")


def pytest_configure(config: pytest.Config) -> None:
    families.pytest_configure(config)
    plans.pytest_configure(config)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    families.mark_families(items)
    recorded = config.pluginmanager.hasplugin("tests.choice")
    left_out = frozenset[str]() if recorded else choice.apart()
    for item in items:
        if LARGE.search(item.name):
            item.add_marker(pytest.mark.long)
        if choice.is_apart(item.nodeid, left_out):
            item.add_marker(pytest.mark.dear)
        if item.get_closest_marker("formal"):
            item.add_marker(pytest.mark.needs("prover"))
    needs.pytest_collection_modifyitems(config, items)


@pytest.fixture(autouse=True, scope="session")
def _trusted() -> Iterator[None]:
    """The designs of the tests are our own: a sandbox for each of their thousands of programs
    would take longer than the programs. Tests of the sandbox take this back."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(TRUST, "1")
        yield


def pytest_report_header() -> str:
    return f"hlsmem: the designs of the tests are trusted, {TRUST}=1; {_sandbox_here()}"


def _sandbox_here() -> str:
    reason = obstacle()
    return "sandboxes have tests of their own" if reason is None else f"no sandbox here: {reason}"


@pytest.fixture(autouse=True, scope="session")
def _in_this_process() -> Iterator[None]:
    """isl works in this process, not in copies of it: of these a session makes thousands, each of
    which takes the longer the more the session holds. `make test-all` makes them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "copies", families.by_default(False, limits.copies))
        yield


@pytest.fixture(autouse=True, scope="session")
def _answers() -> Iterator[tuple[Answers, ...]]:
    """Equal designs are planned once; `make test-all` plans each."""
    hardware = Answers(planning_sequence._hardware, plans.digest)
    host = Answers(planning_sequence.host_of, id)
    with pytest.MonkeyPatch.context() as patch:
        for name, own in (("_hardware", hardware), ("host_of", host)):
            patch.setattr(planning_sequence, name, families.by_default(own, own.work))
        yield hardware, host


@pytest.fixture(autouse=True, scope="session")
def _readings() -> Iterator[tuple[Readings, ...]]:
    """Equal texts are read once; `make test-all` reads each."""
    of_files = readings.of_files(files.read_file)
    of_kernels = readings.of_kernels(kernel.read_kernel)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "read_file", families.by_default(of_files, of_files.work))
        patch.setattr(kernel, "read_kernel", families.by_default(of_kernels, of_kernels.work))
        yield of_files, of_kernels


@pytest.fixture(autouse=True)
def _as_patched(
    request: pytest.FixtureRequest,
    _answers: tuple[Answers, ...],
    _readings: tuple[Readings, ...],
) -> None:
    patches = "monkeypatch" in request.fixturenames
    for one in (*_answers, *_readings):
        one.patch = request.getfixturevalue("monkeypatch") if patches else None


@pytest.fixture(autouse=True, scope="session")
def _compiled_once() -> Iterator[None]:
    """What the host check and simulations compile is kept for tests that compile the same texts."""
    compilers = Compilers(run=building.run, kept=plans.folder())
    simulations = Simulations(run=bench_simulation.run, kept=plans.folder())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(building, "run", families.by_default(compilers, building.run))
        patch.setattr(
            bench_simulation, "run", families.by_default(simulations, bench_simulation.run)
        )
        yield


@pytest.fixture(autouse=True, scope="session")
def _built_once_more() -> Iterator[None]:
    """The host check builds the generated C four times more, with other compilers and levels,
    which is a third of its time, and four times for paths that ordinary calls do not take. One is
    left: what it looks at is the same. Calls with arguments that overlap are compiled once, under
    sanitizers: loops that are vectors take twice as long. Runs of several strips have at most 4
    million instances: a product of matrices has none."""
    with pytest.MonkeyPatch.context() as patch:
        most = families.by_default(2**22, MOST_INSTANCES)
        patch.setattr(host_sizes, "MOST_INSTANCES", most)
        patch.setattr(host, "LEVELS", families.by_default(host.LEVELS[:1], host.LEVELS))
        patch.setattr(host, "OTHER_COMPILERS", families.by_default((), host.OTHER_COMPILERS))
        none = families.by_default(lambda *_: iter(()), seldom_taken)
        patch.setattr(host, "seldom_taken", none)
        patch.setattr(unusual_calls, "_ways", families.by_default(_sanitized_alone, ways))
        yield


def _sanitized_alone(bench: Bench) -> dict[str, Sequence[str]]:
    return {"sanitized": ways(bench)["sanitized"]}


@pytest.fixture
def all_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them all the same, as users have them."""
    monkeypatch.setattr(host, "LEVELS", LEVELS)
    monkeypatch.setattr(host, "OTHER_COMPILERS", OTHER_COMPILERS)
    monkeypatch.setattr(host, "seldom_taken", seldom_taken)
    monkeypatch.setattr(unusual_calls, "_ways", ways)
    monkeypatch.setattr(host_sizes, "MOST_INSTANCES", MOST_INSTANCES)


@pytest.fixture
def in_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """isl works in copies of the process all the same, as it does for users."""
    monkeypatch.setattr(limits, "copies", hasattr(os, "fork"))


@pytest.fixture(autouse=True, scope="session")
def _quick_linker() -> Iterator[None]:
    """Checks compile hundreds of small programs, of which gold links those with sanitizers in a
    quarter of the time; a compiler that the environment names stays."""
    with pytest.MonkeyPatch.context() as patch:
        if "CC" not in os.environ and shutil.which("cc") and shutil.which("ld.gold"):
            patch.setenv("CC", "cc -fuse-ld=gold")
        yield


def pytest_collection_finish() -> None:
    """What was imported and collected stays: the garbage collection need not look at it again,
    nor copy it where a process is forked. Plans are large, with few cycles: to look for these
    after every 700 objects takes 3 % of the suite."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
