"""Reading C: the normal form beside the parser, the check `reading` beside the check `host`.

Seconds are processor time, those of the processes it starts included, measured in turns.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ("window3", "durbin", "heat2d")
ROUNDS = 5
CALLS = 30


def kernel(calls: int = CALLS) -> str:
    """C of about 1000 lines: `calls` functions in the idioms of HLS code, each called once."""
    functions, body = [], []
    for k in range(calls):
        functions.append(_FUNCTION.replace("@", str(k)))
        source = "in" if k == 0 else f"t{k - 1}"
        target = "out" if k == calls - 1 else f"t{k}"
        if target != "out":
            body.append(f"  int {target}[N][N];")
        body.append(f"  stage{k}({source}, {target}, {k + 1});")
    lines = ["#define N 16", *functions, "void kernel(int in[N][N], int out[N][N]) {", *body, "}"]
    return "\n".join(lines) + "\n"


_FUNCTION = """
static int clamp@(int v, int lo, int hi) {
  return v < lo ? lo : v > hi ? hi : v;
}

static void stage@(int src[N][N], int dst[N][N], int gain) {
  int x, y;
  for (y = 0; y < N; y++) {
    int *row = dst[y];
    const int *above = src[clamp@(y - 1, 0, N - 1)];
    const int *below = src[clamp@(y + 1, 0, N - 1)];
    int p = 0;
    for (x = 0; x < N; x++) {
      int sum = 0;
      if (x == 0) {
        row[p++] = gain * src[y][x];
        continue;
      }
      sum += above[x];
      sum += below[x];
      sum += 2 * src[y][x - 1];
      row[p] = sum / 4 + gain;
      p++;
    }
  }
  y = 0;
  while (y < N) {
    dst[y][0] = dst[y][N - 1];
    y++;
  }
}
"""


def _cpu_seconds(action: Callable[[], object]) -> float:
    before = os.times()
    action()
    return sum(os.times()[:4]) - sum(before[:4])


def side_by_side(*actions: Callable[[], object]) -> list[float]:
    """Median seconds of each, after a run of each that is not counted."""
    for action in actions:
        action()
    rounds = [[_cpu_seconds(action) for action in actions] for _ in range(ROUNDS)]
    return [statistics.median(times) for times in zip(*rounds, strict=True)]


def _normal_form(text: str) -> tuple[Callable[[], object], Callable[[], object], int]:
    """The parser alone, the rewrites alone, and the lines they are given."""
    from hlsmem.core.errors import Problems
    from hlsmem.read.c.files import Files, merged, read_files
    from hlsmem.read.c.normal import normal_form, prepared
    from hlsmem.read.c.normal.rewrite_unit import Unit
    from hlsmem.read.c.symbols import Scope
    from hlsmem.read.design_folder import Folder

    def parsed() -> Files:
        with tempfile.TemporaryDirectory() as name:
            (Path(name) / "kernel.c").write_text(text)
            return read_files(Folder(Path(name)), "kernel.c", (), cflags=(), symbolic=())

    files = parsed()
    problems = Problems()
    unit = Unit(
        function=files.own.ext[-1],
        tree=merged(files, problems),
        source=files.source,
        headers=Scope(),
        parameters=(),
        problems=problems,
    )
    return (
        parsed,
        lambda: normal_form(*prepared(unit)),
        text.count("\n"),
    )


def _checks(design: Path, folder: Path) -> tuple[Callable[[], object], Callable[[], object]]:
    """The checks `host` and `reading` of a design, each in a process as users have it."""
    out = folder / "out"
    hlsmem = [sys.executable, "-m", "hlsmem"]
    subprocess.run([*hlsmem, "plan", str(design), "-o", str(out)], check=True, capture_output=True)

    def check(only: str) -> Callable[[], object]:
        command = [*hlsmem, "check", str(out), "--only", only]
        return lambda: subprocess.run(command, check=True, capture_output=True)

    return check("host"), check("reading")


def print_table() -> None:
    print(f"{'what':44} {'s':>9} {'beside':>9} {'x':>6}")

    def line(what: str, other: float, own: float) -> None:
        print(f"{what:44} {own:9.3f} {other:9.3f} {own / other:6.2f}", flush=True)

    parse, rewrites, lines = _normal_form(kernel())
    line(f"normal form, parser ({lines} lines, {CALLS} calls)", *side_by_side(parse, rewrites))
    for name in EXAMPLES:
        with tempfile.TemporaryDirectory() as folder:
            host, reading = _checks(ROOT / "examples" / name / "design.yaml", Path(folder))
            line(f"check reading, host ({name})", *side_by_side(host, reading))
