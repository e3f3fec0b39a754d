"""All tools that hlsmem can use, found or not: what `hlsmem doctor` prints."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import metadata

from hlsmem.devices import FAMILIES
from hlsmem.errors import ToolError
from hlsmem.tools.find import C_COMPILER, Need, find
from hlsmem.tools.provers import SOLVER
from hlsmem.tools.sandbox import is_trusted, maker, require_sandbox
from hlsmem.tools.simulators import (
    COCOTB_MINIMUM,
    ICARUS_MINIMUM,
    VERILATOR_MINIMUM,
    find_simulator,
    require_cocotb,
    verilator_text,
    version_text,
)
from hlsmem.tools.synthesizers import YOSYS, beside_python, nextpnr_of
from hlsmem.values import dataclass

_SIMULATION = "check rtl (one simulator is enough)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolState:
    """A line of `hlsmem doctor`: `version` and `minimum` are texts, "" for none.

    `required` tools are needed by checks of every design; `remedy` says how to get a usable one.
    """

    name: str
    purpose: str
    version: str
    minimum: str = ""
    usable: bool
    required: bool = False
    remedy: str


def survey(environment: Mapping[str, str] | None = None) -> tuple[ToolState, ...]:
    """Every tool hlsmem can use, in the order of their use."""
    environment = os.environ if environment is None else environment
    path = environment.get("PATH", os.defpath)
    beside = beside_python(environment)
    return (
        _program(C_COMPILER, "checks replay and host", environment, required=True),
        _state(
            "Icarus Verilog",
            _SIMULATION,
            lambda: _simulator(path, "icarus"),
            version_text(ICARUS_MINIMUM),
        ),
        _state(
            "Verilator",
            _SIMULATION,
            lambda: _simulator(path, "verilator"),
            verilator_text(VERILATOR_MINIMUM),
        ),
        _state(
            "cocotb",
            "check rtl",
            lambda: version_text(require_cocotb()),
            version_text(COCOTB_MINIMUM),
        ),
        _state("sandbox", "check, synth", _sandbox, ""),
        _program(YOSYS, "synth, check formal", beside),
        *(
            _program(nextpnr_of(name), "synth", beside)
            for name in dict.fromkeys(f.router.name for f in FAMILIES.values() if f.router)
        ),
        _program(SOLVER, "check formal", beside),
        _package("highspy", "method hyperplane", "pip install hlsmem[ilp]"),
        _package("islpy-barvinok", "proofs of some formulas", "pip install islpy-barvinok (GPL)"),
    )


def _state(
    name: str, purpose: str, version: Callable[[], str], minimum: str, *, required: bool = False
) -> ToolState:
    """`version` looks for the tool; where it raises ToolError, that says how to get one."""
    found, remedy = "", ""
    try:
        found = version()
    except ToolError as error:
        remedy = str(error)
    return ToolState(
        name=name,
        purpose=purpose,
        version=found,
        minimum=minimum,
        usable=not remedy,
        required=required,
        remedy=remedy,
    )


def _sandbox() -> str:
    require_sandbox()
    return "trusted: none" if is_trusted() else maker()


def _program(
    need: Need, purpose: str, environment: Mapping[str, str], *, required: bool = False
) -> ToolState:
    return _state(
        need.name,
        purpose,
        lambda: find(need, environment).version_text,
        version_text(need.least) if any(need.least) else "",
        required=required,
    )


def _simulator(path: str, key: str) -> str:
    return find_simulator(path, key).title.rpartition(" ")[2]


def _package(name: str, purpose: str, remedy: str) -> ToolState:
    """A Python package that may be missing."""
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        version = ""
    return ToolState(
        name=name,
        purpose=purpose,
        version=version,
        usable=bool(version),
        remedy="" if version else remedy,
    )
