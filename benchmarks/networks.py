"""How long channels take: their classes at two sizes, and the run of a network.

Processor time with that of copies, which hardly depends on what else the machine does.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import Any

from hlsmem.dataflow.model import Control
from hlsmem.dataflow.reads import flows_of
from hlsmem.errors import InputError
from hlsmem.network.classes import facts_of
from hlsmem.network.firing import run
from hlsmem.network.listed import net_of
from hlsmem.wording import counted
from tests.dataflow.golden import cases
from tests.dataflow.golden import program_of as program_of_case
from tests.network.programs import processes_of_case, program_of, rows_of

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
    _print_conditions()


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


def _timed(action: Callable[[], Any]) -> tuple[Any, float]:
    start = _processor_time()
    found = action()
    return found, _processor_time() - start


def _processor_time() -> float:
    """Seconds of this process and of the copies that have ended."""
    both = (getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)
