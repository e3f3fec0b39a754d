"""Random iterations of pipelined loops: scalars and small arrays that are set, summed, chosen,
exchanged and used, at borders and under conditions, and loops.

What stays of them differs from program to program; results are those of the original.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.fuzz.idioms import CHECKS, wrong_in

# No float becomes a number of a type that may not hold it: C leaves that open.
_TYPES = (("int", "short", "unsigned char", "unsigned", "long long"), ("int", "float", "long long"))
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
    types = random.choice(_TYPES)
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
    lines += [f"            {random.choice(types)} {name} = a[y][x] - 3;" for name in names]
    if random.random() < 0.4:
        lines += [
            f"            {random.choice(types)} p[3];",
            "            p[0] = a[y][x + 1];",
            "            for (int k = 1; k < 3; k++)",
            f"                p[k] = {random.choice(['q[y][x + k]', 'a[y][k]', 'p[k - 1] + 1'])};",
        ]
        names += ["p[0]", "p[1]", "p[2]"]
    for _ in range(random.randint(3, 8)):
        lines += [f"            {one}" for one in _statement(random, names)]
    last = f"b[y][x] = {_sum(random, names)};"
    if random.random() < 0.3:
        last = f"if ({random.choice(['y > 1 && x > 2', 'x < 6'])}) {last}"
    lines += [f"            {last}", "        }"]
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
    match random.randrange(13):
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
        case 7 if len(names) > 1:
            other = random.choice([one for one in names if one != own])  # gcc warns of p > p
            return [
                f"if ({own} > {other}) {{",
                f"    int w = {own};",
                f"    {own} = {other};",
                f"    {other} = w;",
                "}",
            ]
        case 8:
            test = random.choice(["x > 3", "x > 3 && y < 4", "!(x <= 4)", "y > 1"])
            return [
                f"if ({test})",
                f"    {own} = {random.choice(['a[y][x - 1]', 'a[y - (y > 1)][x]', '7'])};",
                "else",
                f"    {own} {random.choice(['=', '+='])} {_operand(random, names)};",
            ]
        case 9:
            test = random.choice([f"{own} > 3", "x > 2", f"{_sum(random, names)} < 40"])
            return [
                f"if ({test}) {{",
                f"    {own}{random.choice(['++', '--'])};",
                f"    b[y][x] = {_sum(random, names)};",
                f"    {random.choice(names)} = {_operand(random, names)};",
                "}",
            ]
        case 10:
            return [f"b[y][{random.choice(['x', '7', 'x + 1'])}] = {_sum(random, names)};"]
        case 11:
            return [f"{own} = x > 4 ? a[y][x - 3] : {_operand(random, names)};"]
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
