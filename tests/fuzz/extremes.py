"""Kernels at the ends of what there can be: nothing runs, or a thousand million instances do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

from tests.fuzz.texts import Attempt

_LENGTHS = (10**5, 10**6, 4 * 10**6, 10**7, 10**8, 10**9)
_SIDES = (300, 640, 1000, 1080, 10**4, 10**5, 10**6)
_QUESTIONS = (
    ("explain",),
    ("explain", "--lifetimes"),
    ("what-if",),
    ("compare",),
    ("compare", "--classes"),
    ("vectors",),
    ("tiles",),
    ("network",),
    ("rank", "S0"),
    ("rank", "S0", "--parts", "3"),
    ("dataflow",),
)
_OF_A_PLAN = (("view",), ("explain",), ("check", "--only", "proof"))
_SETTINGS = (
    "order: iteration",
    "target: {device: ecp5-25k}",
    "plan: {slack: 1}",
    "plan: {schedules: tiled}",
    "plan: {schedules: any}",
    "plan: {objective: words}",
    "plan: {split: auto}",
    "schedule: auto",
    "host: {order: given}",
    "host: {objective: plan}",
)


def empty(seed: int, folder: Path) -> Iterator[Attempt]:
    """A kernel in which little runs, or nothing, and what is asked of it."""
    random = Random(f"{seed}.empty")
    sides = [random.choice([0, 0, 1, 2, 3]) for _ in range(random.choice([1, 1, 2]))]
    yield from _asked(random, sides, folder)


def large(seed: int, folder: Path) -> Iterator[Attempt]:
    """A kernel of many instances, and what is asked of it."""
    random = Random(f"{seed}.large")
    line = [random.choice(_LENGTHS) - random.choice([0, 0, 1])]
    plane = [random.choice(_SIDES), random.choice(_SIDES)]
    yield from _asked(random, random.choice([line, line, plane]), folder)


def _asked(random: Random, sides: list[int], folder: Path) -> Iterator[Attempt]:
    """A plan, another question, and one on the plan, each when those before are done."""
    source = folder / "top.c"
    source.write_text(_Kernel(random, sides).text())
    design = source
    if random.random() < 0.5:
        design = folder / "top.yaml"
        design.write_text(_settings(random))
    out = folder / "out"
    yield Attempt(folder, ("plan", str(design), "-o", str(out)))
    verb, *more = random.choice(_QUESTIONS)
    yield Attempt(folder, (verb, str(design), *more))
    if out.exists():
        verb, *more = random.choice(_OF_A_PLAN)
        yield Attempt(folder, (verb, str(out), *more))


def _settings(random: Random) -> str:
    lines = ["hlsmem: 1", "name: top", "kernel: {file: top.c, function: top}"]
    if random.random() < 0.6:
        lines.append("arrays: {in: {storage: stream}, out: {storage: stream}}")
    if random.random() < 0.6:
        lines.append(random.choice(_SETTINGS))
    return "\n".join(lines) + "\n"


class _Kernel:
    """Nests one after the other; each reads what the one before has written.

    `low` and `high` are the first and the last row (excluded) that the newest array has.
    """

    def __init__(self, random: Random, sides: list[int]) -> None:
        self.random = random
        self.extents = "".join(f"[{side or 1}]" for side in sides)
        self.columns = sides[1:]
        self.low, self.high = 0, sides[0]

    def text(self) -> str:
        stages = self.random.choice([1, 2, 2, 3])
        arrays = ["in", *(f"t{k}" for k in range(1, stages)), "out"]
        body = "".join(self._stage(source, target) for source, target in pairwise(arrays))
        declared = "".join(f"    int {one}{self.extents};\n" for one in arrays[1:-1])
        head = f"void top(const int in{self.extents}, int out{self.extents})"
        return f"{head}\n{{\n{declared}{body}}}\n"

    def _stage(self, source: str, target: str) -> str:
        own = _OF_PLANES if self.columns else _OF_LINES
        shapes = (_Kernel._late, _Kernel._late, _Kernel._tested, _Kernel._never, *own)
        text: str = self.random.choice(shapes)(self, source, target)
        return text

    def _rows(self, statement: str, bounds: str = "") -> str:
        """A statement in loops over the rows there are, and over all columns."""
        bounds = bounds or f"y = {self.low}; y < {self.high}; y++"
        columns = "".join(f"for (int x = 0; x < {side}; x++) " for side in self.columns)
        return f"    for (int {bounds}) {columns}{{\n        {statement}\n    }}\n"

    def _at(self, array: str, row: str) -> str:
        return f"{array}[{row}]" + ("[x]" if self.columns else "")

    def _late(self, source: str, target: str) -> str:
        late = self.random.choice([0, 1, 2, 7])
        self.low += late
        more = f" + {self._at(source, f'y - {late}')}" if late else " * 3"
        return self._rows(f"{self._at(target, 'y')} = {self._at(source, 'y')}{more};")

    def _tested(self, source: str, target: str) -> str:
        limit = self.random.choice([self.low - 1, (self.low + self.high) // 2, self.high])
        read, written = self._at(source, "y"), self._at(target, "y")
        test = self.random.choice([f"y > {limit}", f"{read} > 3", "0"])
        if self.random.random() < 0.5:
            return self._rows(f"{written} = {test} ? {read} : 1;")
        return self._rows(f"if ({test}) {written} = {read} - 1; else {written} = 2;")

    def _never(self, source: str, target: str) -> str:
        """A loop that never runs in front of one that does."""
        first, last = self.high, self.low
        choices = (f"y = {first}; y < {last}; y++", f"y = 0; y > {first}; y++", "y = 0; y < 0; y++")
        statement = f"{self._at(target, 'y')} = {self._at(source, 'y')};"
        never = self._rows(statement, self.random.choice(choices))
        return never + self._late(source, target)

    def _reversed(self, source: str, target: str) -> str:
        return self._rows(f"{target}[y] = {source}[{self.low + self.high - 1} - y];")

    def _strided(self, source: str, target: str) -> str:
        step = self.random.choice([2, 3, 10])
        self.low, self.high = -(-self.low // step), (self.high + step - 1) // step
        return self._rows(f"{target}[y] = {source}[{step} * y];")

    def _permuted(self, source: str, target: str) -> str:
        """A block written by columns and read by rows."""
        rows, first = self.random.choice([2, 8, 32, 1000]), self.low
        columns = max(0, self.high - first) // rows
        self.high = first + rows * columns
        statement = f"{target}[{columns} * j + k + {first}] = {source}[{rows} * k + j + {first}];"
        loops = f"for (int k = 0; k < {columns}; k++) for (int j = 0; j < {rows}; j++)"
        return f"    {loops}\n        {statement}\n"

    def _summed(self, source: str, target: str) -> str:
        sums = self._rows(f"s{target} += {source}[y];")
        return f"    int s{target} = 0;\n{sums}" + self._rows(
            f"{target}[y] = {source}[y] - s{target};"
        )

    def _window(self, source: str, target: str) -> str:
        self.low += 1
        return self._rows(f"{target}[y][x] = {source}[y][x] + {source}[y - 1][x > 0 ? x - 1 : 0];")

    def _triangle(self, source: str, target: str) -> str:
        return self._rows(f"{target}[y][x] = x <= y ? {source}[y][x] : 0;")


_OF_LINES = (_Kernel._reversed, _Kernel._strided, _Kernel._permuted, _Kernel._summed)
_OF_PLANES = (_Kernel._window, _Kernel._triangle)
