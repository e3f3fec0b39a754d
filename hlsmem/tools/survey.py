"""All tools that hlsmem can use, found or not: what `hlsmem doctor` prints."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import metadata
from shutil import which

from hlsmem.core.errors import MissingToolError, Problem, ToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import Check
from hlsmem.core.wording import listed
from hlsmem.devices import FAMILIES
from hlsmem.tools.find import C_COMPILER, CLANG, Need, find
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A tool that hlsmem knows: `version` finds it in an environment, or raises ToolError.

    `purposes` are those beside checks, of which it may `serve` under another name; `required` says
    whether checks of every design need it.
    """

    name: str
    version: Callable[[Mapping[str, str]], str]
    minimum: str = ""
    purposes: tuple[str, ...] = ()
    serves: str = ""
    required: bool = False


def _program(need: Need, *purposes: str, beside: bool = False, required: bool = False) -> _Known:
    def version(environment: Mapping[str, str]) -> str:
        found = find(need, beside_python(environment) if beside else environment)
        return found.version_text

    return _Known(
        name=need.name,
        version=version,
        minimum=version_text(need.least) if any(need.least) else "",
        purposes=purposes,
        required=required,
    )


def _simulator(name: str, key: str, minimum: str) -> _Known:
    def version(environment: Mapping[str, str]) -> str:
        return find_simulator(_path(environment), key).title.rpartition(" ")[2]

    return _Known(name=name, version=version, minimum=minimum, serves=_SIMULATOR)


def _package(name: str, purpose: str, remedy: str) -> _Known:
    """A Python package that may be missing."""

    def version(_: Mapping[str, str]) -> str:
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            raise ToolError(Problem(remedy, "")) from None

    return _Known(name=name, version=version, purposes=(purpose,))


def _sandbox(_: Mapping[str, str]) -> str:
    require_sandbox()
    return "trusted: none" if is_trusted() else maker()


def _path(environment: Mapping[str, str]) -> str:
    return environment.get("PATH", os.defpath)


# Checks need one that serves, whichever it is.
_SIMULATOR = "simulator"

# In the order of their use.
_TOOLS = (
    _program(C_COMPILER, required=True),
    _program(CLANG),
    _simulator("Icarus Verilog", "icarus", version_text(ICARUS_MINIMUM)),
    _simulator("Verilator", "verilator", verilator_text(VERILATOR_MINIMUM)),
    _Known(
        name="cocotb",
        version=lambda _: version_text(require_cocotb()),
        minimum=version_text(COCOTB_MINIMUM),
    ),
    _Known(name="sandbox", version=_sandbox, purposes=("check", "synth")),
    _program(YOSYS, "synth", beside=True),
    *(
        _program(nextpnr_of(name), "synth", beside=True)
        for name in dict.fromkeys(f.router.name for f in FAMILIES.values() if f.router)
    ),
    _program(SOLVER, beside=True),
    _package("pillow", "PNG of run", "pip install hlsmem[pictures]"),
    _package("highspy", "method hyperplane", "pip install hlsmem[ilp]"),
    _package("islpy-barvinok", "proofs of some formulas", "pip install islpy-barvinok (GPL)"),
)


def require(name: str, environment: Mapping[str, str] | None = None) -> None:
    """Raise ToolError, with ways to get it, unless there is a tool of that name: one that doctor
    lists, `simulator` for any of them, or a program on PATH."""
    environment = os.environ if environment is None else environment
    if name == _SIMULATOR:
        find_simulator(_path(environment))
        return
    known = next((tool for tool in _TOOLS if tool.name == name), None)
    (known or _other(name)).version(environment)


def survey(
    environment: Mapping[str, str] | None = None, checks: Iterable[Check] = ()
) -> tuple[ToolState, ...]:
    """Every tool that hlsmem and the `checks` can use, in the order of their use."""
    environment = os.environ if environment is None else environment
    users: dict[str, list[str]] = {}
    for check in checks:
        for name in (*check.needs, *check.uses):
            users.setdefault(name, []).append(check.name)
    known = {name for tool in _TOOLS for name in (tool.name, tool.serves)}
    others = [_other(name) for name in users if name not in known]
    return tuple(_state(tool, users, environment) for tool in (*_TOOLS, *others))


def _other(name: str) -> _Known:
    """A program that a check from elsewhere needs."""

    def version(environment: Mapping[str, str]) -> str:
        if which(name, path=_path(environment)) is None:
            command = f"install {name}"
            raise MissingToolError(Problem(f"{name} is not on PATH", command), install=(command,))
        return "found"

    return _Known(name=name, version=version)


def _state(
    tool: _Known, users: Mapping[str, Sequence[str]], environment: Mapping[str, str]
) -> ToolState:
    found, remedy = "", ""
    try:
        found = tool.version(environment)
    except ToolError as error:
        remedy = str(error)
    checks = users.get(tool.serves or tool.name, ())
    word = "checks" if len(checks) > 1 else "check"
    enough = " (one simulator is enough)" if tool.serves else ""
    own = [f"{word} {listed(checks)}{enough}"] if checks else []
    return ToolState(
        name=tool.name,
        purpose=", ".join([*tool.purposes, *own]),
        version=found,
        minimum=tool.minimum,
        usable=not remedy,
        required=tool.required,
        remedy=remedy,
    )
