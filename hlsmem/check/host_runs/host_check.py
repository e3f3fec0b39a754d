"""The check `host`: original and generated C, compiled alike, leave the same bits in every array.

Both run on the same pseudo-random inputs, at the plan's parameters and, where the plan holds for
all, at small ones; the generated C through both of its entries, with memory around everything
watched, and once more under sanitizers. For a network the original is its unfolded run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, product
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from hlsmem.check.c_runs.c_building import FoundDifferent, NoOriginal
from hlsmem.check.c_runs.c_interface import NotCallable
from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.host_runs import unusual_calls as calls
from hlsmem.check.host_runs.final_workspace import (
    Cells,
    NotFollowed,
    difference_of,
    in_c_order,
    predicted,
)
from hlsmem.check.host_runs.host_bench import FILLS, SEEDS, Bench, Pair, values_text
from hlsmem.check.host_runs.host_sizes import sizes_outside
from hlsmem.check.host_runs.tile_harness import tile_case
from hlsmem.check.host_runs.unfolded_objects import foreign_frame, foreign_object
from hlsmem.check.host_runs.workspace_accesses import misplaced, planned_accesses
from hlsmem.check.rebuilt.order_of_c import one_after_the_other
from hlsmem.check.rebuilt.rebuilt_program import arranged
from hlsmem.check.replayed.replay_check import Disagreement, lacks_values, run_of
from hlsmem.check.replayed.run_events import Run
from hlsmem.core.errors import MissingToolError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import Status, Verdict
from hlsmem.core.watchdog import scratch
from hlsmem.core.wording import counted
from hlsmem.plan import Plan, to_json
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Order, Program
from hlsmem.program.options import Design
from hlsmem.read.design import changed
from hlsmem.tools.find import C_COMPILER, CLANG, SIZE, find

_WORKERS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """Flags of a compiler, and which of the compared sizes the C is built for with them."""

    flags: tuple[str, ...]
    size: int


# The C is built once more at each level, by the compiler of the check and by these:
# vectorised at the plan's sizes, plain at the last ones.
LEVELS = (Level(flags=("-O0",), size=-1), Level(flags=("-O3", "-march=native"), size=0))
OTHER_COMPILERS = (CLANG,)


def check_host(
    out: Path, design: Design, program: Program | None, plan: Plan
) -> tuple[Verdict, ...]:
    """Verdicts on OUT/host as it stands on disk, against OUT/design.

    `program` (with streams) is None for a bare conflict set, which has no run. Raises ToolError
    without a C compiler and LimitError where a run takes too long.
    """
    source = design.input
    if program is None or not isinstance(source, Program):
        reason = "a bare conflict set has no program to run"
        return (_verdict(plan, Status.SKIPPED, reason),)
    if source.in_c is not source:
        source = source.in_c
        program = arranged(source)
    reason = _without_c(program)
    if reason and not (out / "host" / f"{program.name}.c").is_file():
        return (_verdict(plan, Status.SKIPPED, reason),)
    tile = None
    if program.tile is not None:
        try:
            tile = tile_case(source, program)
        except NotUnderstood as error:
            return (_verdict(plan, Status.NOT_JUDGED, str(error)),)
    compiler = find(C_COMPILER)
    with scratch("hlsmem-host-") as folder:
        bench = Bench(
            compiler=compiler,
            out=out.resolve(),
            work=folder.resolve(),
            program=source if tile is None else tile.program,
            plan=plan,
            tile=tile,
            is_tiled=design.host.tiled,
            stack_kib=design.host.stack_kib,
            has_versions=bool(design.host.versions),
            inputs=design.host.inputs,
        )
        found: list[Verdict] = []
        try:
            for verdict in chain(_judge(bench, program), _versions(bench, design)):
                found.append(verdict)
        except (NoOriginal, NotCallable) as error:
            found.append(_verdict(plan, Status.NOT_JUDGED, str(error)))
        except FoundDifferent as error:
            return (_verdict(plan, Status.FAIL, str(error)),)
        return tuple(found)


def _without_c(program: Program) -> str:
    """Why there may be no C for a program; empty where there has to be."""
    if program.tile is not None:
        return "the tile has no function of its own"
    if one_after_the_other(program) is not program:
        if program.order is Order.ITERATION:
            return (
                "C runs the instances of a step one after the other, which the plan does not"
                " allow; order: sequential makes a plan that does"
            )
        return (
            "C runs instances of equal times one after the other, which the plan does not allow;"
            " plan.strict makes a plan that does"
        )
    return ""


def _judge(bench: Bench, program: Program) -> Iterator[Verdict]:
    sizes = bench.sizes()
    # Compilers take nearly all of the time; they are programs of their own, so threads will do.
    with ThreadPoolExecutor(max_workers=_WORKERS) as pool:
        pairs = list(pool.map(bench.build, sizes))
    seeds = _defined(bench, pairs[0], program)
    if not seeds:
        reason = "with every input some read finds an element that nothing wrote before"
        yield _verdict(bench.plan, Status.NOT_JUDGED, reason)
        return
    folded = [bench.compare(pair, seeds) for pair in pairs]
    if not folded[0] and not bench.stands_by:
        raise FoundDifferent(f"the workspace is left alone at {_sizes_text(sizes[:1])}")
    if not folded[0]:
        reason = f"the folded code does not run at {_sizes_text(sizes[:1])}"
        yield _verdict(bench.plan, Status.NOT_JUDGED, reason)
        return
    text = _compared_text(sizes, folded, len(seeds))
    if bench.is_tiled:
        text += f"; so is every one of {len(bench.tilings())} tilings"
    yield _verdict(bench.plan, Status.PASS, text)
    yield from _outside(bench, pairs[0])
    _check_sizes(bench, pairs)
    played = _played(bench, pairs[0], program)
    yield from _workspace(bench, pairs[0], played)
    yield from memory_verdicts(bench, pairs[0], program)
    yield from _accesses(bench, pairs[0], played)
    yield from _kept(bench, pairs[0])
    light = calls.light_pair(bench, pairs)
    yield from _tested(bench, light, None if isinstance(played, str) else played.program)
    yield from seldom_taken(bench, light)
    yield _compilers(bench, pairs)
    yield _sanitized(bench, bench.sanitized(light))
    yield _warnings(bench, pairs[0])


def _defined(bench: Bench, pair: Pair, program: Program) -> tuple[int, ...]:
    """The inputs with which every read finds a value, whatever its conditions come to."""
    if not program.has_conditions or bench.kernel is not None:
        return bench.seeds
    planned = bench.program.planned_arrays()
    return tuple(
        seed
        for seed in bench.seeds
        if not lacks_values(bench.program, planned, bench.given(pair, seed))
    )


def _versions(bench: Bench, design: Design) -> Iterator[Verdict]:
    """The verdict on calls with the values that C has versions for; none where there are none."""
    asked, given = design.host.versions, design.input.values
    others = [
        dict(zip(asked, values, strict=True))
        for values in product(*(dict.fromkeys((given[name], *asked[name])) for name in asked))
    ][1:]
    for one in others:
        settings = [f"params.{name}={value}" for name, value in one.items()]
        program = changed(design, settings).input
        assert isinstance(program, Program)
        own = replace(bench, program=program)
        own.compare(own.build(dict(program.values)))
    if others:
        detail = f"so are its versions for {'; '.join(map(values_text, others))}"
        yield _verdict(bench.plan, Status.PASS, detail)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Played:
    """The program in C's order, played at the plan's parameters, and the cells that C has."""

    program: Program
    document: Mapping[str, Any]
    run: Run
    times: np.ndarray
    cells: list[Cells]


def _played(bench: Bench, pair: Pair, program: Program) -> _Played | str:
    """Accesses of C to its workspace by the plan, or why they are not known."""
    document = json.loads(to_json(bench.plan))
    if bench.tile is not None:
        return "a run of the whole has other values on the border of the tile"
    try:
        own = in_c_order(bench.program, program, document)
        run, times = run_of(own, own.planned_arrays(), given=bench.given(pair))
        cells = predicted(own, document, run, times)
    except (NotFollowed, NotUnderstood, Disagreement) as reason:
        return str(reason)
    return _Played(program=own, document=document, run=run, times=times, cells=cells)


def _workspace(bench: Bench, pair: Pair, played: _Played | str) -> list[Verdict]:
    """The verdict on the cells that C leaves, where it has some: it follows the plan's."""
    if not any(one.host is not None for one in bench.plan.arrays.values()):
        return []
    if isinstance(played, str):
        detail = f"the workspace is not followed: {played}"
        return [_verdict(bench.plan, Status.NOT_JUDGED, detail)]
    if not played.cells:
        return []
    found = difference_of(played.cells, *bench.workspaces(pair), FILLS)
    if found:
        raise FoundDifferent(f"{values_text(pair.values)}: {found}".removeprefix(": "))
    many = counted(sum(int(one.written.sum()) for one in played.cells), "cell")
    detail = (
        f"exactly the plan's {many} of the workspace are written, and hold its values at the end"
    )
    return [_verdict(bench.plan, Status.PASS, detail)]


def _outside(bench: Bench, pair: Pair) -> list[Verdict]:
    """The verdict on sizes that the plan does not hold for, where C knows them as it compiles."""
    # The function as it was, which C is where it folds nothing, is for all sizes.
    sizes = () if bench.plan.host_order is None else sizes_outside(bench.program, bench.plan)
    for size in sizes:
        if bench.accepts(pair, size):
            what = f"{bench.generated} compiles at {values_text(size)}, which the plan excludes"
            raise FoundDifferent(what)
    if not sizes:
        return []
    detail = f"it does not compile at {_sizes_text(sizes)}, which the plan excludes"
    return [_verdict(bench.plan, Status.PASS, detail)]


def _check_sizes(bench: Bench, pairs: Sequence[Pair]) -> None:
    """Compare the bytes of the workspace, by the header, with the plan's at all sizes.

    What the plan leaves free between arrays is as much at every size.
    """
    hosts = {name: one.host for name, one in bench.plan.arrays.items() if one.host is not None}
    if len(hosts) < len(bench.program.planned_arrays()):
        return  # plan.json does not say which cells C has
    starts = {name: one.cells.at for name, one in hosts.items() if one.cells.at is not None}
    ends = [at + _bytes_at(bench.plan, name, bench.plan.params) for name, at in starts.items()]

    def taken(values: Mapping[str, int]) -> int:
        return sum(_bytes_at(bench.plan, name, values) for name in starts)

    free = max(ends, default=0) - taken(bench.plan.params)
    for pair in pairs:
        wanted = taken(pair.values) + free
        found = len(bench.workspace(pair, FILLS[0]))
        if found == wanted or (bench.has_versions and found > wanted):
            continue
        unfolded = _unfolded_bytes(bench, pair.values)
        is_other = found == unfolded and pair.values != bench.plan.params
        hands_on = bench.kernel is not None and bool(bench.kernel.propagated)
        is_of_original = found > wanted if hands_on else is_other or wanted < found <= unfolded
        if not bench.stands_by or not is_of_original:
            at = values_text(pair.values) or "its fixed sizes"
            what = f"the workspace has {found} bytes at {at}, the plan's cells take {wanted}"
            raise FoundDifferent(what)


def _unfolded_bytes(bench: Bench, values: Mapping[str, int]) -> int:
    """Bytes of C's arrays as they are declared, which the workspace has for the original."""
    sizes, _ = _declared(bench, bench.program, values)
    return sum(sizes.values())


def _bytes_at(plan: Plan, array: str, values: Mapping[str, int]) -> int:
    """Bytes of the cells of an array in C at these parameters."""
    host = plan.arrays[array].host
    assert host is not None
    cells = host.cells
    count = sum(piece.cells().evaluate(values) for piece in cells.mapping.pieces)
    return count * cells.cell_bytes


def _accesses(bench: Bench, pair: Pair, played: _Played | str) -> list[Verdict]:
    """The verdict on every load and store of the workspace; clang's calls record them."""
    if isinstance(played, str) or not played.cells:
        return []
    planned = {array.name for array in played.program.planned_arrays()}
    reads = (access for one in played.program.statements for access in one.reads)
    if not all(access.must for access in reads if access.array in planned):
        detail = "loads and stores of the workspace are not followed: data decide on a load"
        return [_verdict(bench.plan, Status.NOT_JUDGED, detail)]
    try:
        clang = find(CLANG)
    except MissingToolError as error:
        detail = "loads and stores of the workspace are not recorded: that needs clang"
        return [_verdict(bench.plan, Status.SKIPPED, detail, error.command)]
    recorded = replace(bench, compiler=clang).followed(pair)
    wanted = planned_accesses(played.program, played.document, played.run, played.times)
    fault = misplaced(wanted, recorded)
    if fault:
        raise FoundDifferent(f"{values_text(pair.values)}: {fault}".removeprefix(": "))
    many = counted(len(recorded), "load or store").replace("load or stores", "loads and stores")
    detail = f"{many} of the workspace, each in its step and in the cell that the plan has for it"
    return [_verdict(bench.plan, Status.PASS, detail)]


def memory_verdicts(bench: Bench, pair: Pair, program: Program) -> list[Verdict]:
    """The verdict on memory besides the workspace; none where the compiler does not tell.

    Raises FoundDifferent for an array that is folded and stands unfolded somewhere.
    """
    found = bench.footprint(pair, pair.values)
    if found is None:
        return []
    arrays, space = _declared(bench, program, pair.values)
    known = bench.objects_of_the_original(pair, pair.values)
    ram = bench.plan.ram
    held = max(space, len(bench.workspace(pair, FILLS[0])), 0 if ram is None else ram.bytes)
    fault = foreign_object(found, known, arrays, held)
    larger = {name: 2 * value for name, value in pair.values.items()}
    if larger and not fault and not fix_parameters(program.context, larger).is_empty():
        grown = bench.footprint(pair, larger)
        if grown is not None:
            sizes = _declared(bench, program, larger)
            fault = foreign_frame((found, arrays, space), (grown, *sizes))
    if fault:
        raise FoundDifferent(fault)
    detail = "no static object and no frame holds an array that is folded"
    if not bench.stands_by:
        ended = bench.ends_in_small_stack(pair, sum(arrays.values()))
        if ended:
            what = f"{bench.function}() with a stack of {bench.small_stack_kib} KiB stops: {ended}"
            raise FoundDifferent(what)
        if ended is not None:
            detail += f"; a stack of {bench.small_stack_kib} KiB will do"
    return [_verdict(bench.plan, Status.PASS, detail)]


def _kept(bench: Bench, pair: Pair) -> Iterator[Verdict]:
    """The verdict on the bytes that C keeps, and on those of its source, as plan.json has them."""
    ram = bench.plan.ram
    if ram is None:
        return
    try:
        size = find(SIZE)
    except MissingToolError as error:
        detail = "the bytes that C keeps are not counted: that needs size"
        yield _verdict(bench.plan, Status.SKIPPED, detail, error.command)
        return
    found = bench.kept(pair, size)
    if found is None:
        return
    if found > ram.bytes:
        raise FoundDifferent(f"C keeps {found} bytes by -Os, the plan says {ram.bytes}")
    source = bench.kept_by_the_original(pair)
    if source is not None and ram.source is not None and source > ram.source:
        raise FoundDifferent(f"its source keeps {source} bytes, the plan says {ram.source}")
    detail = f"C keeps {counted(ram.bytes, 'byte')} at most, by -Os"
    if source is not None and ram.source is not None:
        detail += f", and its source {ram.source}"
    yield _verdict(bench.plan, Status.PASS, detail)


def _declared(
    bench: Bench, program: Program, values: Mapping[str, int]
) -> tuple[dict[str, int], int]:
    """Bytes of the folded arrays as declared, and of the workspace, at these parameters."""
    arrays, space = dict[str, int](), 0
    for array in program.planned_arrays():
        own = bench.plan.arrays[array.name].host
        if own is None or array.extents is None:
            continue
        space += _bytes_at(bench.plan, array.name, values)
        size = own.cells.cell_bytes
        arrays[array.name] = prod(e.evaluate(values) for e in array.extents) * size
    if bench.stands_by and values != bench.plan.params:
        space = max(space, sum(arrays.values()))  # the workspace has them as they are declared
    return arrays, space


def _tested(bench: Bench, pair: Pair, own: Program | None) -> Iterator[Verdict]:
    """The verdict on calls whose arguments overlap, where the C tests that some lie apart."""
    try:
        many = calls.compare_tested(bench, pair, own)
    except NoOriginal as error:
        yield _verdict(bench.plan, Status.NOT_JUDGED, str(error))
        return
    if many:
        does = "stops" if calls.stops(bench) else "does what the original does"
        detail = f"where arguments overlap it says so and {does}, and else not"
        yield _verdict(bench.plan, Status.PASS, detail)


def seldom_taken(bench: Bench, pair: Pair) -> Iterator[Verdict]:
    """The verdicts on paths that ordinary calls do not take, where the C has some."""
    asks, allocates = calls.asks(bench), calls.allocates(bench)
    if not (asks or allocates):
        return
    own = calls.answered(bench, 0) if asks else bench
    try:
        was_allocated = calls.compare_with_malloc(own, pair)
        many = counted(calls.compare_overlapped(bench, pair), "call") if asks else ""
    except NoOriginal as error:
        yield _verdict(bench.plan, Status.NOT_JUDGED, str(error))
        return
    if asks:
        detail = "its loops for arguments that overlap are bit-equal to the original, and to its"
        detail += f" other loops one by one in {many} with such arguments"
        yield _verdict(bench.plan, Status.PASS, detail)
    if allocates and was_allocated:
        detail = "the same with its workspace from malloc, which it frees; without, it aborts"
        yield _verdict(bench.plan, Status.PASS, detail)
    elif allocates:
        detail = f"malloc is not called where {bench.stack_macro} is 0"
        yield _verdict(bench.plan, Status.NOT_JUDGED, detail)


def _compilers(bench: Bench, pairs: Sequence[Pair]) -> Verdict:
    """The verdict on other compilers and levels; each compiles the C once."""
    compilers, missing = [bench.compiler], ""
    for other in OTHER_COMPILERS:
        try:
            compilers.append(find(other))
        except MissingToolError:
            missing += f"; {other.name} is not here"
    for compiler, level in product(compilers, LEVELS):
        try:
            rebuilt = bench.rebuilt(pairs[level.size], compiler, level.flags)
            bench.compare(rebuilt, SEEDS[:1])
        except FoundDifferent as error:
            what = " ".join((compiler.command[0], *level.flags))
            raise FoundDifferent(f"{what}: {error}") from None
    names = " and ".join(dict.fromkeys(Path(one.command[0]).name for one in compilers))
    levels = " and ".join(" ".join(level.flags) for level in LEVELS)
    return _verdict(bench.plan, Status.PASS, f"the same under {names} with {levels}{missing}")


def _compared_text(sizes: Sequence[Mapping[str, int]], folded: Sequence[bool], inputs: int) -> str:
    """At which sizes the folded code was compared, and at which it was not seen to run."""
    ran = [size for size, by_plan in zip(sizes, folded, strict=True) if by_plan]
    other = [size for size, by_plan in zip(sizes, folded, strict=True) if not by_plan]
    text = f"bit-equal to the original at {_sizes_text(ran)}, {inputs} inputs each, both entries"
    if not other:
        return text
    return f"{text}; no cell is used, or the original body runs, at {_sizes_text(other)}"


def _sizes_text(sizes: Sequence[Mapping[str, int]]) -> str:
    return "; ".join(map(values_text, sizes)) or "its fixed sizes"


def _sanitized(bench: Bench, pair: Pair | None) -> Verdict:
    if pair is None:
        return _verdict(bench.plan, Status.NOT_JUDGED, "the compiler has no sanitizers here")
    try:
        bench.compare(pair)
    except NoOriginal as error:
        return _verdict(bench.plan, Status.NOT_JUDGED, str(error))
    return _verdict(bench.plan, Status.PASS, "clean under address and undefined sanitizers")


def _warnings(bench: Bench, pair: Pair) -> Verdict:
    if pair.warning is None:
        return _verdict(bench.plan, Status.PASS, "no warnings from -Wall -Wextra")
    if bench.original_warns(pair):
        reason = f"warnings as in the original: {pair.warning}"
        return _verdict(bench.plan, Status.PASS, reason)
    return _verdict(bench.plan, Status.FAIL, f"-Wall -Wextra: {pair.warning}")


def _verdict(plan: Plan, status: Status, detail: str, remedy: str = "") -> Verdict:
    return Verdict(check="host", subject=plan.design, status=status, detail=detail, remedy=remedy)
