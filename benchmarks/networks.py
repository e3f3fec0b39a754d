"""How long channels take: their classes at two sizes, and the run of a network.

Processor time with that of copies, which hardly depends on what else the machine does.
"""

from __future__ import annotations

import math
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

from hlsmem.core.errors import InputError
from hlsmem.core.wording import counted
from hlsmem.network.firing import run
from hlsmem.network.listed_channels import net_of
from hlsmem.planner.output_files import output_files
from hlsmem.planner.plan_assembly import Planning
from hlsmem.planner.planning_sequence import plan_design
from hlsmem.program.model import Program, Storage
from hlsmem.read.design import load
from hlsmem.studies.dataflow.reads import flows_of
from hlsmem.studies.dataflow.sources import Control
from hlsmem.studies.networks.channel_classes import facts_of
from hlsmem.synthesis import sources_of, synthesise
from tests.network.programs import processes_of_case, program_of, rows_of
from tests.studies.dataflow.golden import cases
from tests.studies.dataflow.golden import program_of as program_of_case

# Seconds that nothing here should take.
_CLASS, _FIRING, _READ = 0.1, 2.0, 0.5
_BLUR = "s004-net-blur"


def print_table() -> None:
    """Classes of the blur's channels at two sizes, and 100,000 firings of it."""
    print(f"\n{'channels':44} {'s':>8} of")
    for size in (64, 4096):
        program = program_of(_BLUR, {"N": size})
        channels, took = _timed(partial(rows_of, _BLUR, program))
        print(f"{f'channels of the blur, {size}x{size}':44} {took:8.3f}")
        for one in channels:
            facts, took = _timed(partial(facts_of, program, one))
            print(f"{f'class of {one}: {facts.kind.value}':44} {took:8.3f} {_CLASS}", flush=True)
    program = program_of(_BLUR, {"N": 225})
    channels = rows_of(_BLUR, program)
    processes = processes_of_case(_BLUR, program)
    net, took = _timed(partial(net_of, program, processes, channels))
    assert net is not None
    print(f"{'listing of the blur, 225x225':44} {took:8.3f}")
    rows = (451, 226, 1)
    found, took = _timed(partial(run, net, rows))
    assert found.deadlock is None
    print(f"{f'firing {sum(net.steps)} instances':44} {took:8.3f} {_FIRING}", flush=True)
    stuck, took = _timed(partial(run, net, (450, 226, 1)))
    assert stuck.deadlock is not None
    print(f"{'the same, one value less: stuck':44} {took:8.3f} {_FIRING}", flush=True)
    _print_guards()
    _print_conditions()
    _print_planned()


# Nanoseconds that a guard should take beyond a call without one: pairs of pointers, and a
# dispatch on a value.
_GUARDS = ((1, 2.0), (7, 5.0))
_DISPATCH = 3.0
_CALLS = 20_000_000
_TIMED = """
#include <stdint.h>
#include <stdio.h>
#include <time.h>
PROTOTYPES
static int block[4096];
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
int main(void)
{
    for (int round = 0; round < 5; round++) {
        const double start = seconds();
        for (int i = 0; i < CALLS; i++)
            CALL;
        printf("%.4f\\n", 1e9 * (seconds() - start) / CALLS);
    }
    return 0;
}
"""


def _print_guards() -> None:
    """What guards cost beyond a direct call: the least of five rounds."""
    print(f"\n{'guards, a call of a body of one iteration':44} {'ns':>8} of")
    with tempfile.TemporaryDirectory(prefix="hlsmem-bench-") as name:
        folder = Path(name)
        for pairs, limit in _GUARDS:
            names = [f"p{k}" for k in range(pairs)]
            given = ", ".join(f"int *{one}" for one in ["out", *names])
            body = f"out[i] = {' + '.join(f'{one}[i]' for one in names)};"
            call = ", ".join(f"block + {100 * k}" for k in range(pairs + 1))
            took = _beyond(folder / f"p{pairs}", given, body, call, "alias: check")
            what = f"{counted(pairs, 'pair')} of pointers"
            print(f"{what:44} {took:8.2f} {limit}", flush=True)
        given = "int *restrict out, const int *restrict p0"
        body = "out[i] = p0[i];"
        took = _beyond(folder / "s", given, body, "block, block + 100", "specialise: {N: [2, 3]}")
        print(f"{'dispatch on a value':44} {took:8.2f} {_DISPATCH}", flush=True)


def _beyond(folder: Path, given: str, body: str, call: str, host: str) -> float:
    """Nanoseconds that a call of the guarded C takes beyond one of its body alone."""
    folder.mkdir()
    loop = f"for (int i = 0; i < N; i++) {{ t[i] = p0[i]; {body.replace('p0[i]', 't[i]', 1)} }}"
    text = f"void k({given}, int N)\n{{\n    int t[N];\n#pragma scop\n{loop}\n#pragma endscop\n}}\n"
    (folder / "k.c").write_text(text)
    design = f"hlsmem: 1\nname: k\nparams: {{N: 1}}\nkernel: {{file: k.c}}\nhost: {{{host}}}\n"
    (folder / "k.yaml").write_text(design)
    for name, content in output_files(plan_design(load(folder / "k.yaml"))).items():
        if name.startswith("host/"):
            (folder / Path(name).name).write_text(content)
    plain = f"void plain({given}, int N)\n{{\n    for (int i = 0; i < N; i++) {{ {body} }}\n}}\n"
    (folder / "plain.c").write_text(plain)
    found = []
    sources = [one.name for one in folder.glob("k*.c")]
    for function, files in (("k", sources), ("plain", ["plain.c"])):
        main = _TIMED.replace("PROTOTYPES", f"void {function}({given}, int N);")
        main = main.replace("CALLS", str(_CALLS)).replace("CALL", f"{function}({call}, 1)")
        (folder / "main.c").write_text(main)
        command = ["cc", "-std=gnu99", "-O2", "-w", *files, "main.c", "-o", function]
        subprocess.run(command, cwd=folder, check=True)
        done = subprocess.run([folder / function], check=True, capture_output=True, text=True)
        found.append(min(map(float, done.stdout.split())))
    return found[0] - found[1]


def _print_conditions() -> None:
    """The sources of all reads of a program of the reference, with and without its filters."""
    print(f"\n{'sources under conditions':44} {'s':>8} of   times those without filters")
    with tempfile.TemporaryDirectory(prefix="hlsmem-bench-") as folder:
        for case in cases():
            program = program_of_case(Path(folder), case)
            plain = replace(
                program, statements=tuple(replace(one, filters=()) for one in program.statements)
            )
            work = partial(flows_of, control=Control.LEAST, operations=4_000_000)
            found, took = _timed(partial(work, program))
            try:
                _, without = _timed(partial(work, plain))
            except InputError:  # without the filter that ends it a loop goes on
                without = math.nan
            reads = sum(one.read.filter is None for one in found)
            name = f"{case['id'].removeprefix('s004-')}, {counted(reads, 'read')}"
            limit = reads * _READ
            print(f"{name:44} {took:8.3f} {limit:3.1f}  {took / without:.1f}", flush=True)


def _print_planned() -> None:
    """Plans under conditions: their time, cycles and LUTs with beats of all instances and of those
    alone that run, and without filters, in any storage and in what filters leave."""
    print(f"\n{'plans under conditions':38} {'s':>6} {'LUT':>6} {'cycles':>8}")
    for name in ("receiver", "threshold"):
        file = Path(__file__).parents[1] / "examples" / name / "design.yaml"
        for control in ("predicate", "skip"):
            design = load(file, settings=[f"plan.control={control}"])
            planning, took = _timed(partial(plan_design, design))
            timing = planning.plan.timing
            assert timing is not None
            text = f"{timing.cycles:8}"
            if timing.runs:
                runs = [cycles for _, cycles in timing.runs]
                text += f" at most, {min(runs)} to {max(runs)} in {len(runs)} outcomes"
            luts = _luts(planning)
            print(f"{f'{name}, {control}':38} {took:6.3f} {luts:6} {text}", flush=True)
        assert isinstance(design.input, Program)
        statements = tuple(
            replace(one, filters=(), writes=tuple(replace(w, must=True) for w in one.writes))
            for one in design.input.statements
        )
        certain = replace(design.input, statements=statements, skips=False)
        held = {
            key: one if one.storage is Storage.EXTERNAL else replace(one, reads="copies")
            for key, one in certain.arrays.items()
        }
        others = (("without filters", certain.arrays), ("the same in RAMs, registers", held))
        for what, arrays in others:
            plain = replace(design, input=replace(certain, arrays=arrays))
            without, took = _timed(partial(plan_design, plain))
            cycles = without.plan.timing.cycles if without.plan.timing else None
            print(f"{f'{name}, {what}':38} {took:6.3f} {_luts(without):6} {cycles:8}")


def _luts(planning: Planning) -> int:
    """LUTs of the Verilog on ECP5, as Yosys finds them."""
    with tempfile.TemporaryDirectory(prefix="hlsmem-bench-") as name:
        folder = Path(name)
        for path, content in output_files(planning).items():
            if path.startswith("rtl/"):
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(content)
        found = synthesise(
            sources_of(folder / "rtl", "ecp5"), f"{planning.plan.design}_mem", "ecp5", seeds=()
        )
        return found.area.luts


def _timed(action: Callable[[], Any]) -> tuple[Any, float]:
    start = _processor_time()
    found = action()
    return found, _processor_time() - start


def _processor_time() -> float:
    """Seconds of this process and of the copies that have ended."""
    both = (getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)
