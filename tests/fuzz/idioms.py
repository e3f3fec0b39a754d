"""Random kernels in the idioms that the normal form takes: as read, they do what they did.

Stages hand a picture on, each written in one of many ways: functions, row pointers, running
indices, `while`, `do`, `continue`, `break`, data that decide, state. No stage reads what no stage
before it has written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from hlsmem.check import run_checks
from hlsmem.core.errors import InputError
from hlsmem.core.verdict import Status
from hlsmem.emit.output_folder import write_folder
from tests.plans import plan_storage, whole_files
from tests.steps import load

CHECKS = ("reading", "proof", "replay", "host")


def kernel_text(seeds: Sequence[int]) -> str:
    """A kernel `f` that runs the programs of some seeds one after the other, on their own arrays.

    One plan, one compile and one run then judge them all.

    >>> "void f(pixel_1 in_1[H_1][W_1], pixel_1 out_1[H_1][W_1])" in kernel_text([1])
    True
    """
    arrays = [f"pixel_{k} {name}_{k}[H_{k}][W_{k}]" for k in seeds for name in ("in", "out")]
    lines = ["#include <string.h>", *map(program_text, seeds), f"void f({', '.join(arrays)})", "{"]
    return "\n".join([*lines, *(f"    g_{k}(in_{k}, out_{k});" for k in seeds), "}", ""])


def program_text(seed: int) -> str:
    """A function `g_SEED` over pictures of H_SEED rows and W_SEED columns, and what it calls."""
    random = Random(seed)
    h, w = random.randint(3, 7), random.randint(3, 8)
    kind = random.choice(["int", "short", "unsigned char"])
    helpers: list[str] = []
    body: list[str] = []
    count = random.randint(1, 3)
    pictures = ["in", *(f"t{k}" for k in range(count))]
    for position, (source, target) in enumerate(pairwise(pictures)):
        stage = random.choice(STAGES)
        helper, lines = stage(random, source, target, position)
        helpers += helper
        body += lines
    helper, lines = random.choice(LAST)(random, pictures[-1])
    helpers += helper
    body += lines
    declared = [f"    {kind} t{k}[H][W];" for k in range(count)]
    text = "\n".join(
        [
            f"#define H {h}",
            f"#define W {w}",
            f"typedef {kind} pixel;",
            *helpers,
            "static void g(pixel in[H][W], pixel out[H][W])",
            "{",
            *declared,
            *body,
            "}",
            "",
        ]
    )
    return re.sub(r"\b(H|W|pixel|g|within|row\d|kept\d)\b", rf"\1_{seed}", text)


Stage = Callable[[Random, str, str, int], tuple[list[str], list[str]]]
Last = Callable[[Random, str], tuple[list[str], list[str]]]


def _value(random: Random, place: str) -> str:
    return random.choice([f"{place} / 3", f"{place} ^ 5", f"{place} + y", f"{place} - 2 * x"])


def _plain(random: Random, source: str, target: str, _: int) -> tuple[list[str], list[str]]:
    place = f"{source}[y][x]"
    return [], [
        "    for (int y = 0; y < H; y++)",
        "        for (int x = 0; x < W; x++)",
        f"            {target}[y][x] = {_value(random, place)};",
    ]


def _row_pointers(random: Random, source: str, target: str, _: int) -> tuple[list[str], list[str]]:
    step = random.choice(["to[x] = from[x] - y;", "*(to + x) = from[x] / 2 + x;"])
    return [], [
        "    for (int y = 0; y < H; y++) {",
        f"        pixel *to = {target}[y], *from = &{source}[y][0];",
        f"        for (int x = 0; x < W; x++) {step}",
        "    }",
    ]


def _function(random: Random, source: str, target: str, k: int) -> tuple[list[str], list[str]]:
    turned = random.choice(["W - 1 - x", "x"])
    return [
        f"static void row{k}(const pixel *a, pixel *b, int y)",
        "{",
        f"    for (int x = 0; x < W; x++) b[{turned}] = {_value(random, 'a[x]')};",
        "}",
    ], [f"    for (int y = 0; y < H; y++) row{k}({source}[y], {target}[y], y);"]


def _loops(random: Random, source: str, target: str, _: int) -> tuple[list[str], list[str]]:
    columns = random.choice(
        [
            ["int x = W;", f"while (x-- > 0) {target}[y][x] = {source}[y][x] + x;"],
            ["int x = 0;", f"do {{ {target}[y][x] = {source}[y][x] - 1; x++; }} while (x < W);"],
            [
                "int x, z;",
                f"for (x = 0, z = W - 1; x < W; x++, z--) {target}[y][x] = {source}[y][z];",
            ],
        ]
    )
    return [], ["    for (int y = H - 1; y >= 0; y--) {", *columns, "    }"]


def _copied(random: Random, source: str, target: str, _: int) -> tuple[list[str], list[str]]:
    if random.random() < 0.5:
        return [], [f"    memcpy({target}, {source}, sizeof {target});"]
    return [], [
        f"    for (int y = 0; y < H; y++) memcpy({target}[y], {source}[y], sizeof {target}[y]);"
    ]


def _cases(random: Random, source: str, target: str, _: int) -> tuple[list[str], list[str]]:
    jump = random.choice(["continue;", "break;"])
    last = "x == W - 1" if jump == "break;" else f"(x + y) % {random.randint(2, 3)} == 0"
    return [], [
        "    for (int y = 0; y < H; y++)",
        "        for (int x = 0; x < W; x++) {",
        f"            {target}[y][x] = {source}[y][x];",
        f"            if ({last}) {jump}",
        f"            {target}[y][x] += {random.randint(1, 9)};",
        f"            switch (x % 3) {{ case 0: {target}[y][x] -= y; break;",
        f"            case 1: {target}[y][x] ^= 3; break; default: break; }}",
        "        }",
    ]


def _decided(random: Random, source: str, target: str, _: int) -> tuple[list[str], list[str]]:
    inner = random.choice(
        [
            f"if (v > 9) {{ {target}[y][x] = 9; v = v / 2; }}",
            f"if (v < 0) {target}[y][x] = -v; else {target}[y][x] = v / 2;",
            f"for (int i = 0; i < 3; i++) {{ if (v < 20) break; v = v / 2; }} {target}[y][x] = v;",
            f"v = v & 63;\n#pragma hlsmem trips(9)\nwhile (v > 6) v -= 7;\n{target}[y][x] = v;",
        ]
    )
    return [], [
        "    for (int y = 0; y < H; y++)",
        "        for (int x = 0; x < W; x++) {",
        f"            int v = {source}[y][x];",
        f"            {target}[y][x] = 1;",
        f"            {inner}",
        "        }",
    ]


def _kept(random: Random, source: str, target: str, k: int) -> tuple[list[str], list[str]]:
    first = random.choice(["", " = {1, 2}"])
    place = random.choice([f"kept{k}[x]", f"kept{k}[W - 1 - x]"])
    return [], [
        f"    static short kept{k}[W]{first};",
        "    for (int y = 0; y < H; y++)",
        "        for (int x = 0; x < W; x++) {",
        f"            {target}[y][x] = {source}[y][x] + {place};",
        f"            kept{k}[x] = {source}[y][x];",
        "        }",
    ]


STAGES: list[Stage] = [
    _plain,
    _row_pointers,
    _function,
    _loops,
    _copied,
    _cases,
    _decided,
    _kept,
]


def _clamped(random: Random, source: str) -> tuple[list[str], list[str]]:
    dy, dx = random.randint(-2, 2), random.randint(-1, 1)
    return [
        "static int within(int v, int high)",
        "{ if (v < 0) return 0; if (v > high) return high; return v; }",
    ], [
        "    for (int y = 0; y < H; y++)",
        "        for (int x = 0; x < W; x++) {",
        f"            int row = within(y + {dy}, H - 1), column = within(x + {dx}, W - 1);",
        f"            out[y][x] = {source}[row][column] + {source}[y][x];",
        "        }",
    ]


def _running(random: Random, source: str) -> tuple[list[str], list[str]]:
    return [], [
        "    int n = 0;",
        "    for (int y = 0; y < H; y++)",
        "        for (int x = 0; x < W; x++) {",
        f"            out[n / W][n % W] = {source}[y][x] - {source}[n / W][x];",
        random.choice(["            n++;", "            n += 1;"]),
        "        }",
    ]


def _looked_up(random: Random, source: str) -> tuple[list[str], list[str]]:
    mask = random.choice(["& 3", "% 4"])
    return [], [
        "    int count[7] = {0};",
        "    for (int y = 0; y < H; y++)",
        "        for (int x = 0; x < W; x++)",
        f"            count[({source}[y][x] & 15) {mask}]++;",
        "    for (int y = 0; y < H; y++)",
        "        for (int x = 0; x < W; x++) {",
        "            if (x > 2 && y == 1) continue;",
        f"            out[y][x] = count[x & 3] + {source}[y][x];",
        "        }",
    ]


LAST: list[Last] = [_clamped, _running, _looked_up]


def wrong_in_idioms(
    seeds: Sequence[int], folder: Path, checks: Sequence[str] = CHECKS
) -> tuple[bool, str]:
    """Whether the kernel of some seeds is read, and what is wrong with it; empty where nothing."""
    return wrong_in(kernel_text(seeds), folder / "idioms.c", checks)


# Many kernels are one here, each with macros of its own; storage alone has no streams that skip.
_SETTINGS = ("kernel.macros=numbers", "plan.control=predicate")


def wrong_in(text: str, file: Path, checks: Sequence[str]) -> tuple[bool, str]:
    """The same of a text that is written to a file."""
    file.write_text(text)
    out = file.parent / "out"
    try:
        planning = plan_storage(load(file, settings=_SETTINGS))
    except InputError as error:
        return False, "" if all(one.remedy for one in error.problems) else str(error)
    write_folder(out, whole_files(planning))
    verdicts = run_checks(out, only=checks).verdicts
    wrong = [one for one in verdicts if one.status is Status.FAIL]
    return True, "; ".join(f"{one.check}: {one.detail}" for one in wrong)
