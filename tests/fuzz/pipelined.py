"""Random iterations of pipelined loops: scalars that are set, summed, chosen and used, and loops.

What stays of the scalars differs from program to program; results are those of the original.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.fuzz.idioms import CHECKS, wrong_in

_TYPES = ("int", "short", "unsigned char", "unsigned", "float", "long long")
_NAMES = ("s", "t", "u", "v")


def kernel_text(seeds: Sequence[int]) -> str:
    """A kernel `top` with two parameters for each seed.

    >>> "#pragma HLS PIPELINE" in kernel_text([1])
    True
    """
    functions = [_function(seed) for seed in seeds]
    parameters = ", ".join(f"const unsigned char a_{k}[5][9], int b_{k}[5][9]" for k in seeds)
    calls = [f"    g_{k}(a_{k}, b_{k});" for k in seeds]
    return "\n".join([*functions, f"void top({parameters})", "{", *calls, "}", ""])


def _function(seed: int) -> str:
    random = Random(seed)
    names = list(_NAMES[: random.randint(1, 4)])
    lines = [
        f"static void g_{seed}(const unsigned char a[5][9], int b[5][9])",
        "{",
        "    int q[5][9];",
        "    for (int y = 0; y < 5; y++)",
        "        for (int x = 0; x < 9; x++) {",
        "            q[y][x] = a[y][x] + y;",
        "        }",
        "    for (int y = 0; y < 5; y++)",
        "        for (int x = 1; x < 7; x++) {",
        "#pragma HLS PIPELINE",
    ]
    lines += [f"            {random.choice(_TYPES)} {name} = a[y][x] - 3;" for name in names]
    for _ in range(random.randint(3, 8)):
        lines += [f"            {one}" for one in _statement(random, names)]
    lines += [f"            b[y][x] = {_sum(random, names)};", "        }"]
    lines += [
        "    for (int y = 0; y < 5; y++) {",
        "        b[y][0] = q[y][0];",
        "        b[y][7] = q[y][7];",
        "        b[y][8] = q[y][3];",
        "    }",
        "}",
    ]
    return "\n".join(lines)


def _statement(random: Random, names: Sequence[str]) -> list[str]:
    own = random.choice(names)
    match random.randrange(8):
        case 0 | 1:
            return [f"{own} = {_sum(random, names)};"]
        case 2:
            return [f"{own} {random.choice(['+=', '-='])} {_operand(random, names)};"]
        case 3 | 4:
            return [
                f"for (int k = 0; k < {random.randint(1, 3)}; k++)",
                f"    {own} += {random.choice(['a[y][x + k]', 'q[y][x - 1 + k] * k', 'k'])};",
            ]
        case 5:
            return [f"if (x > {random.randint(1, 5)}) {own} = {_sum(random, names)};"]
        case 6:
            return [
                f"if (y > {random.randint(0, 3)}) {{",
                f"    int w = {_operand(random, names)};",
                f"    q[y][x] = {_operand(random, names)} + w;",
                "}",
            ]
    return [f"q[y][x{random.choice(['', ' - 1', ' + 1'])}] = {_sum(random, names)};"]


def _sum(random: Random, names: Sequence[str]) -> str:
    return f"{_operand(random, names)} {random.choice('+-')} {_operand(random, names)}"


def _operand(random: Random, names: Sequence[str]) -> str:
    if random.random() < 0.15:
        one, other = random.choice(names), random.choice(names)
        return f"({random.choice(['x > 2', f'{one} > 1', 'y < 3 && x > 1'])} ? {one} : {other})"
    return random.choice([*names, *names, "a[y][x + 1]", "q[y][x]", str(random.randint(0, 9))])


def wrong_in_pipelined(
    seeds: Sequence[int], folder: Path, checks: Sequence[str] = CHECKS
) -> tuple[bool, str]:
    """Whether the kernel of some seeds is read, and what is wrong with it; empty where nothing."""
    return wrong_in(kernel_text(seeds), folder / "pipelined.c", checks)
