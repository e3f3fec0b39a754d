"""Random kernels over images, and a run of their generated C beside the original at any sizes."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from hlsmem.plan import Plan
from hlsmem.program.options import Design
from tests.emit.c.running import emitted

SIZES = ((7, 6), (11, 9), (17, 40))
"""Values of N and M: the least of the context, the plan's, and one with longer rows."""

_TYPES = ("int", "short", "long", "float", "double")


def kernel(seed: int) -> str:
    """Stages of a pipeline, fused into nests at random, over arrays of N rows of M elements.

    Loops run over rows or columns first; a stage may read along a row, along a column, or a
    mirrored row, which moves backwards.
    """
    number = random.Random(seed)
    stages = number.randint(2, 4)
    loops = ["    for (int y = 0; y < N; y++)", "        for (int x = 0; x < M; x++) {"]
    if number.random() < 0.3:
        loops = ["    for (int x = 0; x < M; x++)", "        for (int y = 0; y < N; y++) {"]
    types = [number.choice(_TYPES) for _ in range(stages - 1)]
    lines = list(loops)
    low, own_nest = [(0, 0)], True
    for stage in range(stages):
        target = "out" if stage == stages - 1 else f"t{stage}"
        source = "in" if stage == 0 else f"t{stage - 1}"
        taps = [(number.randint(0, 2), number.randint(0, 2)) for _ in range(number.randint(1, 3))]
        start = (low[-1][0] + max(y for y, _ in taps), low[-1][1] + max(x for _, x in taps))
        mirrored = own_nest and stage and start[1] == low[-1][1] == 0 and number.random() < 0.5
        column = "M - 1 - x" if mirrored else "x"
        terms = [f"{source}[y - {dy}][{column} - {dx}]" for dy, dx in taps]
        if stage > 1 and number.random() < 0.5:
            terms.append(f"t{stage - 2}[y][x]")
        value = f" {number.choice(['+', '-'])} ".join(terms)
        value = number.choice([f"{value} + y", f"2 * ({value})", f"{value} - (x - 1)", value])
        guard = f"if (y >= {start[0]} && x >= {start[1]})"
        lines.append(f"            {guard} {target}[y][x] = {value};")
        if number.random() < 0.3 and target != "out":
            lines.append(f"            {guard} {target}[y][x] += {source}[y - {taps[0][0]}][x];")
        low.append(start)
        own_nest = stage < stages - 1 and number.random() < 0.4
        if own_nest:
            lines += ["    }", *loops]
    return "\n".join(
        [
            "#define N 11",
            "#define M 9",
            "void f(const short in[N][M], int out[N][M])",
            "{",
            *(f"    {kind} t{stage}[N][M];" for stage, kind in enumerate(types)),
            "#pragma scop",
            *lines,
            "    }",
            "#pragma endscop",
            "}",
        ]
    )


_JUDGE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static short in[F_N][F_M];
static int want[F_N][F_M], have[F_N][F_M];

static void judge(const char *number, void (*original)(const short[F_N][F_M], int[F_N][F_M]),
                  void (*folded)(const short[F_N][F_M], int[F_N][F_M], void *), size_t bytes)
{
    unsigned char *space = malloc(bytes + 128);
    const char *found = "equal";

    for (unsigned seed = 1; seed < 4; seed++) {
        unsigned state = seed * 2654435761u;
        for (int y = 0; y < F_N; y++)
            for (int x = 0; x < F_M; x++)
                in[y][x] = (short)((state = state * 1664525u + 1013904223u) >> 20);
        memset(want, 90, sizeof want);
        memset(have, 90, sizeof have);
        memset(space, (int)(seed * 85), bytes + 128);
        original((const short (*)[F_M])in, want);
        folded((const short (*)[F_M])in, have, space + 64);
        if (memcmp(want, have, sizeof want))
            found = "different";
        for (size_t k = 0; k < 64; k++)
            if (space[k] != (unsigned char)(seed * 85) || space[bytes + 64 + k] != space[k])
                found = "outside";
    }
    free(space);
    printf("%s %s\\n", number, found);
    fflush(stdout);
}
"""


def outcome(
    folder: Path, design: Design, plan: Plan, values: tuple[int, int], *, text: str = ""
) -> str:
    """What a run at these values of N and M shows: "equal", "different" or what stopped it.

    `text` is C in place of the generated one. The workspace lies between bytes that are watched.
    """
    texts = {0: text} if text else {}
    return outcomes(folder, {0: (design, plan)}, (values,), texts=texts)[0, values]


def outcomes(
    folder: Path,
    cases: Mapping[int, tuple[Design, Plan]],
    sizes: Iterable[tuple[int, int]],
    *,
    texts: Mapping[int, str] | None = None,
) -> dict[tuple[int, tuple[int, int]], str]:
    """The same of many programs at several sizes: one C program for each size."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "all.c").write_text(_together(cases, texts or {}))
    found = {}
    for values in sizes:
        told = _ran(folder, values)
        found |= {(one, values): told.get(one, told.get(None, "")) for one in cases}
    return found


def _together(cases: Mapping[int, tuple[Design, Plan]], texts: Mapping[int, str]) -> str:
    """One text of C with the originals and the generated C of many programs, and their judge."""
    parts = ["#include <stddef.h>\n#include <stdint.h>"]
    for number, (design, plan) in cases.items():
        files = emitted(design, plan)
        body = texts.get(number, files["kernel.c"]).replace('#include "kernel.h"', "")
        parts.append(_OWN.sub(rf"\1_{number}", files["kernel.h"] + body))
    for number, (design, _) in cases.items():
        source = next(one.text for one in design.sources if one.name.endswith("kernel.c"))
        lines = [line for line in source.splitlines() if not line.startswith("#define ")]
        parts.append("\n".join(lines).replace("void f(", f"static void source_{number}("))
    calls = "".join(
        f'    judge("{number}", source_{number}, f_ws_{number}, f_ws_bytes_{number}());\n'
        for number in cases
    )
    return "\n".join([*parts, _JUDGE, f"int main(void)\n{{\n{calls}    return 0;\n}}\n"])


def _ran(folder: Path, values: tuple[int, int]) -> dict[int | None, str]:
    """What the judge says of each program; under None what to say of those it did not come to."""
    names = zip(("N", "M", "F_N", "F_M"), (*values, *values), strict=True)
    command = ["cc", *_FLAGS, *(f"-D{name}={value}" for name, value in names)]
    command += ["all.c", "-o", "all", "-lm"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if built.returncode:
        return {None: built.stderr}
    ran = subprocess.run(
        ["./all"], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    told = dict(line.split() for line in ran.stdout.splitlines())
    return {None: f"exit {ran.returncode}", **{int(key): value for key, value in told.items()}}


_FLAGS = (
    *("-std=c99", "-O2", "-ftree-vectorize", "-fvect-cost-model=dynamic"),
    *("-fwrapv", "-ffp-contract=off", "-w"),
)
"""Vectors as with -O3, which takes half as long again."""
_OWN = re.compile(r"\b(hlsmem_\w+|f|f_\w+|F_WS_BYTES|KERNEL_\w+)\b")
"""Names of a program that others in one file have too."""
