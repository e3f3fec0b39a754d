"""Verilator's own runtime as object files, compiled once and kept in the user's cache.

Each simulation is linked with some files of Verilator that are the same for all. To compile them
takes 8 to 13 s of a processor, the module itself 1 to 3.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from hlsmem.core.errors import HlsmemError
from hlsmem.tools.run import run
from hlsmem.tools.sandbox import Sandbox
from hlsmem.tools.simulators import Verilator, simulator_environment

_SECONDS = 600.0
# Only a module with a delay has the part of the runtime that `--timing` is for.
_TEXT = "module empty; initial {} $finish; endmodule\n"


def runtime_objects(
    simulator: Verilator, flags: Sequence[str], variables: Sequence[str]
) -> Mapping[str, bytes]:
    """Return object files of the runtime by name, for a module translated with `flags` and made
    with such `variables`; none where they cannot be compiled alone.

    They are read from the user's cache, `$XDG_CACHE_HOME/hlsmem` or `~/.cache/hlsmem`, and written
    there where that is possible.
    """
    environment = simulator_environment(simulator, os.environ.get("PATH", ""))
    kept = _cache() / f"verilator-{_key(simulator, flags, variables, environment)}"
    found = _read(kept)
    if found:
        return found
    with tempfile.TemporaryDirectory(prefix="hlsmem-runtime-") as name:
        try:
            found = _compiled(simulator, flags, variables, environment, Path(name))
        except HlsmemError:
            return {}
    with suppress(OSError):
        _keep(kept, found)
    return found


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "hlsmem"


def _key(
    simulator: Verilator,
    flags: Sequence[str],
    variables: Sequence[str],
    environment: Mapping[str, str | None],
) -> str:
    """A digest of what objects depend on: Verilator and the compiler, by their files, and how they
    are called."""
    path = environment["PATH"]
    tools = [
        shutil.which(one, path=path)
        for one in ("verilator", "verilator_bin", "g++", "clang++", os.environ.get("CXX", "c++"))
    ]
    files = [(one, *_identity(Path(one))) for one in tools if one is not None]
    says = (simulator.title, files, [*flags], [*variables], environment.get("MAKEFLAGS"))
    return hashlib.sha256(repr(says).encode()).hexdigest()[:24]


def _identity(file: Path) -> tuple[int, int]:
    status = file.stat()
    return status.st_size, status.st_mtime_ns


def _compiled(
    simulator: Verilator,
    flags: Sequence[str],
    variables: Sequence[str],
    environment: Mapping[str, str | None],
    folder: Path,
) -> dict[str, bytes]:
    """The objects of the runtime as the makefile of an empty module compiles them."""
    (folder / "empty.v").write_text(_TEXT.format("#1" if "--timing" in flags else ""))
    translating = [str(simulator.folder / "verilator"), "-cc", *flags, "-Mdir", "build"]
    translating += ["--prefix", "Vtop", "--top-module", "empty", "empty.v"]
    making = ["make", "-C", "build", "-f", "Vtop.mk", "-j", str(os.cpu_count() or 1), *variables]
    sandbox = Sandbox(writable=folder, unlimited=True)

    def succeeds(command: Sequence[str]) -> bool:
        return run(
            command, folder=folder, seconds=_SECONDS, environment=environment, sandbox=sandbox
        ).succeeded

    if not succeeds(translating):
        return {}
    classes = (folder / "build" / "Vtop_classes.mk").read_text()
    objects = [f"{one}.o" for one in re.findall(r"(?m)^\s+(verilated\w*) \\$", classes)]
    if not objects or not succeeds([*making, *objects]):
        return {}
    return {one: (folder / "build" / one).read_bytes() for one in objects}


def _read(folder: Path) -> dict[str, bytes]:
    try:
        return {one.name: one.read_bytes() for one in sorted(folder.glob("*.o"))}
    except OSError:
        return {}


def _keep(folder: Path, objects: Mapping[str, bytes]) -> None:
    """Write objects into a folder that is there as a whole or not at all."""
    if not objects:
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f"{folder.name}-", dir=folder.parent))
    for name, content in objects.items():
        (made / name).write_bytes(content)
    try:
        made.rename(folder)
    except OSError:
        shutil.rmtree(made)


def put_objects(objects: Mapping[str, bytes], build: Path) -> list[str]:
    """Write objects into the folder of a build; return the arguments with which make takes them as
    they are."""
    build.mkdir(parents=True, exist_ok=True)
    for name, content in objects.items():
        (build / name).write_bytes(content)
    return [word for name in objects for word in ("-o", name)]
