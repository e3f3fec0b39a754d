"""Random kernels through the real planner: the generated C gives the bits of the original.

Stages of pipelines over images, fused into nests at random, with random offsets, loop orders,
guards and accumulations. What they compute is nothing anybody wants.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.emit.c.plans import plan_by_planner, read_design
from tests.emit.c.running import agree


def kernel(seed: int) -> str:
    number = random.Random(seed)
    stages = number.randint(2, 4)
    swapped = number.random() < 0.3
    loops = ["    for (int y = 0; y < N; y++)", "    for (int x = 0; x < M; x++) {"]
    if swapped:
        loops = ["    for (int x = 0; x < M; x++)", "    for (int y = 0; y < N; y++) {"]
    types = [number.choice(["int", "short", "long", "float"]) for _ in range(stages)]
    lines = list(loops)
    starts = [(0, 0)]  # the least coordinates at which a stage has values
    for stage in range(stages):
        target = "out" if stage == stages - 1 else f"t{stage}"
        source = "in" if stage == 0 else f"t{stage - 1}"
        taps = [(number.randint(0, 2), number.randint(0, 2)) for _ in range(number.randint(1, 3))]
        low_y, low_x = starts[-1]
        start = (low_y + max(y for y, _ in taps), low_x + max(x for _, x in taps))
        terms = [f"{source}[y - {dy}][x - {dx}]" for dy, dx in taps]
        if stage > 1 and number.random() < 0.5:
            terms.append(f"t{stage - 2}[y][x]")
        value = f" {number.choice(['+', '-'])} ".join(terms)
        value = number.choice([f"{value} + y", f"2 * ({value})", f"{value} - (x - 1)", value])
        guard = f"if (y >= {start[0]} && x >= {start[1]})"
        lines.append(f"        {guard} {target}[y][x] = {value};")
        if number.random() < 0.3 and target != "out":
            lines.append(f"        {guard} {target}[y][x] += {source}[y - {taps[0][0]}][x];")
        starts.append(start)
        if number.random() < 0.3 and stage < stages - 1:
            lines += ["    }", *loops]
    lines.append("    }")
    declared = [f"    {kind} t{i}[N][M];" for i, kind in enumerate(types[:-1])]
    return "\n".join(
        [
            "#define N 11",
            "#define M 9",
            "void f(const short in[N][M], int out[N][M])",
            "{",
            *declared,
            "#pragma scop",
            *lines,
            "#pragma endscop",
            "}",
        ]
    )


@pytest.mark.parametrize("order", ["sequential", "iteration"])
@pytest.mark.few("1-")
@pytest.mark.parametrize("seed", [1, 0, 2, 3])
def test_random_kernels(tmp_path: Path, seed: int, order: str) -> None:
    settings = (
        f'params: {{N: 11, M: 9}}\ncontext: "[N, M] -> {{ : N >= 6 and M >= 6 }}"\norder: {order}'
    )
    if seed % 2:
        settings += "\narrays: {in: {storage: stream}}"
    design = read_design(tmp_path, kernel(seed), settings)
    plan = plan_by_planner(design)
    flags = ("-Wall", "-Wextra", "-Wshadow", "-Werror")
    assert agree(tmp_path / "out", design, plan, flags=flags)
