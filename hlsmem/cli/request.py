"""The design that a verb is asked about: its file, and what the command line says of it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from hlsmem.core.errors import HlsmemError, InputError, Problem
from hlsmem.core.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from hlsmem.program.options import Design
    from hlsmem.read.design_folder import Folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A path as the user gave it, values of parameters by name, KEY=VALUE texts, and folders of
    files that are included."""

    path: Path
    parameters: Mapping[str, int]
    settings: Sequence[str]
    includes: Sequence[Path] = ()

    @property
    def folder(self) -> Folder:
        """The folder of the design, as messages name its files."""
        from hlsmem.read.design_folder import folder_with

        return folder_with(self.path.parent, self.includes)

    def load(self, *, conditional: bool = False) -> Design:
        """The design in the file; with `conditional` it may have filters.

        Raises InputError with all problems found.
        """
        from hlsmem.read.design import load

        return load(
            self.path,
            parameters=self.parameters,
            settings=self.settings,
            includes=self.includes,
            conditional=conditional,
        )

    @contextmanager
    def naming_files(self) -> Iterator[None]:
        """Work on the design, whose errors name its files as the user sees them.

        Raises the errors of the work.
        """
        from hlsmem.read.design import seen_from

        try:
            yield
        except HlsmemError as error:
            error.problems = tuple(seen_from(self.folder, one) for one in error.problems)
            raise

    def load_or_open(self) -> Design:
        """The design in the file, or that of a folder OUT as it was planned.

        Raises InputError with all problems found.
        """
        from hlsmem.questions.opened_design import design_of

        return design_of(self.path, self.parameters, self.settings)

    def words(self) -> str:
        """Arguments for a shell that ask about the same design.

        >>> Request(path=Path("a b.c"), parameters={"N": 4}, settings=["plan.strict=true"]).words()
        "'a b.c' --param N=4 --set plan.strict=true"
        """
        options = [f"--param {name}={value}" for name, value in self.parameters.items()]
        options += [f"--set {shlex.quote(setting)}" for setting in self.settings]
        options += [f"--include {shlex.quote(str(folder))}" for folder in self.includes]
        return " ".join([shlex.quote(str(self.path)), *options])


def parameters_of(texts: Sequence[str]) -> dict[str, int]:
    """The values in texts NAME=INTEGER. Raises InputError with all that are none."""
    values: dict[str, int] = {}
    problems = []
    for text in texts:
        name, equals, value = text.partition("=")
        try:
            if not equals or not name.strip():
                raise ValueError(text)
            values[name.strip()] = int(value, 0)
        except ValueError:
            problems.append(
                Problem(f"--param {text}: not NAME=INTEGER", "write it like --param N=64")
            )
    if problems:
        raise InputError(*problems)
    return values
