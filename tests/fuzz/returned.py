"""Random kernels of nests over images, their text as it comes back, and what both compute."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from hlsmem.core.errors import InputError, LimitError
from hlsmem.plan import to_json
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.planner.source_planning import ReturnedSource
from hlsmem_verify import joined, proof_of
from tests.steps import load

_TYPES = ("int", "short", "unsigned char", "pixel")
_SIZES = ((9, 11), (12, 8), (10, 10))


class _Kernel:
    """The text of a kernel: stages that each write an array from windows of earlier ones."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.lines: list[str] = []
        self.step = self.draw.choice(("    ", "  ", "\t"))
        height, width = self.draw.choice(_SIZES)
        self.head = [f"#define H {height}", f"#define W {width}", "typedef unsigned short pixel;"]

    def text(self) -> str:
        draw, stages = self.draw, self.draw.randint(1, 4)
        self.sources: list[tuple[str, int, int, int, int]] = [("in", 0, 0, 0, 0)]
        kinds = [draw.choice(_TYPES) for _ in range(stages)]
        names = [f"t{k}" for k in range(stages)]
        if draw.random() < 0.3 and len(set(kinds)) == 1 and stages > 1:
            declared = ", ".join(f"{name}[H][W]" for name in names)
            self.lines.append(f"{self.step}{kinds[0]} {declared};")
        else:
            for name, kind in zip(names, kinds, strict=True):
                self.lines.append(f"{self.step}{kind} {name}[H][W];")
        for number, name in enumerate(names):
            self._nest(name, number)
        self._nest("out", stages)
        parameters = "const int in[H][W], int out[H][W]"
        lines = [*self.head, f"void k({parameters})", "{", *self.lines, "}"]
        return "\n".join(lines) + "\n"

    def _nest(self, name: str, number: int) -> None:
        draw, step = self.draw, self.step
        last = self.sources[-1]
        chosen = [last, *draw.sample(self.sources, min(len(self.sources), draw.randint(0, 1)))]
        dy, dx = draw.randint(0, 2), draw.randint(0, 2)
        taps = draw.sample(
            [(y, x) for y in range(dy + 1) for x in range(dx + 1)],
            draw.randint(1, min(4, (dy + 1) * (dx + 1))),
        )
        top = max(one[1] for one in chosen)
        bottom = max(one[2] for one in chosen)
        left = max(one[3] for one in chosen)
        right = max(one[4] for one in chosen)
        up, side = draw.choice((0, dy)), draw.choice((0, dx))
        bounds = (top + up, bottom + dy - up, left + side, right + dx - side)
        y, x = draw.choice((("y", "x"), ("i", "j"), ("r", "c")))
        terms = [
            f"{draw.randint(1, 3)} * {one[0]}[{_plus(y, v - up)}][{_plus(x, u - side)}]"
            for one in chosen
            for v, u in taps
        ]
        shift = f" + {y}" if draw.random() < 0.2 else ""
        assigned = f"{name}[{y}][{x}] = ({' + '.join(terms)}{shift}) >> {draw.randint(0, 2)};"
        if draw.random() < 0.3:
            self.lines.append(f"{step}// stage {number}")
        condition, upper = draw.choice((("<", 0), ("<=", 1)))
        heads = [
            f"for (int {v} = {low}; {v} {condition} {size} - {high + upper}; {v}++)"
            for v, low, high, size in (
                (y, bounds[0], bounds[1], "H"),
                (x, bounds[2], bounds[3], "W"),
            )
        ]
        match draw.randint(0, 5):
            case 0:
                self.lines += [
                    f"{step}{heads[0]}",
                    f"{2 * step}{heads[1]}",
                    f"{3 * step}{assigned}",
                ]
            case 1:
                self.lines += [f"{step}{heads[0]} {{", f"{2 * step}{heads[1]} {{"]
                self.lines += ["#pragma HLS PIPELINE II=1"] if draw.random() < 0.5 else []
                self.lines += [f"{3 * step}{assigned}", f"{2 * step}}}", f"{step}}}"]
            case 2:
                self.lines += [f"{step}{heads[0]}", f"{2 * step}{heads[1]} {{"]
                self.lines += [f"{3 * step}int v = {assigned.partition('= ')[2]}"]
                self.lines += [f"{3 * step}{name}[{y}][{x}] = v; // as it is", f"{2 * step}}}"]
            case 3 | 4:
                self.lines += [f"{step}{heads[0]} {{", f"{2 * step}{heads[1]} {{"]
                body = self._loops(chosen, (y, x), (dy, dx), (up, side), name)
                self.lines += [*(3 * step + one for one in body), f"{2 * step}}}", f"{step}}}"]
            case _:
                self.lines += [f"{step}{heads[0]} {heads[1]} {assigned}"]
        self.sources.append((name, *bounds))

    def _loops(
        self,
        chosen: Sequence[tuple[str, int, int, int, int]],
        at: tuple[str, str],
        size: tuple[int, int],
        before: tuple[int, int],
        name: str,
    ) -> list[str]:
        """A body that sums windows of arrays in loops of its own: over rows and columns, or over
        columns alone."""
        draw, ((y, x), (dy, dx), (up, side)) = self.draw, (at, size, before)
        row, column = draw.choice((("v", "u"), ("a", "b")))
        is_of_rows = draw.random() < 0.7
        fixed = draw.randint(0, dy) - up
        columns = f"[{_plus(f'{x} + {column}', -side)}]"
        rows = f"[{_plus(f'{y} + {row}', -up) if is_of_rows else _plus(y, fixed)}]"
        weight = draw.choice(("", f"({column} + 1) * ", f"({column} + 2) * ", "3 * "))
        terms = " + ".join(f"{weight}{one[0]}{rows}{columns}" for one in chosen)
        heads = [f"for (int {column} = 0; {column} <= {dx}; {column}++)"]
        if is_of_rows:
            heads.insert(0, f"for (int {row} = 0; {row} < {dy + 1}; {row}++)")
        inner = [self.step * k + one for k, one in enumerate(heads)]
        inner.append(f"{self.step * len(heads)}sum += {terms};")
        assigned = f"{name}[{y}][{x}] = sum >> {draw.randint(0, 3)};"
        return ["int sum = 0;", *inner, assigned]


def _plus(name: str, more: int) -> str:
    return name if not more else f"{name} {'-' if more < 0 else '+'} {abs(more)}"


def kernel_text(seed: int) -> str:
    """A kernel `k` of images `in` and `out`, of so many rows H and columns W."""
    return _Kernel(seed).text()


def planning_of(text: str, folder: Path) -> Planning | None:
    """The planning of a kernel; None where it is refused."""
    (folder / "k.c").write_bytes(text.encode())
    try:
        return plan_design(load(folder / "k.c"))
    except (InputError, LimitError):
        return None


def returned(text: str, folder: Path) -> ReturnedSource | None:
    """The text as it comes back; None where the kernel is refused."""
    planning = planning_of(text, folder)
    return None if planning is None else planning.returned


def unproved(planning: Planning) -> Iterator[str]:
    """What `hlsmem-verify` does not prove of the text that comes back."""
    found = proof_of(json.loads(to_json(planning.plan)))
    every = [*found.faults, *found.open.items()]
    yield from (f"{joined(path)}: {why}" for path, why in every if "source" in path)


_MAIN = """
#include <stdio.h>
static int in[H][W], one[H][W], other[H][W];
int main(void) {
    for (unsigned seed = 1; seed < 4; seed++) {
        unsigned s = seed * 7919u;
        for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) {
            s = s * 1664525u + 1013904223u;
            in[y][x] = (int)(s >> 20) - 2048;
        }
        k(in, one); returned_k(in, other);
        for (int y = 0; y < H; y++) for (int x = 0; x < W; x++)
            if (one[y][x] != other[y][x]) { printf("%u: out[%d][%d]\\n", seed, y, x); return 1; }
    }
    return 0;
}
"""


def difference(text: str, changed: str, folder: Path) -> str:
    """The first element that the two texts leave differently, or what a compiler says; else ""."""
    body = re.sub(r"(?m)^#define.*\n|^typedef.*\n", "", changed)
    whole = text + body.replace("void k(", "void returned_k(", 1) + _MAIN
    (folder / "both.c").write_text(whole)
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas"]
    # Sums of random weights may wrap: they do so in both texts alike.
    flags += ["-fsanitize=undefined", "-fno-sanitize=signed-integer-overflow", "-fwrapv"]
    flags += ["-fno-sanitize-recover"]
    built = subprocess.run(
        ["gcc", *flags, "both.c", "-o", "both"], cwd=folder, capture_output=True, text=True
    )
    if built.returncode:
        return built.stderr
    ran = subprocess.run(["./both"], cwd=folder, capture_output=True, text=True)
    return ran.stdout + ran.stderr


def wrong_in_returned(seed: int, folder: Path) -> Iterator[str]:
    """What is wrong with a random kernel's text as it comes back."""
    text = kernel_text(seed)
    planning = planning_of(text, folder)
    if planning is not None and "k.c" in planning.returned.files:
        changed = planning.returned.files["k.c"]
        other = difference(text, changed, folder) or next(unproved(planning), "")
        if other:
            yield f"{text}\n{changed}\n{other}"
