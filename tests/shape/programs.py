"""Random kernels over images, and a run of their generated C beside the original at any sizes."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from hlsmem.options import Design
from hlsmem.planfile import Plan
from tests.emit.c.running import write_out

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


_DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "kernel.h"
void f_original(const short in[F_N][F_M], int out[F_N][F_M]);
static short in[F_N][F_M];
static int want[F_N][F_M], have[F_N][F_M];
int main(void)
{
    const size_t bytes = f_ws_bytes();
    unsigned char *space = malloc(bytes + 128);

    for (unsigned seed = 1; seed < 4; seed++) {
        unsigned state = seed * 2654435761u;
        for (int y = 0; y < F_N; y++)
            for (int x = 0; x < F_M; x++)
                in[y][x] = (short)((state = state * 1664525u + 1013904223u) >> 20);
        memset(want, 90, sizeof want);
        memset(have, 90, sizeof have);
        memset(space, (int)(seed * 85), bytes + 128);
        f_original((const short (*)[F_M])in, want);
        f_ws((const short (*)[F_M])in, have, space + 64);
        for (int k = 0; k < 64; k++)
            if (space[k] != (unsigned char)(seed * 85) || space[bytes + 64 + (size_t)k] != space[k])
                return 2;
        if (memcmp(want, have, sizeof want))
            return 1;
    }
    return 0;
}
"""


def outcome(
    folder: Path, design: Design, plan: Plan, values: tuple[int, int], *, text: str = ""
) -> str:
    """What a run at these values of N and M shows: "equal", "different" or what stopped it.

    `text` is C in place of the generated one. The workspace lies between bytes that are watched.
    """
    folder.mkdir(parents=True, exist_ok=True)
    write_out(folder, design, plan)
    if text:
        (folder / "kernel.c").write_text(text)
    original = next(one.text for one in design.sources if one.name.endswith("kernel.c"))
    for line, value in zip(("#define N 11", "#define M 9"), values, strict=True):
        original = original.replace(line, f"{line[:9]} {value}", 1)
    (folder / "original.c").write_text(original.replace("void f(", "void f_original("))
    (folder / "driver.c").write_text(_DRIVER)
    sizes = [f"-DF_{name}={value}" for name, value in zip("NM", values, strict=True)]
    flags = ["-std=c99", "-O3", "-fwrapv", "-ffp-contract=off", "-w", "-I."]
    files = ["kernel.c", "original.c", "driver.c"]
    command = ["cc", *flags, *sizes, *files, "-o", "both", "-lm"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if built.returncode:
        return built.stderr
    ran = subprocess.run(["./both"], cwd=folder, capture_output=True, check=False, timeout=60)
    return {0: "equal", 1: "different", 2: "outside"}.get(ran.returncode, f"exit {ran.returncode}")
