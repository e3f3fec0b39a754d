"""Compilations that tests share: the same command on the same texts is run once a session.

Most tests of the host check plant a fault in the generated C and leave the original, its harness
and half of the builds as they were: a compiler is asked for those once. What makes two alike are
the compiler, the arguments, and the texts that these name with all that those include from the
folders of the test, of which the names are left out. `make test-all` compiles each time.

The headers of Verilator take half of what a simulation takes to build: they are compiled once.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import pickle
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hlsmem.tools.run import Finished
from hlsmem.tools.sandbox import TRUST, Sandbox

# Without the start of a line it is found several times as fast; a comment that has it adds a file.
_INCLUDE = re.compile(rb"#[ \t]*include\b[ \t]*([^\n]*)")
_FILE = re.compile(rb'["<]([^">\n]+)[">]')
_FRAMES = ".su"  # what -fstack-usage writes
_QUICK = ("OPT_FAST=-O0", "OPT_GLOBAL=-O0")
_HEADER = '#include "verilated.h"\n#include "verilated_dpi.h"\n#include "verilated_vpi.h"\n'
_RULE = "%.h.gch: %.h\n\t$(CXX) $(CXXFLAGS) $(CPPFLAGS) $(OPT_FAST) -x c++-header $< -o $@\n"
_NAMES_NO_FOLDER = re.compile(r"-(?!I)\w.*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """How a compiler ended, with the files that it made: the one that was asked for, and what it
    says beside of stack frames; folders have stand-ins."""

    status: int
    output: str
    errors: str
    made: dict[str, bytes]  # by suffix
    mode: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulations:
    """What runs the commands of simulations in place of `run`, with Verilator's headers kept."""

    run: Callable[..., Finished]
    kept: Path

    def __call__(self, arguments: Sequence[str], *, folder: Path, **options: Any) -> Finished:
        if "Vtop.mk" not in arguments:
            return self.run(arguments, folder=folder, **options)
        header = self.kept / "simulation.h"
        command = [f"{one} -include {header}" if one in _QUICK else one for one in arguments]
        with (self.kept / "simulation.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # one worker compiles, on all cores
            if not header.exists():
                header.write_text(_HEADER)
                rules = header.with_suffix(".mk")
                rules.write_text(_RULE)
                self.run([*arguments, "-f", str(rules), f"{header}.gch"], folder=folder, **options)
        return self.run(command, folder=folder, **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class Compilers:
    """What runs compilers in place of `run`, and keeps what they make in a folder."""

    run: Callable[..., Finished]
    kept: Path

    def __call__(
        self, arguments: Sequence[str], *, folder: Path, seconds: float, sandbox: Sandbox
    ) -> Finished:
        def compile_it() -> Finished:
            return self.run(arguments, folder=folder, seconds=seconds, sandbox=sandbox)

        if "-o" not in arguments or os.environ.get(TRUST) != "1":
            return compile_it()
        target = folder / arguments[arguments.index("-o") + 1]
        places = _places(arguments, folder, sandbox)
        key = _key(arguments, folder, target, places)
        if key is None:
            return compile_it()
        stored = self.kept / f"{key}.compiled"
        if stored.exists():
            found: Compiled = pickle.loads(stored.read_bytes())
            for suffix, content in found.made.items():
                file = target.with_suffix(suffix)
                file.unlink(missing_ok=True)  # a program that runs is not written over
                file.write_bytes(content)
                file.chmod(found.mode)
            said = [_with_places(one, places) for one in (found.output, found.errors)]
            return Finished(
                arguments=tuple(arguments), status=found.status, output=said[0], errors=said[1]
            )
        finished = compile_it()
        self._keep(stored, finished, target, places)
        return finished

    def _keep(
        self, stored: Path, finished: Finished, target: Path, places: Sequence[tuple[str, str]]
    ) -> None:
        beside = {target.suffix, _FRAMES} if finished.succeeded else ()
        made = {one: target.with_suffix(one) for one in beside if target.with_suffix(one).exists()}
        found = Compiled(
            status=finished.status,
            output=_without_places(finished.output.encode(), places).decode(),
            errors=_without_places(finished.errors.encode(), places).decode(),
            made={suffix: file.read_bytes() for suffix, file in made.items()},
            mode=max((file.stat().st_mode for file in made.values()), default=0),
        )
        part = stored.with_suffix(f".{os.getpid()}")
        part.write_bytes(pickle.dumps(found))
        part.replace(stored)


def _key(
    arguments: Sequence[str], folder: Path, target: Path, places: Sequence[tuple[str, str]]
) -> str | None:
    """What makes a compilation: all that a compiler reads of the test. None where a macro says
    what is included, and where a text names a folder: the program would look there."""
    named = [folder / one for one in arguments if not _NAMES_NO_FOLDER.fullmatch(one)]
    files = [one for one in named if one.is_file() and one != target]
    among = [folder / one[2:] for one in arguments if one.startswith("-I")]
    digest = hashlib.sha256(repr(os.environ.get("CC")).encode())
    for argument in arguments:
        digest.update(_without_places(argument.encode(), places) + b"\0")
    for file, text, included in _with_included(files, [folder, *among]):
        if not all(map(_FILE.match, included)):
            return None
        if _without_places(text, places) != text:
            return None
        digest.update(_without_places(str(file).encode(), places) + b"\0" + text + b"\0")
    return digest.hexdigest()


def _with_included(
    files: Iterable[Path], folders: Sequence[Path]
) -> Iterator[tuple[Path, bytes, list[bytes]]]:
    """The files, and those of the test that they include, each once, with its text and what stands
    behind each `#include`."""
    seen, waiting = set[Path](), list(files)
    while waiting:
        file = waiting.pop(0).resolve()
        if file in seen:
            continue
        seen.add(file)
        text = file.read_bytes()
        included = _INCLUDE.findall(text)
        yield file, text, included
        for one in included:
            if name := _FILE.match(one):
                among = [where / name[1].decode() for where in (file.parent, *folders)]
                waiting += [path for path in among if path.is_file()]


def _places(arguments: Sequence[str], folder: Path, sandbox: Sandbox) -> list[tuple[str, str]]:
    """The folders that differ from test to test with their stand-ins, the innermost first: that of
    the command, those that a check makes with names of no meaning, and those of the test."""
    own = {str(folder): "@folder@"}
    inside = re.compile(re.escape(str(sandbox.writable)) + r"/[^/\s]+(?=/)")
    for number, one in enumerate(dict.fromkeys(inside.findall(" ".join(arguments)))):
        own.setdefault(one, f"@made{number}@")
    for number, place in enumerate((sandbox.writable, *sandbox.readable)):
        own.setdefault(str(place), f"@place{number}@")
    return sorted(own.items(), key=lambda pair: -len(pair[0]))


def _without_places(text: bytes, places: Sequence[tuple[str, str]]) -> bytes:
    for place, stand_in in places:
        text = text.replace(place.encode(), stand_in.encode())
    return text


def _with_places(text: str, places: Sequence[tuple[str, str]]) -> str:
    for place, stand_in in places:
        text = text.replace(stand_in, place)
    return text
