"""Tools that tests need and machines may lack: what needs one that is not there is skipped.

    @pytest.mark.needs("iverilog")

skips a test, before any fixture of it is made, with a line that names the tool and how to get it;
the last lines of a run count what was skipped by tool. Two options are for the machine that has
everything, after a run on one that has not: `--skipped` runs what the last run skipped for want of
a tool, and with `--all-tools` a tool that is not there is a failure.
"""

from __future__ import annotations

import importlib.util
import os
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from importlib import metadata
from pathlib import Path

import pytest

from hlsmem.core.errors import MissingToolError
from hlsmem.tools.find import CLANG, Need, find
from hlsmem.tools.provers import find_prover
from hlsmem.tools.simulators import find_simulator
from hlsmem.tools.synthesizers import find_yosys

PROPERTY = "needs"
SKIPPED = "hlsmem/skipped"  # in pytest's cache
OTHERS = "for other reasons"
LIBRARIES = Path(__file__).parent / "record" / "libraries.txt"


def _command(name: str, package: str = "") -> Callable[[], object]:
    """What finds a program that tests alone call; Debian has it in a package of its name, or in
    another."""
    return partial(
        find,
        Need(
            name=name,
            purpose="tests",
            commands=(name,),
            variable=None,
            version_arguments=("--version",),
            least=(0,),
            install=(f"apt-get install {package or name}",),
        ),
    )


def _package(module: str, extra: str) -> Callable[[], object]:
    def found() -> None:
        if importlib.util.find_spec(module) is None:
            raise MissingToolError(install=(f"pip install hlsmem[{extra}]",))

    return found


def recorded_libraries() -> dict[str, str]:
    """The versions of the libraries that the hashes in tests/record hold for."""
    return dict(line.split("==") for line in LIBRARIES.read_text().splitlines())


def installed_libraries() -> dict[str, str]:
    """The versions of the same that are installed."""
    return {name: metadata.version(name) for name in recorded_libraries()}


def _recorded() -> None:
    """To refresh the record any library will do."""
    wanted = recorded_libraries()
    if wanted != installed_libraries() and not os.environ.get("HLSMEM_REFRESH"):
        pins = " ".join(f"{name}=={version}" for name, version in wanted.items())
        raise MissingToolError(install=(f"pip install {pins}",))


TOOLS: dict[str, Callable[[], object]] = {
    "clang": partial(find, CLANG),
    "iverilog": lambda: find_simulator(os.environ.get("PATH", ""), "icarus"),
    "verilator": lambda: find_simulator(os.environ.get("PATH", ""), "verilator"),
    "yosys": find_yosys,
    "prover": find_prover,
    "bwrap": _command("bwrap", "bubblewrap"),
    "cmake": _command("cmake"),
    "git": _command("git"),
    "chromium": _command("chromium"),
    "valgrind": _command("valgrind"),
    "fusesoc": _package("fusesoc", "soc"),
    "pillow": _package("PIL", "pictures"),
    "playwright": _package("playwright", "page"),
    "axe": _package("axe_playwright_python", "page"),
    "nbclient": _package("nbclient", "page"),
    "recorded libraries": _recorded,
}


@cache
def command_for(tool: str) -> str | None:
    """The command that brings a tool that is not there; None where it is."""
    try:
        TOOLS[tool]()
    except MissingToolError as error:
        return error.command
    return None


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tools that tests need")
    group.addoption("--skipped", action="store_true", help="what the last run skipped for want")
    group.addoption("--all-tools", action="store_true", help="fail where a tool is not there")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.skipped:
        wanted = frozenset(config.cache.get(SKIPPED, []))
        config.hook.pytest_deselected(items=[one for one in items if one.nodeid not in wanted])
        items[:] = [one for one in items if one.nodeid in wanted]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for tool in (tool for mark in item.iter_markers("needs") for tool in mark.args):
        command = command_for(tool)
        if command is not None:
            reason = f"needs {tool}: {command}"
            if item.config.option.all_tools:
                pytest.fail(reason, pytrace=False)
            item.user_properties.append((PROPERTY, tool))
            pytest.skip(reason)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """With pytest-xdist, too: workers send properties with their reports."""
    reports = terminalreporter.stats.get("skipped", [])
    wanting = [(one, dict(one.user_properties).get(PROPERTY, OTHERS)) for one in reports]
    told = Counter(tool for _, tool in wanting)
    tools = sorted(told, key=lambda tool: (tool == OTHERS, tool))
    for tool in tools:
        if tool != OTHERS:
            terminalreporter.write_line(f"needs {tool}: {command_for(tool)}")
    if tools:
        counts = ", ".join(f"{tool} {told[tool]}" for tool in tools)
        terminalreporter.write_line(f"{told.total()} skipped: {counts}")
    cached = terminalreporter.config.pluginmanager.hasplugin("cacheprovider")
    if cached and not terminalreporter.config.option.collectonly:
        names = sorted(one.nodeid for one, tool in wanting if tool != OTHERS)
        terminalreporter.config.cache.set(SKIPPED, names)
