"""How long channels take: their classes at two sizes, and the run of a network.

Processor time, which hardly depends on what else the machine does.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from hlsmem.network.classes import facts_of
from hlsmem.network.firing import run
from hlsmem.network.listed import net_of
from tests.network.programs import processes_of_case, program_of, rows_of

# Seconds that nothing here should take.
_CLASS, _FIRING = 0.1, 2.0
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


def _timed(action: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    found = action()
    return found, time.process_time() - start
