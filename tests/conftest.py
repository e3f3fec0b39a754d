"""What tests share in a session: plans of the examples, each made once."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from hlsmem.pipeline import Planning, plan_design
from hlsmem.read.design import load

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"

collect_ignore = ["rtl/bench.py"]  # runs inside the simulator, where it finds its modules

# Lattice Boltzmann in three dimensions, and as listed twice: `make test` has it in two.
LARGE = re.compile(r"\[.*(lbm-d3q|s000-lbm)")

Planned = Callable[[str], Planning]


@pytest.fixture(scope="session")
def planned() -> Planned:
    """The planning of a design of examples/ such as "blur/design.yaml", as it stands there."""

    @cache
    def planning(name: str) -> Planning:
        return plan_design(load(EXAMPLES / name))

    return planning


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if LARGE.search(item.name):
            item.add_marker(pytest.mark.long)
        # What a file keeps, its fixtures and plans, is made by one worker.
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.location[0]))


def pytest_collection_finish() -> None:
    """What was imported and collected stays: the garbage collection need not look at it again,
    nor copy it where a process is forked."""
    gc.collect()
    gc.freeze()
