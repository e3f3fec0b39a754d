"""The order that host C has of its own: loops apart and inside of others, then in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from hlsmem.core.errors import Problems
from hlsmem.plan import HostOrder
from hlsmem.polyhedra.limits import WorkLimitError
from hlsmem.program.model import Program
from hlsmem.program.options import HostMachine, HostOptions
from hlsmem.schedule_search.block_sizes import Wish, cut_loops
from hlsmem.schedule_search.caches import Machine
from hlsmem.schedule_search.distribution import distributed
from hlsmem.schedule_search.fusion import fused_times
from hlsmem.timing.argument_overlap import with_test
from hlsmem.timing.rescheduled import rescheduled
from hlsmem.tools.host_machine import cache_kib, vector_bits

Result = TypeVar("Result")

OPERATIONS = 12_000_000
"""Operations of isl that an order for C's loops may take."""


def own_orders(
    program: Program,
    host: HostOptions,
    sizes: Sequence[Mapping[str, int]],
    cut: Callable[[str], None],
) -> Iterator[HostOrder]:
    """The orders that C may have, the most wanted first; none where it keeps the given.

    `cut` is called with what was looked for where that takes more operations than it may. Raises
    InputError for tiles that cannot be, and where the machine is asked and does not say.
    """
    machine, read = _machine(host.machine)

    def found(what: str, search: Callable[[], Result | None]) -> Result | None:
        try:
            return search()
        except WorkLimitError as limit:
            cut(what)
            best: Result | None = limit.step
            return best

    moved = found("loops that are vectors", partial(distributed, program, OPERATIONS))
    wish = Wish(tile=_tile(host), jams=host.jams, machine=machine, sizes=sizes)
    is_free = isinstance(host.tile, str)
    tiles = dict.fromkeys((host.tile, "none")) if isinstance(host.tile, str) else (wish.tile,)
    cache_bytes = machine.l1_kib << 10
    # Loops whose tiles are asked for stay those of their own nests.
    fused = partial(fused_times, program, moved, cache_bytes, sizes[-1], OPERATIONS)
    together = found("nests that run as one", fused) if is_free else None
    for order in (moved,) if together is None else (together, moved):
        for own in tiles:
            tiled = partial(cut_loops, program, order, replace(wish, tile=own), OPERATIONS)
            blocks = found("blocks of loops", tiled)
            if blocks is not None:
                _refuse(host, {one: (why, _LEFT) for one, why in blocks.refused.items()})
                yield HostOrder(times=blocks.times, cuts=blocks.cuts, machine=read)
        if order is not None and is_free:
            yield HostOrder(times=order)


def _refuse(host: HostOptions, refused: Mapping[str, tuple[str, str]]) -> None:
    """Raises InputError where tiles are asked for that loops cannot have, with why, and with what
    to do."""
    problems = Problems()
    for name, (why, remedy) in refused.items():
        place = None if isinstance(host.tile, str) else host.tile[name].place
        problems.add(f"host.tile.{name}: {why}", remedy, place)
    problems.raise_if_any()


def _tile(host: HostOptions) -> str | dict[str, tuple[int, int]]:
    if isinstance(host.tile, str):
        return host.tile
    return {name: (one.vector, one.outer) for name, one in host.tile.items()}


def _machine(asked: HostMachine) -> tuple[Machine, dict[str, int]]:
    """The sizes that tiles come from, and those that were read here."""
    found = {"l1_kib": asked.l1_kib, "l2_kib": asked.l2_kib, "simd_bits": asked.simd_bits}
    read = dict[str, int]()
    problems = Problems()
    for name, value in found.items():
        if value is not None:
            continue
        own = asked.read.get(name) or _answer(name)
        if own is None:
            what = f"host.{name}: this machine does not say"
            problems.add(what, "write a number", asked.places.get(name))
        else:
            read[name] = own
    problems.raise_if_any()
    known = {name: value for name, value in found.items() if value is not None}
    return Machine(**known, **read, rho=asked.rho), read


def _answer(name: str) -> int | None:
    """What this machine says of a size; None where it does not say."""
    return vector_bits() if name == "simd_bits" else cache_kib(1 if name == "l1_kib" else 2)


def at_times(program: Program, order: HostOrder) -> Program:
    """The program as C runs it with times of its own, and with the test that these need."""
    return with_test(rescheduled(program, order.times), program.source)


def refuse_tiles(host: HostOptions) -> None:
    """Raises InputError where tiles are asked for by statement, and C keeps the given order."""
    if not isinstance(host.tile, str):
        _refuse(host, dict.fromkeys(host.tile, (_STAYS, _MOVES)))


_LEFT = "leave it out"
_STAYS = "C keeps the given order here"
_MOVES = (
    "leave it out; loops move with host.order: auto and host.objective: speed, where all arrays"
    " have cells for it"
)
