"""Every access of the generated C to its workspace, against what the plan and C's order say.

Step by step of C's order, an instance each, or all of an iteration, which reads first and stores
last, the bytes that are loaded and stored are those of the cells of the elements that are
accessed, as plan.json gives them to C. What a step makes for itself alone need not be stored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from hlsmem.check.host_runs.final_workspace import folding_in_c, history_in_c, in_c, needed
from hlsmem.check.plans.plan_mapping import addresses
from hlsmem.check.rebuilt.witness_text import named
from hlsmem.check.replayed.folded_memory import History
from hlsmem.check.replayed.replay_check import live_elements
from hlsmem.check.replayed.run_events import Run
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.polyhedra.sweep import contains
from hlsmem.program.model import Array, Copy, Order, Program, Storage, values_name

Document = Mapping[str, Any]


# What a load is, and one that need not be.
_LOAD = ("write", "must")


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """The accesses of a run to the workspace, in C's order: columns, a row an access.

    `step` grows with time; the fill before the run and the drain after it are steps of their
    own. `byte` and `bytes` say where, `write` what; `must` is False for stores of what nobody
    loads, and for loads of what the same step makes or the same instance has loaded. `who` is the
    access in words.
    """

    step: np.ndarray = field(compare=False)
    byte: np.ndarray = field(compare=False)
    bytes: np.ndarray = field(compare=False)
    write: np.ndarray = field(compare=False)
    must: np.ndarray = field(compare=False)
    element: np.ndarray = field(compare=False)
    instance: np.ndarray = field(compare=False)
    array: np.ndarray = field(compare=False)
    elements: Mapping[str, np.ndarray] = field(compare=False)
    run: Run = field(compare=False)

    def who(self, row: int) -> str:
        """An access in words: its instance and its element."""
        name = list(self.elements)[int(self.array[row])]
        what = named(name, self.elements[name][int(self.element[row])].tolist())
        verb = "stores" if self.write[row] else "loads"
        instance = int(self.instance[row])
        if instance < 0:
            return f"{what}, which is {'filled' if self.write[row] else 'drained'}"
        statement, loops = self.run.instance_name(instance)
        return f"{what}, which {statement}{list(loops)} {verb}"


def _filling(
    elements: np.ndarray, byte: np.ndarray, size: int, array: int
) -> dict[str, np.ndarray | int | bool]:
    """The columns of elements that are filled in before the run, and read by nobody."""
    return {
        "step": -1,
        "byte": byte,
        "bytes": size,
        "write": True,
        "must": False,
        "element": elements,
        "instance": -1,
        "array": array,
    }


def planned_accesses(program: Program, document: Document, run: Run, times: np.ndarray) -> Planned:
    """Accesses of C to its workspace in a run of `program`, whose order is C's.

    Raises NotFollowed where plan.json's cells cannot be read.
    """
    leading = program.step_dimensions if program.order is Order.ITERATION else times.shape[1]
    _, numbers = np.unique(times[:, :leading], axis=0, return_inverse=True)
    numbers = numbers.reshape(-1)
    last = int(numbers.max(initial=0)) + 1
    columns: dict[str, list[np.ndarray]] = {}
    elements: dict[str, np.ndarray] = {}
    passed_on: list[np.ndarray] = []  # instances that write what variables of C hold for others
    for array in program.planned_arrays():
        entry = document["arrays"][array.name]
        history = history_in_c(program, array, run.accesses[array.name], times)
        cells = in_c(array.name, entry)
        if cells["at"] is None:
            passed_on.append(history.instance[history.write & needed(program, history)])
            continue
        address = addresses(folding_in_c(array.name, entry), history.elements, program.values)
        size = cells["cell_bytes"]
        step = np.where(history.instance >= 0, numbers[np.maximum(history.instance, 0)], 0)
        step = np.where(history.instance == -1, -1, np.where(history.instance == -2, last, step))
        loads = ~_by_wire(program, history) & ~_loaded_before(history)
        must = np.where(history.write, needed(program, history), loads)
        own = {
            "step": step,
            "byte": cells["at"] + size * address[history.element],
            "bytes": np.full(len(step), size),
            "write": history.write,
            "must": must,
            "element": history.element,
            "instance": history.instance,
            "array": np.full(len(step), len(elements)),
        }
        again = np.flatnonzero(history.write)
        again = again[_loads_again(program, array.name, run, history.instance[again])]
        idle = _filled_in_vain(program, array, history)
        stays = np.ones(len(step), dtype=bool)
        if array.storage is Storage.STATE:  # nothing takes it out, the next call finds it there
            stays = history.instance != -2
        for key, column in own.items():
            parts = columns.setdefault(key, [])
            parts.append(column[stays])
            parts.append(np.zeros(len(again), bool) if key in _LOAD else column[again])
        fill = _filling(idle, cells["at"] + size * address[idle], size, len(elements))
        for key, value in fill.items():
            columns[key].append(np.broadcast_to(value, len(idle)))
        elements[array.name] = history.elements
    whole = {key: np.concatenate(parts) for key, parts in columns.items()}
    has_effect = _has_effect(program, run, whole)
    for instances in passed_on:
        has_effect[instances] = True
    whole["must"] &= whole["write"] | has_effect[whole["instance"]]
    order = np.lexsort((np.arange(len(whole["step"])), whole["write"], whole["step"]))
    return Planned(
        **{key: column[order] for key, column in whole.items()}, elements=elements, run=run
    )


def _filled_in_vain(program: Program, array: Array, history: History) -> np.ndarray:
    """The elements, by number, that are live before the run and that nobody reads: C may fill
    their cells."""
    given = live_elements(program, program.live_in, array)
    number = {tuple(one): k for k, one in enumerate(history.elements.tolist())}
    found = {number[tuple(one)] for one in given.tolist()}
    filled = history.element[history.instance == -1].tolist()
    return np.array(sorted(found - set(filled)), dtype=np.int64)


def _by_wire(program: Program, history: History) -> np.ndarray:
    """Mask of loads of values of their own step: in a local variable, most of the time."""
    return history.wire & (program.order is Order.ITERATION)


def _loaded_before(history: History) -> np.ndarray:
    """Mask of repeated loads of an element by one instance: C loads it once for all."""
    loads = np.flatnonzero(~history.write)
    own = np.column_stack([history.instance[loads], history.element[loads]])
    _, first = np.unique(own, axis=0, return_index=True)
    found = np.zeros(len(history.write), dtype=bool)
    found[np.delete(loads, first)] = True
    return found


def _loads_again(program: Program, array: str, run: Run, instances: np.ndarray) -> np.ndarray:
    """Mask of instances that store their value to an array in single assignment, too.

    C loads it again for that.
    """
    found = np.zeros(len(instances), dtype=bool)
    for number, name in enumerate(run.statements):
        for one in program.statements:
            for access in one.writes if one.name == name else ():
                if values_name(access.array) == array:
                    own = np.flatnonzero((run.statement[instances] == number) & (instances >= 0))
                    points = run.iterators[instances[own], : run.depths[number]]
                    last = access.relation.intersect_domain(one.domain).domain()
                    found[own] = contains(fix_parameters(last, program.values), points)
    return found


def _has_effect(program: Program, run: Run, own: Mapping[str, np.ndarray]) -> np.ndarray:
    """Per instance whether it writes what somebody loads of the workspace, or an array that the
    plan does not hold.

    Others C may leave out, as those of a network that write nothing. The last two are the drain
    and the fill.
    """
    planned = {array.name for array in program.planned_arrays()}
    outside = [
        isinstance(one.body, Copy) or any(access.array not in planned for access in one.writes)
        for name in run.statements
        for one in program.statements
        if one.name == name
    ]
    found = np.append(np.array(outside, dtype=bool)[run.statement], [True, True])
    found[own["instance"][own["write"] & own["must"]]] = True
    return found


def misplaced(planned: Planned, recorded: np.ndarray) -> str:
    """The first access that is not where the plan has it; "" where each is."""
    byte, what = recorded[:, 0].astype(np.int64), recorded[:, 1].astype(np.int64)
    for chosen in (planned.must, np.ones(len(planned.must), dtype=bool)):
        rows = np.flatnonzero(chosen)
        if len(rows) != len(byte):
            continue
        steps = planned.step[rows]
        wanted = 2 * planned.bytes[rows] + planned.write[rows]
        ours = np.lexsort((wanted, planned.byte[rows], steps))
        theirs = np.lexsort((what, byte, steps))
        same = (planned.byte[rows][ours] == byte[theirs]) & (wanted[ours] == what[theirs])
        if same.all():
            return ""
    return _first(planned, list(zip(byte.tolist(), what.tolist(), strict=True)))


def _first(planned: Planned, recorded: list[tuple[int, int]]) -> str:
    """The same access by access; C may store what nobody loads, or not.

    A store may be one that C leaves out, or that of a later step to the same cell: all counts of
    accesses at which a step may end are followed.
    """
    counts = [0]
    for rows in _steps(planned):
        keys = [(int(planned.byte[r]), int(2 * planned.bytes[r] + planned.write[r])) for r in rows]
        musts = Counter(key for key, r in zip(keys, rows, strict=True) if planned.must[r])
        others = Counter(key for key, r in zip(keys, rows, strict=True) if not planned.must[r])
        found = {end for at in counts for end in _ends(recorded, at, musts, others)}
        if not found:
            at, missing = max(
                (_furthest(recorded, at, musts, others) for at in counts), key=lambda one: one[0]
            )
            row = next(r for key, r in zip(keys, rows, strict=True) if missing[key])
            size, start = int(planned.bytes[row]), int(planned.byte[row])
            return (
                f"of the workspace, {_accessed(recorded, at)}; the plan has {planned.who(row)}, in"
                f" bytes {start} to {start + size - 1}"
            )
        counts = sorted(found)
    if counts[-1] < len(recorded):
        byte, what = recorded[counts[-1]]
        verb = "stored" if what % 2 else "loaded"
        return f"bytes {byte} to {byte + what // 2 - 1} of the workspace are {verb} beyond the plan"
    return ""


def _accessed(recorded: list[tuple[int, int]], at: int) -> str:
    if at == len(recorded):
        return "nothing more is accessed"
    byte, what = recorded[at]
    verb = "stored" if what % 2 else "loaded"
    return f"bytes {byte} to {byte + what // 2 - 1} are {verb}"


Keys = Counter[tuple[int, int]]


def _ends(recorded: list[tuple[int, int]], at: int, musts: Keys, others: Keys) -> Iterator[int]:
    """The counts of accesses at which a step may end that begins behind `at` of them."""
    for end, missing in _through(recorded, at, musts, others):
        if not missing.total():
            yield end


def _furthest(
    recorded: list[tuple[int, int]], at: int, musts: Keys, others: Keys
) -> tuple[int, Keys]:
    """The most accesses that are of a step, and what it then lacks."""
    *_, last = _through(recorded, at, musts, others)
    return last


def _through(
    recorded: list[tuple[int, int]], at: int, musts: Keys, others: Keys
) -> Iterator[tuple[int, Keys]]:
    """The counts of accesses on the way through a step, and what is missing at each."""
    musts, others = musts.copy(), others.copy()
    while True:
        yield at, musts
        own = musts if at < len(recorded) and musts[recorded[at]] else others
        if at == len(recorded) or not own[recorded[at]]:
            return
        own[recorded[at]] -= 1
        at += 1


def _steps(planned: Planned) -> Iterator[np.ndarray]:
    """The rows of each step."""
    if len(planned.step):
        ends = np.flatnonzero(np.diff(planned.step)) + 1
        yield from np.split(np.arange(len(planned.step)), ends)
