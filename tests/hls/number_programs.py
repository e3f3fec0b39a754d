"""The program of `numbers.cpp` for sets of types, and what it is given."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.hls.numbers import OVERFLOWS, ROUNDINGS, Kind, Number, drawn

PROGRAM = Path(__file__).with_name("numbers.cpp")


@dataclass(frozen=True)
class Set:
    """Two operands' types and the type that results are assigned to."""

    a: Kind
    b: Kind
    t: Kind
    only_modes: bool = False

    @property
    def text(self) -> str:
        types = ", ".join(one.text for one in (self.a, self.b, self.t))
        if self.only_modes:
            return f"only_modes<{types}>"
        which = 2 * self.a.algorithmic + (self.a.places is not None)
        return f"both<{types}, {which}>"


@dataclass(frozen=True)
class Line:
    """What the program is given for one evaluation."""

    which: int
    a: Number
    b: Number
    shift: int
    high: int
    low: int
    n: int
    d: float

    @property
    def text(self) -> str:
        a, b = self.a.unsigned, self.b.unsigned
        rest = f"{self.shift} {self.high} {self.low} {self.n} {self.d.hex()}"
        return f"{self.which} {a:x} {b:x} {rest}"


def fixed(random_: random.Random, t: bool, algorithmic: bool, bits: int) -> Kind:
    """A type of fixed point, with the point in it or a little outside; modes where it is a T."""
    places = random_.randint(-2, bits + 2)
    rounding = random_.choice(ROUNDINGS) if t else "TRN"
    overflow = random_.choice(OVERFLOWS) if t else "WRAP"
    return Kind(bits, random_.random() < 0.6, places, rounding, overflow, algorithmic)


def drawn_sets(seed: int, count: int, *, widest: int = 64) -> list[Set]:
    """Sets of integers and of fixed point, of AMD's classes and of Algorithmic C's."""
    random_ = random.Random(seed)
    found = []
    for position in range(count):
        algorithmic = position % 4 >= 2

        def integer(_: bool, algorithmic: bool = algorithmic) -> Kind:
            bits = random_.choice([8, 16, 32, 64, random_.randint(4, 64), widest])
            return Kind(bits, random_.random() < 0.6, algorithmic=algorithmic)

        def point(t: bool, algorithmic: bool = algorithmic) -> Kind:
            return fixed(random_, t, algorithmic, random_.randint(4, 40))

        make = point if position % 2 else integer
        found.append(Set(make(False), make(False), make(True)))
    return found


def mode_sets(seed: int) -> list[Set]:
    """A set for each rounding and each overflow."""
    random_ = random.Random(seed)
    a = Kind(random_.randint(9, 14), True, random_.randint(6, 8))
    b = Kind(random_.randint(4, 8), random_.random() < 0.5)
    return [
        Set(
            a,
            b,
            Kind(random_.randint(4, 9), random_.random() < 0.7, a.point - cut, rounding, overflow),
            only_modes=True,
        )
        for cut, rounding in enumerate(ROUNDINGS)
        for overflow in OVERFLOWS
    ]


def drawn_lines(seed: int, sets: Sequence[Set], each: int) -> list[Line]:
    """Operands of all sets."""
    random_ = random.Random(seed)
    found = []
    for which, one in enumerate(sets):
        for _ in range(each):
            low, high = sorted(random_.randrange(one.a.bits) for _ in "hl")
            step = 2.0 ** -random_.randint(0, 12)
            ends = [1 << random_.randrange(1, 31) for _ in "+-"]
            found.append(
                Line(
                    which,
                    drawn(random_, one.a),
                    drawn(random_, one.b),
                    random_.randint(0, min(one.a.bits, one.t.bits, 31)),
                    high,
                    low,
                    random_.randint(-ends[0], ends[1]),
                    random_.randint(-4000, 4000) * step,
                )
            )
    return found


def built(folder: Path, sets: Sequence[Set], command: Sequence[str]) -> Path:
    """The program for sets of types."""
    (folder / "sets.h").write_text(f"#define SETS {', '.join(one.text for one in sets)}\n")
    made = [*command, "-w", "-include", "sets.h", str(PROGRAM), "-o", "numbers"]
    subprocess.run(made, cwd=folder, check=True)
    return folder / "numbers"


def printed(program: Path, lines: Sequence[Line]) -> tuple[str, list[list[str]]]:
    """The sizes that the program prints, and what it prints for each line."""
    text = "\n".join(one.text for one in lines)
    out = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
    sizes, _, rest = out.partition("\n")
    blocks = [one.splitlines() for one in rest.split("=\n")[:-1]]
    assert len(blocks) == len(lines)
    return sizes, blocks
