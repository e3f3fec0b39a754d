"""Versions of a kernel's C for values of its parameters: files of their own, which the first calls.

Source: Doerfert, Hammacher, Streit, Hack, "SPolly: Speculative Optimizations in the Polyhedral
Model" (IMPACT 2013), section 3.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from itertools import product

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.program.model import Kernel, Program
from hlsmem.program.options import Design
from hlsmem.read.design_names import RESERVED


@dataclass(frozen=True, slots=True)
class Version:
    """A version for other `values` than the plan's, of the parameters that C has versions for."""

    values: tuple[tuple[str, int], ...]

    @property
    def suffix(self) -> str:
        """Suffix of the names of its function and of its files.

        >>> Version((("s", 2), ("w", -1))).suffix
        '_s2_wm1'
        """
        texts = (f"{name}{'m' if value < 0 else ''}{abs(value)}" for name, value in self.values)
        return "".join(f"_{text}" for text in texts)

    @property
    def test(self) -> str:
        """C for whether a call is one for it."""
        return " && ".join(f"{name} == {value}" for name, value in self.values)

    def named(self, program: Program) -> Program:
        """The program of this version, under its own name and its function's."""
        kernel = program.kernel
        assert kernel is not None
        renamed = replace(kernel, name=f"{kernel.name}{self.suffix}")
        return replace(program, name=f"{program.name}{self.suffix}", kernel=renamed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """A program in the order of its text, and the cells that are right for that."""

    program: Program
    cells: Mapping[str, StorageMapping] = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A version with what it is made of: its own design, its program in C's order, its cells; and
    its `text`, for arguments that overlap."""

    version: Version
    design: Design
    program: Program
    cells: Mapping[str, StorageMapping] = field(compare=False)
    text: Text | None = None


def versions_of(design: Design) -> tuple[Version, ...]:
    """The versions besides the plan's, for all combinations of the values that are asked for."""
    return tuple(_versions(design.host.versions, design.input.values))


def _versions(asked: Mapping[str, tuple[int, ...]], given: Mapping[str, int]) -> Iterator[Version]:
    own = tuple((name, given[name]) for name in asked)
    for values in product(*(dict.fromkeys((given[name], *asked[name])) for name in asked)):
        found = tuple(zip(asked, values, strict=True))
        if found != own:
            yield Version(found)


@dataclass(frozen=True, slots=True)
class Profile:
    """The counting build of a function: the `parameters` that a line of its file names."""

    function: str
    parameters: tuple[str, ...]

    @property
    def macro(self) -> str:
        """The macro that says which file; without it nothing is counted."""
        return f"{self.function.upper()}_PROFILE"

    @property
    def _name(self) -> str:
        return f"{RESERVED}count_{self.function}"

    def definition(self) -> list[str]:
        """The lines of the function that adds a line to the file."""
        given = ", ".join(f"int64_t {name}" for name in self.parameters)
        text = " ".join(f"{name}=%lld" for name in self.parameters)
        values = "".join(f", (long long){name}" for name in self.parameters)
        return [
            f"#ifdef {self.macro}",
            "#include <stdio.h>",
            "/* The counting build: a line for each call. */",
            f"static void {self._name}({given})",
            "{",
            f'    FILE *const file = fopen({self.macro}, "a");',
            "",
            "    if (file == NULL)",
            "        return;",
            f'    fprintf(file, "{text}\\n"{values});',
            "    fclose(file);",
            "}",
            "#endif",
        ]

    def call(self) -> list[str]:
        """The lines at the entry."""
        values = ", ".join(self.parameters)
        return [f"#ifdef {self.macro}", f"    {self._name}({values});", "#endif"]


def profile_of(design: Design, kernel: Kernel) -> Profile | None:
    """The counting build of a kernel's C; None where none is asked for, or nothing is to count."""
    given = [one.name for one in kernel.function.parameters]
    names = tuple(name for name in given if name in design.input.values)
    return Profile(kernel.name, names) if design.host.profile and names else None
