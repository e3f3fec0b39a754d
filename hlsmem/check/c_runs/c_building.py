"""Original and generated C, compiled alike: what the host check and the timing run."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path

from hlsmem.check.c_runs.c_interface import Interface
from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.host_runs.tile_harness import TileCase
from hlsmem.check.networks.network_in_c import write_unfolded
from hlsmem.core.data_files import resource_folder
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.plan import Plan
from hlsmem.program.model import Kernel, Program, SourceFile
from hlsmem.read.suffixes import is_cxx
from hlsmem.tools.find import Tool
from hlsmem.tools.run import Finished, run
from hlsmem.tools.sandbox import Sandbox

FLAGS = ("-O2", "-ffp-contract=off", "-fwrapv")
WRAPPING = "-fwrapv"
TIMED = ("-O3", "-march=native", "-ffp-contract=off")
"""Flags that `bench` times: values are those of FLAGS but where a sum of integers overflows."""
WITH_WORKSPACE = "-DHLSMEM_WITH_WORKSPACE"
# What calls the generated C: the harness, and the size of the workspace by the header.
CALLER_TEXTS = ("harness.c", "size.c")
CALLER = ("harness.o", "size.o")
SECONDS = 120.0


class FoundDifferent(Exception):
    """A witness that the generated C is wrong."""


class NoOriginal(Exception):
    """The original cannot be compiled or run, so there is nothing to compare with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Builder:
    """Compiles what stands in `out`: `program` as the design gives it, `work` a folder to fill."""

    compiler: Tool
    out: Path
    work: Path
    program: Program = field(compare=False)
    plan: Plan = field(compare=False)
    has_versions: bool = False
    tile: TileCase | None = field(default=None, compare=False)

    @property
    def kernel(self) -> Kernel | None:
        return self.program.kernel

    @property
    def has_cxx(self) -> bool:
        """True if a source of the original is C++."""
        return self.kernel is not None and self.kernel.head is not None

    @property
    def function(self) -> str:
        """The name of the generated function."""
        return self.kernel.name if self.kernel is not None else self.program.name

    @property
    def generated(self) -> str:
        return f"host/{self.program.name}.c"

    @property
    def original_name(self) -> str:
        """The name of the original in the generated C where it is kept as a fallback."""
        return f"{self.function}_original"

    @property
    def stands_by(self) -> bool:
        """True if the generated C holds a fallback besides the plan's function, in its workspace:
        the original, or one in the order of its text."""
        text = (self.out / self.generated).read_text(encoding="utf-8")
        return f"{self.original_name}(" in text or f"{self.function}_text(" in text

    def sandbox(self) -> Sandbox:
        """The sandbox of compilers and programs; sanitizers reserve memory without end."""
        return Sandbox(writable=self.work, readable=(self.out,), unlimited=True)

    def build_original(
        self, folder: Path, interface: Interface, values: Mapping[str, int], target: Path
    ) -> str:
        """Compile the original, and say by which standard: with extensions where it needs them."""
        finished = None
        extra = ["-w", str(folder / "harness.c"), "-o", str(target), "-lm"]
        for standard in ("-std=c99", "-std=gnu99"):
            flags = [standard, *FLAGS]
            if self.kernel is None:
                source = self._unfolded(interface, values, folder)
                finished = self.compile(
                    [*flags, str(source), str(folder / "stops.c"), *extra], folder
                )
            else:
                finished = self.compile_original(values, [*flags, *extra])
            if finished.succeeded:
                return standard
        assert finished is not None
        raise NoOriginal(f"the original does not compile alone: {first_message(finished)}")

    def _unfolded(self, interface: Interface, values: Mapping[str, int], folder: Path) -> Path:
        try:
            return write_unfolded(self.program.source, interface, values, folder)
        except ValueError as error:
            raise NoOriginal(f"the network cannot be run unfolded: {error}") from None

    def compile_original(self, values: Mapping[str, int], extra: Sequence[str]) -> Finished:
        """Compile the user's file, with its macros at `values`, in a copy of the design."""
        assert self.kernel is not None
        if self.kernel.head is not None and self.kernel.head.objects:
            name = self.kernel.head.objects[0]
            raise NoOriginal(f"C does not make the object '{name}', whose members it passes")
        folder = Path(tempfile.mkdtemp(dir=self.work))
        if self.tile is not None:
            return self._compile_tile(self.tile, values, extra, folder)
        missing = [name for name in values if name in self.kernel.macros]
        for source in _design_files(self.out / "design", self.kernel.sources):
            file = folder / source.name
            file.parent.mkdir(parents=True, exist_ok=True)
            text, replaced = with_macros(source.text, {n: values[n] for n in self.kernel.macros})
            missing = [name for name in missing if name not in replaced]
            file.write_text(text, encoding="utf-8")
        defines = [f"-D{name}={values[name]}" for name in missing]
        user = [*self._user_flags(), *defines, "-Dmain=hlsmem_users_main"]
        files = [self.kernel.file, *self.kernel.others]
        if self.kernel.entry is not None:
            (folder / self.kernel.entry.name).write_text(self.kernel.entry.text, encoding="utf-8")
            files[0] = self.kernel.entry.name
        if any(map(is_cxx, files)):
            return self._compile_cxx([*user, *extra], files, folder)
        if len(files) == 1 or "-S" in extra:
            return self.compile([*user, files[0], *extra], folder)
        if "-c" not in extra:
            return self.compile([*user, *extra, *files, "-lm"], folder)
        return self._compile_parts([*user, *extra], files, folder)

    def _compile_tile(
        self, tile: TileCase, values: Mapping[str, int], extra: Sequence[str], folder: Path
    ) -> Finished:
        """Compile the user's function with the instances of a tile alone."""
        try:
            text = tile.original(self.out / "design", values)
        except NotUnderstood as error:
            raise NoOriginal(f"the original cannot be cut to the tile: {error}") from None
        (folder / "tile.c").write_text(text, encoding="utf-8")
        return self.compile([*self._user_flags(), "tile.c", *extra], folder)

    def _compile_parts(
        self, arguments: Sequence[str], files: Sequence[str], folder: Path
    ) -> Finished:
        """Compile files to one object of all."""
        target = arguments.index("-o")
        plain = [*arguments[:target], *arguments[target + 2 :]]
        parts = [f"part{number}.o" for number in range(len(files))]
        for file, part in zip(files, parts, strict=True):
            flags = in_cxx(plain) if is_cxx(file) else plain
            finished = self.compile([*flags, file, "-o", part], folder)
            if not finished.succeeded:
                return finished
        return self.compile(["-r", "-nostdlib", *parts, "-o", arguments[target + 1]], folder)

    def _compile_cxx(
        self, arguments: Sequence[str], files: Sequence[str], folder: Path
    ) -> Finished:
        """Compile files of which some are C++: they make one object, which C is linked with."""
        headers = folder / "hlsmem_include"
        shutil.copytree(resource_folder("hls") / "include", headers)
        includes = ["-I", headers.name]
        if "-S" in arguments:
            return self.compile([*in_cxx(arguments), *includes, files[0]], folder)
        if "-c" in arguments:
            return self._compile_parts([*arguments, *includes], files, folder)
        target = arguments.index("-o")
        own = [*arguments[:target], *arguments[target + 2 :]]
        flags = [one for one in own if not one.endswith(".c") and not one.startswith("-l")]
        made = [*flags, *includes, "-c", "-o", "users.o"]
        finished = self._compile_parts(made, files, folder)
        if not finished.succeeded:
            return finished
        return self.compile([*arguments, "users.o", "-lstdc++", "-lm"], folder)

    def _user_flags(self) -> list[str]:
        """The user's flags without definitions of parameters, behind that of HLS tools."""
        assert self.kernel is not None
        macros = self.kernel.macros
        return ["-D__SYNTHESIS__"] + [
            flag
            for flag in self.kernel.cflags
            if not any(re.fullmatch(rf"-D{re.escape(name)}(=.*)?", flag) for name in macros)
        ]

    def compile_caller(self, folder: Path, standard: str, values: Mapping[str, int]) -> None:
        """Compile what calls the generated C: one object for all compilers and levels of that.

        It is not what they are tried on, and takes as long to compile.
        """
        for text, compiled in zip(CALLER_TEXTS, CALLER, strict=True):
            flags = [standard, *FLAGS, *self.generated_flags(values), WITH_WORKSPACE, "-w"]
            files = ["-c", str(folder / text), "-o", str(folder / compiled)]
            finished = self.compile([*flags, *files], self.out)
            if not finished.succeeded:
                what = f"{self.generated} cannot be called: {first_message(finished)}"
                raise FoundDifferent(what)

    def build_generated(
        self,
        folder: Path,
        values: Mapping[str, int],
        flags: Sequence[str],
        target: Path,
        *,
        caller: Sequence[str] = CALLER,
    ) -> Finished:
        """Compile OUT/host as it stands on disk; raises FoundDifferent with the first message."""
        files = [*self.all_generated(), *(str(folder / name) for name in caller)]
        command = [*flags, *self.generated_flags(values), *files]
        command += [WITH_WORKSPACE, "-o", str(target), "-lm"]
        finished = self.compile(command, self.out)
        if not finished.succeeded:
            raise FoundDifferent(f"{self.generated} does not compile: {first_message(finished)}")
        return finished

    def objects(self, folder: Path, prefix: str, flags: Sequence[str]) -> list[str]:
        """The objects of OUT/host, a file each, in `folder`; raises FoundDifferent."""
        found = []
        for file in self.all_generated():
            found.append(str(folder / f"{prefix}_{Path(file).stem}.o"))
            built = self.compile([*flags, "-c", file, "-o", found[-1]], self.out)
            if not built.succeeded:
                raise FoundDifferent(f"{file} does not compile: {first_message(built)}")
        return found

    def all_generated(self) -> list[str]:
        """The generated file, and those of versions that it calls."""
        if not self.has_versions:
            return [self.generated]
        found = sorted((self.out / "host").glob(f"{self.program.name}_*.c"))
        return [self.generated, *(f"host/{file.name}" for file in found)]

    def generated_flags(self, values: Mapping[str, int]) -> list[str]:
        macros = self.kernel.macros if self.kernel is not None else tuple(values)
        prefix = self.function.upper()
        flags = [f"-D{prefix}_{name}={values[name]}" for name in macros if name in values]
        flags += ["-iquote", "."]  # of OUT, or of a copy
        if self.kernel is not None:
            flags += [*self._user_flags(), "-Idesign", "-Dmain=hlsmem_users_main"]
        return flags

    def size_text(self, values: Mapping[str, int]) -> str:
        """C for the size of the workspace, by the function of the header."""
        header = self.out / f"host/{self.program.name}.h"
        name = self.function
        found = re.search(rf"\b{name}_ws_bytes\(([^)]*)\);", self.header())
        if found is None:
            raise FoundDifferent(f"host/{header.name} has no {name}_ws_bytes()")
        parts = [part.split()[-1] for part in found[1].split(",")]
        arguments = [] if parts == ["void"] else [str(values[part]) for part in parts]
        size = f"{name}_ws_bytes({', '.join(arguments)})"
        return (
            f'#include "host/{header.name}"\n'
            f"size_t hlsmem_workspace_bytes(void)\n{{\n    return {size};\n}}\n"
        )

    def header(self) -> str:
        header = self.out / f"host/{self.program.name}.h"
        try:
            return header.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            raise FoundDifferent(f"host/{header.name} cannot be read") from None

    def compile(self, arguments: Sequence[str], folder: Path) -> Finished:
        command = [*self.compiler.command, *arguments]
        return run(command, folder=folder, seconds=SECONDS, sandbox=self.sandbox())


def in_cxx(flags: Sequence[str]) -> list[str]:
    """Flags for C as those for C++: of two standards the user's, which comes first.

    >>> in_cxx(["-std=c99", "-O1"]), in_cxx(["-std=c++17", "-std=c99"])
    (['-std=gnu++17', '-O1'], ['-std=c++17'])
    """
    standards = [flag for flag in flags if flag.startswith("-std=")]
    chosen = standards[0] if "++" in "".join(standards[:1]) else "-std=gnu++17"
    return [chosen, *(flag for flag in flags if flag not in standards)]


def _design_files(folder: Path, sources: Iterable[SourceFile]) -> list[SourceFile]:
    """The files of OUT/design as they stand now."""
    found = []
    for source in sources:
        try:
            text = (folder / source.name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            text = source.text
        found.append(SourceFile(name=source.name, text=text))
    return found


def with_macros(text: str, values: Mapping[str, int]) -> tuple[str, list[str]]:
    """C text with macros defined as `values`, and the names that it defines."""
    replaced = []
    for name, value in values.items():
        pattern = rf"(?m)^([ \t]*#[ \t]*define[ \t]+{re.escape(name)})(?![\w(])[^\n]*"
        text, count = re.subn(pattern, rf"\g<1> {value}", text)
        replaced += [name] * bool(count)
    return text, replaced


def first_message(finished: Finished) -> str:
    """The first error or warning of a compiler, in one line."""
    lines = finished.errors.strip().splitlines()
    telling = [line for line in lines if re.search(r"error|warning|undefined reference", line)]
    return (telling or lines or [finished.ending()])[0].strip()
