"""The kernels of examples and tests, each with the options it is planned with."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hlsmem.program.model import Kernel, Program
from hlsmem.program.options import Design
from tests.steps import load

ROOT = Path(__file__).resolve().parents[3]
_PLACES = (
    "examples/*/*.yaml",
    "tests/designs/*.yaml",
    "tests/read/designs/*.yaml",
    "tests/read/c/constructs/*.c",
    "tests/read/c/idioms/*.c",
    "tests/read/c/normal/*.c",
    "tests/read/c/cxx/kernels/*.cpp",
)


@dataclass(frozen=True, slots=True)
class Case:
    """A file that is planned, and what its first lines say of that."""

    file: Path
    words: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"{self.file.parent.name}-{self.file.stem}"

    def design(self) -> Design:
        return _design(self)

    def kernel(self) -> Kernel:
        program = self.design().input
        assert isinstance(program, Program)
        assert program.kernel is not None
        return program.kernel

    def originals(self) -> list[Path]:
        """The user's files."""
        kernel = self.kernel()
        return [self.file.parent / one for one in (kernel.file, *kernel.others)]


@cache
def _design(case: Case) -> Design:
    given = list(zip(case.words[::2], case.words[1::2], strict=True))
    numbers = dict(value.split("=") for option, value in given if option == "--param")
    settings = [value for option, value in given if option == "--set"]
    values = {name: int(value) for name, value in numbers.items()}
    return load(case.file, parameters=values, settings=settings)


def cases() -> list[Case]:
    """All of them; designs of networks and of conflict sets have no C."""
    found = []
    for file in sorted(one for source_location in _PLACES for one in ROOT.glob(source_location)):
        text = file.read_text()
        if file.suffix == ".yaml" and "\nkernel:" not in text:
            continue
        stated = next((line for line in text.splitlines() if line.startswith("// plan:")), "")
        found.append(Case(file, tuple(shlex.split(stated.removeprefix("// plan:")))))
    return found
