"""All tools that hlsmem can use, found or not: what `hlsmem doctor` prints."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata

from hlsmem.errors import ToolError
from hlsmem.tools.find import C_COMPILER, Need, find
from hlsmem.tools.provers import SOLVER
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

_SIMULATION = "check rtl (one simulator is enough)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolState:
    """A line of `hlsmem doctor`: `version` and `minimum` are texts, "" for none.

    `required` tools are needed by checks of every design; `remedy` says how to get a usable one.
    """

    name: str
    purpose: str
    version: str
    minimum: str
    usable: bool
    required: bool
    remedy: str


def survey(environment: Mapping[str, str] | None = None) -> tuple[ToolState, ...]:
    """Every tool hlsmem can use, in the order of their use."""
    environment = os.environ if environment is None else environment
    path = environment.get("PATH", os.defpath)
    beside = beside_python(environment)
    return (
        _program(C_COMPILER, "checks replay and host", environment, required=True),
        _simulator("icarus", "Icarus Verilog", version_text(ICARUS_MINIMUM), path),
        _simulator("verilator", "Verilator", verilator_text(VERILATOR_MINIMUM), path),
        _cocotb(),
        _program(YOSYS, "synth, check formal", beside),
        _program(nextpnr_of("ecp5"), "synth", beside),
        _program(nextpnr_of("ice40"), "synth", beside),
        _program(SOLVER, "check formal", beside),
        _package("highspy", "method hyperplane", "pip install hlsmem[ilp]"),
        _package("islpy-barvinok", "proofs of some formulas", "pip install islpy-barvinok (GPL)"),
    )


def _program(
    need: Need, purpose: str, environment: Mapping[str, str], *, required: bool = False
) -> ToolState:
    version, remedy = "", ""
    try:
        version = find(need, environment).version_text
    except ToolError as error:
        remedy = str(error)
    return ToolState(
        name=need.name,
        purpose=purpose,
        version=version,
        minimum=version_text(need.least) if any(need.least) else "",
        usable=not remedy,
        required=required,
        remedy=remedy,
    )


def _simulator(key: str, name: str, minimum: str, path: str) -> ToolState:
    version, remedy = "", ""
    try:
        version = find_simulator(path, key).title.rpartition(" ")[2]
    except ToolError as error:
        remedy = str(error)
    return ToolState(
        name=name,
        purpose=_SIMULATION,
        version=version,
        minimum=minimum,
        usable=not remedy,
        required=False,
        remedy=remedy,
    )


def _cocotb() -> ToolState:
    version, remedy = "", ""
    try:
        version = version_text(require_cocotb())
    except ToolError as error:
        remedy = str(error)
    return ToolState(
        name="cocotb",
        purpose="check rtl",
        version=version,
        minimum=version_text(COCOTB_MINIMUM),
        usable=not remedy,
        required=False,
        remedy=remedy,
    )


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
        minimum="",
        usable=bool(version),
        required=False,
        remedy="" if version else remedy,
    )
