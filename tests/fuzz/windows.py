"""Random filters with windows and line buffers that they shift by hand.

What is left of them reads the image itself; results are those of the original.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

from tests.fuzz.idioms import CHECKS, wrong_in

_TYPES = ("uint8_t", "int8_t", "int16_t", "int", "float")


def random_window(seed: int) -> str:
    """The text of a filter `f` over an image `in`.

    >>> "w[0][0] = w[0][1]" in random_window(1) or "w[i][j] = w[i][j + 1]" in random_window(1)
    True
    """
    return "#include <stdint.h>\n" + _function(seed, "void f")[0]


def kernel_text(seeds: Sequence[int]) -> str:
    """A kernel `top` that calls a filter for each seed."""
    functions, parameters, calls = [], [], []
    for seed in seeds:
        text, given = _function(seed, f"static void g_{seed}")
        functions.append(text)
        parameters += [one.replace("[", f"_{seed}[", 1) for one in given]
        calls.append(f"    g_{seed}(in_{seed}, out_{seed});")
    head = f"void top({', '.join(parameters)})"
    return "\n".join(["#include <stdint.h>", *functions, head, "{", *calls, "}", ""])


def _function(seed: int, head: str) -> tuple[str, tuple[str, str]]:
    """A filter, and its parameters, of 1 to 4 rows and 2 to 4 columns."""
    random = Random(seed)
    height, width = random.randint(5, 9), random.randint(6, 11)
    rows, columns = random.randint(1, 4), random.randint(2, 4)
    kind = random.choice(_TYPES)
    zero = random.random() < 0.5
    begin = " = {{0}}" if zero else ""
    storage = "static " if not zero and random.random() < 0.3 else ""
    named = random.random() < 0.5  # the newest element in a scalar
    px = "px" if named else "in[y][x]"
    moves = _moves(random, rows, columns)
    buffers = _buffers(random, rows, px)
    feed = [f"w[{k}][{columns - 1}] = lb[{k}][x];" for k in range(rows - 1)]
    feed.append(f"w[{rows - 1}][{columns - 1}] = {px};")
    body = [*moves, *(feed + buffers if rows > 1 else feed)]
    places = [(i, j) for i in range(rows) for j in range(columns)]
    chosen = random.sample(places, random.randint(1, min(6, len(places))))
    factors = [random.choice((1, 2, 3)) for _ in chosen]
    value = " + ".join(f"{f} * w[{i}][{j}]" for f, (i, j) in zip(factors, chosen, strict=True))
    store = f"out[y][x] = {value};"
    guards = [f"y >= {rows - 1}", f"x >= {columns - 1}"]
    wide = guards[1:] if zero and random.random() < 0.5 else guards
    lines = [f"if ({' && '.join(wide)})", f"    {store}"]
    if random.random() < 0.5:
        lines += ["else", "    out[y][x] = 0;"]
    pragma = ["#pragma HLS PIPELINE II=1"] if random.random() < 0.5 else []
    first = [f"{kind} px = in[y][x];"] if named else []
    declared = [f"    {storage}{kind} lb[{rows - 1}][{width}]{begin};"] if rows > 1 else []
    inner = "\n".join(f"            {line}" for line in [*first, *body, *lines])
    given = (f"const {kind} in[{height}][{width}]", f"int out[{height}][{width}]")
    text = "\n".join(
        [
            f"{head}({', '.join(given)}) {{",
            *declared,
            f"    {kind} w[{rows}][{columns}]{begin};",
            f"    for (int y = 0; y < {height}; y++)",
            f"        for (int x = 0; x < {width}; x++) {{",
            *pragma,
            inner,
            "        }",
            "}",
            "",
        ]
    )
    return text, given


def masked_window(seed: int) -> tuple[str, bool]:
    """The text of a filter over streams that computes each value and masks those of the border, and
    whether its mask hides all that a window holds before it is filled.

    >>> masked_window(1)[0].count("src.read()")
    1
    """
    random = Random(seed)
    height, width = random.randint(5, 8), random.randint(6, 9)
    rows, columns = random.randint(1, 3), random.randint(2, 4)
    kind = random.choice(("unsigned char", "short", "int"))
    first = {name: random.choice(("", "", " = {{0}}")) for name in ("lb", "w")}
    storage = "static " if not first["lb"] and random.random() < 0.5 else ""
    less = random.choice(((0, 0), (0, 0), (1, 0), (0, 1)))
    mask = (rows - 1 - less[0], columns - 1 - less[1])
    hides = not any(less) or mask == (rows - 1, columns - 1)
    feed = [f"w[{k}][{columns - 1}] = lb[{k}][x];" for k in range(rows - 1)]
    feed.append(f"w[{rows - 1}][{columns - 1}] = p;")
    body = [f"{kind} p = src.read();", *_moves(random, rows, columns)]
    body += [*feed, *(_buffers(random, rows, "p") if rows > 1 else [])]
    places = [(i, j) for i in range(rows) for j in range(columns)]
    chosen = random.sample(places, random.randint(1, len(places)))
    sums = " + ".join(f"{random.choice((1, 2, -3))} * w[{i}][{j}]" for i, j in chosen)
    body += [f"int s = {sums};", "int m = s < 0 ? -s : s;"]
    masked = f"y < {mask[0]} || x < {mask[1]}"
    body.append(f"dst.write(({masked}) ? 0 : m > 200 ? 200 : m);")
    lines = [f"    {storage}{kind} lb[{rows - 1}][W]{first['lb']};"] if rows > 1 else []
    return (
        "\n".join(
            [
                "#include <hls_stream.h>",
                f"#define H {height}",
                f"#define W {width}",
                f"void f(hls::stream<{kind}> &src, hls::stream<int> &dst) {{",
                *lines,
                f"    {kind} w[{rows}][{columns}]{first['w']};",
                "    for (int y = 0; y < H; y++)",
                "        for (int x = 0; x < W; x++) {",
                *(f"            {one}" for one in body),
                "        }",
                "}",
                "",
            ]
        ),
        hides,
    )


def _moves(random: Random, rows: int, columns: int) -> list[str]:
    """The columns of the window one place on, in loops or one by one."""
    if random.random() < 0.5:
        return [
            f"for (int i = 0; i < {rows}; i++)",
            f"    for (int j = 0; j < {columns - 1}; j++)",
            "        w[i][j] = w[i][j + 1];",
        ]
    order = list(range(rows))
    random.shuffle(order)
    return [f"w[{i}][{j}] = w[{i}][{j + 1}];" for i in order for j in range(columns - 1)]


def _buffers(random: Random, rows: int, px: str) -> list[str]:
    """A column of the line buffers one row on."""
    last = f"lb[{rows - 2}][x] = {px};"
    if random.random() < 0.5:
        return [
            f"for (int i = 0; i < {rows - 2}; i++)",
            "    lb[i][x] = lb[i + 1][x];",
            last,
        ]
    return [*(f"lb[{i}][x] = lb[{i + 1}][x];" for i in range(rows - 2)), last]


def wrong_in_windows(
    seeds: Sequence[int], folder: Path, checks: Sequence[str] = CHECKS
) -> tuple[bool, str]:
    """Whether the kernel of some seeds is read, and what is wrong with it; empty where nothing."""
    return wrong_in(kernel_text(seeds), folder / "windows.c", checks)
