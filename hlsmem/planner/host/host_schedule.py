"""The order that host C has of its own: loops apart and inside of others, then in blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from hlsmem.core.errors import Problems
from hlsmem.plan import HostOrder
from hlsmem.planner.host.argument_overlap import with_test
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.limits import WorkLimitError
from hlsmem.program.model import Order, Program, Statement
from hlsmem.program.options import HostMachine, HostOptions
from hlsmem.schedule_search.block_sizes import Wish, cut_loops
from hlsmem.schedule_search.caches import Machine
from hlsmem.schedule_search.distribution import apart, distributed
from hlsmem.schedule_search.fusion import fused_times

Result = TypeVar("Result")

OPERATIONS = 12_000_000
"""Operations of isl that an order for C's loops may take."""
# What Linux states of the machine that this runs on.
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_PROCESSOR = Path("/proc/cpuinfo")
_REGISTERS = (("avx512f", 512), ("avx", 256), ("sse2", 128), ("asimd", 128))
"""Flags of processors, and the bits of registers that they stand for; the widest first."""
_FEW = 4
"""Values of an entry of times that C writes out."""


def host_schedules(
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
    orders = [moved] if together is None else [together, moved]
    if wish.is_sica:  # each statement has blocks of its own size where it has loops of its own
        each = found("loops apart", partial(apart, program, OPERATIONS))
        orders = orders if each is None else [each, *orders]
    for order in orders:
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
        place = None if isinstance(host.tile, str) else host.tile[name].source_location
        problems.add(f"host.tile.{name}: {why}", remedy, place)
    problems.raise_if_any()


def _tile(host: HostOptions) -> str | dict[str, tuple[int, int]]:
    if isinstance(host.tile, str):
        return host.tile
    return {name: (one.vector, one.outer) for name, one in host.tile.items()}


def _machine(machine: HostMachine) -> tuple[Machine, dict[str, int]]:
    """The sizes that tiles come from, and those that were read here."""
    found = {"l1_kib": machine.l1_kib, "l2_kib": machine.l2_kib, "simd_bits": machine.simd_bits}
    read = dict[str, int]()
    problems = Problems()
    for name, value in found.items():
        if value is not None:
            continue
        own = machine.read.get(name) or _answer(name)
        if own is None:
            what = f"host.{name}: this machine does not say"
            problems.add(what, "write a number", machine.places.get(name))
        else:
            read[name] = own
    problems.raise_if_any()
    known = {name: value for name, value in found.items() if value is not None}
    return Machine(**known, **read, rho=machine.rho), read


def _answer(name: str) -> int | None:
    """Size that this machine reports; None where it reports none."""
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


def rescheduled(program: Program, schedules: Mapping[str, str]) -> Program:
    """The program with these times, isl maps by statement, one instance after the other.

    Raises ValueError where a statement has none, or they are not of one length.
    """
    missing = [one.name for one in program.statements if one.name not in schedules]
    if missing:
        raise ValueError(f"no times for {', '.join(missing)}")
    times = {name: Map(text) for name, text in schedules.items()}
    sizes = {one.dim(DimType.out) for one in times.values()}
    if len(sizes) != 1:
        raise ValueError("times are of several lengths")
    (size,) = sizes
    statements = tuple(replace(one, schedule=times[one.name]) for one in program.statements)
    return replace(
        program,
        statements=statements,
        order=Order.SEQUENTIAL,
        time_dimensions=size,
        step_dimensions=size,
        iterator_names=(),
        written_out={one.name: tuple(_narrow(one)) for one in statements},
    )


def _narrow(statement: Statement) -> Iterator[int]:
    """The entries of the times of a statement that have several values, but few."""
    times = statement.schedule.intersect_domain(statement.domain).range()
    for entry in range(times.dim(DimType.set)):
        ends = times.dim_min_val(entry), times.dim_max_val(entry)
        if all(end.is_int() for end in ends):
            least, greatest = (int(end.to_python()) for end in ends)
            if 0 < greatest - least < _FEW:
                yield entry


def cache_kib(level: int, folder: Path = _CACHES) -> int | None:
    """The size of the data cache of a level in KiB; None where it cannot be read."""
    for one in sorted(folder.glob("index*")):
        try:
            own, kind, size = (
                (one / name).read_text(encoding="utf-8").strip()
                for name in ("level", "type", "size")
            )
        except OSError:
            continue
        if own == str(level) and kind in ("Data", "Unified") and size[:-1].isdigit():
            factor = {"K": 1, "M": 1024}.get(size[-1])
            return None if factor is None else int(size[:-1]) * factor
    return None


def vector_bits(file: Path = _PROCESSOR) -> int | None:
    """The width of vector registers in bits; None where it cannot be read."""
    try:
        text = file.read_text(encoding="utf-8")
    except OSError:
        return None
    for line in text.splitlines():
        name, _, flags = line.partition(":")
        if name.strip() in ("flags", "Features"):
            found = flags.split()
            return next((bits for flag, bits in _REGISTERS if flag in found), None)
    return None
