"""`make bench-orders`: what searched orders take, what the search costs, and how fast C runs then.

Seconds are CPU time of this process and its children, side by side on one machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from ruamel.yaml import YAML

from hlsmem.emit.output_folder import write_folder
from hlsmem.planner.output_files import output_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design, plan_hardware
from hlsmem.planner.searched_order import search_limits
from hlsmem.program.model import Program
from hlsmem.program.options import Design, SearchOptions
from hlsmem.read.design import load
from hlsmem.schedule_search.proposals import proposals

KERNELS = Path(__file__).resolve().parent.parent / "tests" / "schedule_search" / "kernels"
# Runs of a C function, of which the fastest counts.
RUNS = 15

Result = TypeVar("Result")


def cpu_seconds(action: Callable[[], Result]) -> tuple[float, Result]:
    """CPU time of an action and of the processes that it ends, with what it returns."""

    def spent() -> float:
        now = os.times()
        return now.user + now.system + now.children_user + now.children_system

    start = spent()
    result = action()
    return spent() - start, result


def command(*arguments: str) -> Callable[[], object]:
    """A command of hlsmem as a process of its own."""
    words = [sys.executable, "-m", "hlsmem", *arguments]
    return lambda: subprocess.run(words, check=True, capture_output=True)


_HEADINGS = ("as written", "kept", "any", "plan, s", "search", "what-if --top 3")
_SPEEDS = ("original, us", "kept, us")


def main(names: Sequence[str] = ()) -> None:
    """Print a line for each kernel as soon as it is measured, of all kernels by default."""
    known = YAML(typ="safe").load((KERNELS / "orders.yaml").read_text())
    print("Cells; CPU seconds, and beside those of `plan`; host C, microseconds")
    print("a call (gcc -O3, the fastest of several).")
    print(_line("kernel", [*_HEADINGS, "work", *_SPEEDS]), flush=True)
    for name in names or known:
        print(_line(name, _measured(name)), flush=True)


def _line(name: str, cells: Sequence[str]) -> str:
    widths = [max(len(one), 7) for one in (*_HEADINGS, "work", *_SPEEDS)]
    padded = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
    return "  ".join([name.ljust(7), *padded])


def _measured(name: str) -> list[str]:
    """The cells of a kernel's line, without its name."""
    file = KERNELS / f"{name}.yaml"
    design = load(file)
    with tempfile.TemporaryDirectory() as out:
        plain, _ = cpu_seconds(command("plan", str(file), "-o", f"{out}/plan"))
    asked, _ = cpu_seconds(command("what-if", str(file), "--order", "any", "--top", "3"))
    planning = plan_design(design)
    search_seconds, work = cpu_seconds(lambda: _searched(design))
    # Cells need no circuits; those of an order by columns are found by listing its beats.
    kept, other = _best(name, "kept", plan_design), _best(name, "any", plan_hardware)
    return [
        *(
            str(sum(m.cells for m in one.folded.mappings.values()))
            for one in (planning, kept, other)
        ),
        f"{plain:.2f}",
        *(f"{one:.2f} ({one / plain:.2f}x)" for one in (search_seconds, asked)),
        str(work),
        *_speeds(planning, kept),
    ]


def _searched(design: Design) -> int:
    assert isinstance(design.input, Program)
    operations, limit = search_limits(design)
    options = SearchOptions(order="any")
    found = proposals(design.input, options, operations=operations, limit=limit, most=3)
    return found.work


def _best(name: str, order: str, plan: Callable[[Design], Planning]) -> Planning:
    settings = ["schedule=auto", f"plan.search.order={order}"]
    return plan(load(KERNELS / f"{name}.yaml", settings=settings))


_MAIN = """
#include <stdio.h>
#include <time.h>
void {name}({types});
{buffers}
int main(void)
{{
    double best = 1e9;
    for (int run = 0; run < {runs}; run++) {{
        struct timespec a, b;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        {name}({arguments});
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        double spent = (b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) / 1e3;
        if (spent < best) best = spent;
    }}
    printf("%.0f", best);
    return 0;
}}
"""


def _speeds(planning: Planning, fused: Planning) -> list[str]:
    """Microseconds of a call of the original, and of the C of a searched order."""
    program = planning.design.input
    assert isinstance(program, Program)
    outside = [array for array in program.arrays.values() if array.is_parameter]
    buffers = []
    for array in outside:
        sizes = (extent.evaluate(program.values) for extent in array.extents or ())
        bounds = "".join(f"[{size}]" for size in sizes)
        buffers.append(f"static {array.element.c_name} {array.name}{bounds};")
    text = _MAIN.format(
        name=program.name,
        types=", ".join("void *" for _ in outside),
        buffers="\n".join(["#include <stdint.h>", *buffers]),
        runs=RUNS,
        arguments=", ".join(array.name for array in outside),
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "main.c").write_text(text)
        for planned, below in ((planning, "a"), (fused, "b")):
            write_folder(folder / below, output_files(planned))
        kernel = program.kernel
        assert kernel is not None
        sources = [f"a/design/{kernel.file}", f"b/host/{program.name}.c"]
        return [_microseconds(folder, source) for source in sources]


def _microseconds(folder: Path, source: str) -> str:
    command = ["gcc", "-O3", "-o", "run", "main.c", source]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    done = subprocess.run([folder / "run"], check=True, capture_output=True, text=True)
    return done.stdout


if __name__ == "__main__":
    main(sys.argv[1:])
