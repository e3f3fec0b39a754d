"""The trace of a plan, `hlsmem-view/1`: every instance with its step and the elements it touches.

Made from OUT alone: the design read again, and plan.json. Columns are coded as arithmetic runs
(`runs`). The page replays it; nothing here says whether the plan is right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hlsmem.check import DesignUnderCheck
from hlsmem.check.plans.plan_banks import banks_and_offsets, read_banked
from hlsmem.check.plans.plan_mapping import addresses, read_folding
from hlsmem.core.budgets import ACCESSES
from hlsmem.core.errors import InputError, LimitError, Problem
from hlsmem.core.source_location import SourceLocation
from hlsmem.core.verdict import Verdict
from hlsmem.emit.holdings import bound_text
from hlsmem.emit.mapping_text import mapping_lines
from hlsmem.mapping.storage_mapping import StorageMapping
from hlsmem.plan import ArrayPlan, Plan
from hlsmem.plan import Part as PlannedPart
from hlsmem.polyhedra.enumeration import distinct_points, distinct_rows
from hlsmem.polyhedra.relations import sets_of
from hlsmem.polyhedra.sets import fix_parameters
from hlsmem.program.model import Copy, Program
from hlsmem.storage.kinds import kind_named
from hlsmem.viewing.instance_columns import Instances, Touch, instances_of, runs_of
from hlsmem.viewing.shown_window import Window

if TYPE_CHECKING:
    import numpy as np

FORMAT = "hlsmem-view/1"


def trace_of(
    subject: DesignUnderCheck,
    *,
    array: str | None = None,
    window: Window | None = None,
    steps: tuple[int, int] | None = None,
    explain: Mapping[str, Any] | None = None,
    verdicts: Iterable[Verdict] = (),
) -> dict[str, Any]:
    """The document of a folder's plan: of all planned arrays, or of one.

    With a `window` only instances in it, with `steps` those from the first to the last one. Raises
    InputError for an array that the plan has not and steps outside of the run, LimitError where an
    access touches several elements at once.
    """
    plan, program = subject.plan, subject.program
    if array is not None and array not in plan.arrays:
        known = ", ".join(plan.arrays)
        raise InputError(Problem(f"{array!r} is not a planned array", f"planned arrays: {known}"))
    names = [name for name in plan.arrays if array in (None, name)]
    found = _Trace(subject, program, names, window, steps) if program is not None else None
    return {
        "format": FORMAT,
        "tool": plan.tool,
        "design": plan.design,
        "params": dict(plan.params),
        "order": plan.order,
        "strict": plan.strict,
        "steps": 0 if found is None else found.steps,
        "window": None if found is None else found.part(),
        "sources": [] if found is None else found.sources,
        "statements": [] if found is None else list(found.statements()),
        "arrays": {
            name: (_conflicting(subject, name) if found is None else found.array(name))
            for name in names
        },
        "explain": dict(explain or {}),
        "verdicts": [
            {
                "check": one.check,
                "of": one.subject,
                "said": one.said,
                "detail": one.detail,
            }
            for one in verdicts
        ],
    }


def _facts(plan: Plan, one: ArrayPlan) -> dict[str, Any]:
    """Facts on an array without its run: as hardware holds it."""
    held, mapping = one.hardware, mapping_of(one)
    kinds = dict.fromkeys(plan.memories[part.memory].kind for part in held.parts)
    pieces = () if mapping is None else mapping.pieces
    return {
        "index": list(one.index),
        "type": one.element,
        "declared": one.declared_cells,
        "cells": held.words if mapping is None else mapping.cells,
        "words": held.words,
        "standing": held.standing,
        "certificate": str(held.certificate),
        "text": ", ".join(kinds)
        if mapping is None
        else "; ".join(mapping_lines(one.name, one.index, mapping)),
        "pieces": [
            {
                "matrix": [list(row) for row in piece.matrix_at(plan.params)],
                "modulus": list(piece.modulus_at(plan.params)),
                "offset": list(piece.offset_at(plan.params)),
            }
            for piece in pieces
        ]
        if len(pieces) == 1 and pieces[0].domain is None
        else None,
        "cell_table": None,
        "bounds": [
            {"kind": bound.kind, "cells": bound.cells, "text": bound_text(bound)}
            for bound in (held.bound, held.lattice)
            if bound is not None
        ],
    }


def mapping_of(one: ArrayPlan) -> StorageMapping | None:
    """The addresses of an array in the hardware; None where it has none, or one a part."""
    (part, *others) = one.hardware.parts
    return None if others else part.mapping


class _Trace:
    """The instances of a program, and what the document says of each array."""

    def __init__(
        self,
        subject: DesignUnderCheck,
        program: Program,
        names: Sequence[str],
        window: Window | None,
        steps: tuple[int, int] | None,
    ) -> None:
        self.subject, self.program, self.window = subject, program, window
        self.plan = subject.plan
        within = None if window is None else window.times
        self.instances = instances_of(program, names, within)
        self.steps = 1 + max((int(one.steps[-1]) for one in self.instances if len(one.steps)),
                             default=-1)  # fmt: skip
        self.cut, self.whole = steps, self.instances
        # Where a step is more than an instance its writes have an order of their own.
        self.whole_steps = all((one.steps == one.ranks).all() for one in self.whole)
        if steps is not None:
            low, high = steps
            if not 0 <= low <= high < self.steps:
                raise InputError(
                    Problem(
                        f"--steps {low}..{high}: the run has steps 0 to {self.steps - 1}",
                        "name two of them, the first one first",
                    )
                )
            self.total, self.steps = self.steps, high - low + 1
            self.instances = tuple(one.between(low, high) for one in self.whole)
        self.first = min((int(one.ranks[0]) for one in self.instances if len(one.ranks)), default=0)
        self.sources = _sources(subject, program)
        self.files = {source["name"]: place for place, source in enumerate(self.sources)}

    def part(self) -> dict[str, int] | None:
        """Window of these steps in the whole run; None for all."""
        if self.cut is not None:
            return {"first": self.cut[0], "steps": self.total}
        return None if self.window is None else self.window.document()

    def statements(self) -> Iterator[dict[str, Any]]:
        for one in self.instances:
            statement = one.statement
            place = statement.source_location
            if place is None and one.touches:
                place = one.touches[0].access.source_location
            yield {
                "name": statement.name,
                "passes": isinstance(statement.body, Copy),
                "file": self._file(place),
                "line": None if place is None else place.line,
                "loops": list(statement.iterators)
                or [f"i{k}" for k in range(one.iterations.shape[1])],
                "count": len(one.steps),
                "step": runs_of(one.steps),
                "rank": None if self.whole_steps else runs_of(one.ranks - self.first),
                "iteration": [runs_of(column) for column in one.iterations.T],
                "accesses": [self._access(one, touch) for touch in one.touches],
            }

    def _file(self, place: SourceLocation | None) -> int | None:
        return None if place is None else self.files.get(place.file)

    def _access(self, one: Instances, touch: Touch) -> dict[str, Any]:
        place = touch.access.source_location
        return {
            "kind": "write" if touch.writes else "read",
            "array": touch.access.array,
            "file": self._file(place),
            "line": None if place is None else place.line,
            "column": None if place is None else place.column,
            "length": None if place is None else place.length,
            "present": None if touch.present is None else runs_of(touch.present.astype("i8")),
            "wire": None if touch.wire is None else runs_of(touch.wire.astype("i8")),
            "element": [runs_of(column) for column in touch.elements.T],
            "part": 0 if touch.writes else self._part(one, touch),
        }

    def _part(self, one: Instances, touch: Touch) -> int:
        """The part that serves a read; 0 where its stream has several lanes."""
        operand = _operand(one, touch)
        for place, part in enumerate(self.plan.arrays[touch.access.array].hardware.parts):
            if operand in part.operands:
                return place
        return 0

    def array(self, name: str) -> dict[str, Any]:
        import numpy as np

        one = self.plan.arrays[name]
        live = list(self._live(name))
        touched = [
            touch.elements if touch.present is None else touch.elements[touch.present]
            for instances in self.instances
            for touch in instances.touches
            if touch.access.array == name
        ]
        every = [rows for rows in (*touched, *live) if len(rows)]
        rank = len(one.index)
        if every:
            low = np.min([rows.min(axis=0) for rows in every], axis=0)
            high = np.max([rows.max(axis=0) for rows in every], axis=0)
        else:
            low = high = np.zeros(rank, dtype=np.int64)
        facts = _facts(self.plan, one)
        box = _Box(low, high)
        if facts["pieces"] is None:
            facts |= self._table(one, box)
        return facts | {
            "box": [[int(a), int(b)] for a, b in zip(low, high, strict=True)],
            "live_in": runs_of(box.positions(live[0])) if len(live[0]) else None,
            "live_out": runs_of(box.positions(live[1])) if len(live[1]) else None,
            "parts": [
                self._storage(one, place, part, box)
                for place, part in enumerate(one.hardware.parts)
            ],
            "curve": None
            if self.window is None
            else list(self.window.curves.get(name, ())) or None,
        }

    def _table(self, one: ArrayPlan, box: _Box) -> dict[str, Any]:
        """The cell of each element of the box.

        Without addresses it is the place in the order of the writes, modulo the words, where each
        element is written once and that is known; else a cell of its own.
        """
        import numpy as np

        if mapping_of(one) is not None:
            own = read_folding(one.name, self._entry(one, 0))
            return {"cell_table": runs_of(addresses(own, box.points(), self.plan.params))}
        count = len(box.points())
        words = one.hardware.words
        cells = np.full(count, -1, dtype=np.int64)
        written = [
            (instances.ranks[made], touch.elements[made])
            for instances, touch in self._touches(one.name)
            if touch.writes
            for made in [_made(touch, np.ones(len(instances.steps), dtype=bool))]
        ]
        ranks = np.concatenate([ranks for ranks, _ in written] or [np.empty(0, dtype=np.int64)])
        is_chain = len(one.hardware.parts) == 1 and words > 0
        if is_chain and len(ranks) <= count and self.window is None and self.cut is None:
            places = box.positions(np.concatenate([rows for _, rows in written]))
            if len(np.unique(places)) == len(places):
                cells[places[np.argsort(ranks, kind="stable")]] = np.arange(len(places)) % words
                return {"cell_table": runs_of(cells)}
        return {"cell_table": runs_of(np.arange(count)), "cells": count}

    def _live(self, name: str) -> Iterator[np.ndarray]:
        """The elements with a value that is needed before these steps, and after them."""
        if self.window is not None:
            yield self.window.alive(self.program, name, before=True)
            yield self.window.alive(self.program, name, before=False)
            return
        low, high = self.cut or (0, self.steps - 1)
        yield self._needed(name, low)
        yield self._needed(name, high + 1)

    def _needed(self, name: str, step: int) -> np.ndarray:
        """Elements whose value at the start of a step is read in it or later, or live-out.

        What is read before it is written again has a value there: the program is sound.
        """
        import numpy as np

        live_out = self._elements(self.program.live_out, name)
        if not step:
            known = self._elements(self.program.live_in, name)
        else:
            known = np.concatenate(
                [
                    self._elements(self.program.live_in, name),
                    *(
                        touch.elements[made]
                        for one, touch in self._touches(name)
                        if touch.writes
                        for made in [_made(touch, one.steps < step)]
                    ),
                ]
            )
        if not len(known):
            return known
        later = [
            (one.ranks[made], touch.elements[made], touch.writes)
            for one, touch in self._touches(name)
            for made in [_made(touch, one.steps >= step)]
        ]
        rows = np.concatenate([known, live_out, *(elements for _, elements, _ in later)])
        codes = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
        far = np.iinfo(np.int64).max
        reads, writes = (np.full(codes.max() + 1, far) for _ in range(2))
        reads[codes[len(known) : len(known) + len(live_out)]] = far - 1
        start = len(known) + len(live_out)
        for ranks, elements, is_write in later:
            part = codes[start : start + len(elements)]
            np.minimum.at(writes if is_write else reads, part, ranks)
            start += len(elements)
        own = codes[: len(known)]
        # A read of the instance that writes comes first.
        wanted = (reads[own] <= writes[own]) & (reads[own] < far)
        needed: np.ndarray = distinct_rows(known[wanted])
        return needed

    def _touches(self, name: str) -> Iterator[tuple[Instances, Touch]]:
        for one in self.whole:
            for touch in one.touches:
                if touch.access.array == name:
                    yield one, touch

    def _elements(self, live: Any, name: str) -> np.ndarray:
        import numpy as np

        found = [
            distinct_points(fix_parameters(one, self.plan.params))
            for one in sets_of(live.intersect_params(self.program.context))
            if one.get_tuple_name() == name
        ]
        rank = len(self.plan.arrays[name].index)
        return np.concatenate(found) if found else np.empty((0, rank), dtype=np.int64)

    def _storage(self, one: ArrayPlan, place: int, part: PlannedPart, box: _Box) -> dict[str, Any]:
        memory = self.plan.memories[part.memory]
        served = [
            f"{touch.access.array}.{number}"
            for number, touch in enumerate(self._reads(one.name, place))
        ]
        found: dict[str, Any] = {
            "name": part.memory,
            "kind": memory.kind,
            "words": memory.words,
            "copies": memory.copies,
            "banks": memory.banks,
            "primitive": None
            if memory.primitive is None
            else f"{memory.primitive.count} {memory.primitive.name}",
            "operands": "all" if len(one.hardware.parts) == 1 else served,
            "takes": self._takes(one.name, part),
            "bank": None,
            "offset": None,
            "slots": None,
            "push": None,
            "taps": None,
        }
        if kind_named(memory.kind).has_slots:
            found["push"] = [
                instances.statement.name
                for instances in self.instances
                if any(t.writes and t.access.array == one.name for t in instances.touches)
            ]
            found["slots"] = memory.words
        if part.taps is not None and not self.program.lanes and self.part() is None:
            found["taps"] = self._taps(one.name, part)
        if part.banks is not None:
            found |= self._banks(one, place, box)
        elif part.mapping is not None and len(one.hardware.parts) > 1:
            entry = self._entry(one, place)
            own = addresses(read_folding(one.name, entry), box.points(), self.plan.params)
            found |= {"table": runs_of(own - part.base), "bank_words": part.mapping.cells}
        return found

    def _entry(self, one: ArrayPlan, place: int) -> dict[str, Any]:
        """A part in the shape of an array of plan.json."""
        document = self.subject.document["arrays"][one.name]
        return {**document, **document["holdings"]["hardware"]["parts"][place]}

    def _reads(self, name: str, place: int) -> Iterator[Touch]:
        for instances in self.instances:
            for touch in instances.touches:
                of_array = not touch.writes and touch.access.array == name
                if of_array and self._part(instances, touch) == place:
                    yield touch

    def _taps(self, name: str, part: PlannedPart) -> list[list[Any]] | None:
        """[statement, number of its access, writes between the newest element and its own].

        Beats of a chain are counted from the newest operand of a beat; the page counts from the
        newest element that was written. Both differ by as much for all reads of a statement.
        """
        import numpy as np

        pushes = [
            np.column_stack([instances.steps, touch.elements])[
                self._taken(part, touch) & (True if touch.present is None else touch.present)
            ]
            for instances in self.instances
            for touch in instances.touches
            if touch.writes and touch.access.array == name
        ]
        if not pushes or part.taps is None:
            return None
        pushed = np.concatenate(pushes)
        pushed = pushed[np.argsort(pushed[:, 0], kind="stable")]
        found = []
        for instances in self.instances:
            shift = None
            for number, touch in enumerate(instances.touches):
                operand = _operand(instances, touch)
                if touch.writes or touch.access.array != name or operand not in part.operands:
                    continue
                tap = part.taps[part.operands.index(operand)]
                kept = np.ones(len(instances.steps), dtype=bool)
                kept &= True if touch.present is None else touch.present
                kept &= True if touch.wire is None else ~touch.wire
                some = np.flatnonzero(kept)
                if shift is None and len(some):
                    first = int(some[0])
                    newest = int(np.searchsorted(pushed[:, 0], instances.steps[first])) - 1
                    own = np.flatnonzero((pushed[:, 1:] == touch.elements[first]).all(axis=1))
                    shift = newest - int(own[0]) - tap if len(own) else 0
                found.append([instances.statement.name, number, tap + (shift or 0)])
        return found

    def _takes(self, name: str, part: PlannedPart) -> list[int] | None:
        """For each write of the array, statement after statement, whether the part takes it."""
        import numpy as np

        if part.takes is None:
            return None
        flags = [
            self._taken(part, touch)
            for instances in self.instances
            for touch in instances.touches
            if touch.writes and touch.access.array == name
        ]
        return runs_of(np.concatenate(flags).astype("i8"))

    def _taken(self, part: PlannedPart, write: Touch) -> np.ndarray:
        """Mask of the elements of a write that a part takes."""
        import numpy as np

        from hlsmem.polyhedra.isl_text import parse_set
        from hlsmem.polyhedra.sweep import contains

        if part.takes is None:
            return np.ones(len(write.elements), dtype=bool)
        parsed = parse_set(part.takes, parameters=tuple(self.plan.params), what="takes")
        taken: np.ndarray = contains(fix_parameters(parsed, self.plan.params), write.elements)
        return taken

    def _banks(self, one: ArrayPlan, place: int, box: _Box) -> dict[str, Any]:
        """Bank and offset of each cell of the array's mapping, where a cell has one."""
        import numpy as np

        banked = read_banked(one.name, self._entry(one, place))
        mapping = mapping_of(one)
        assert banked is not None
        points = box.points()
        bank, offset = banks_and_offsets(banked, points)
        words = banked.words
        if mapping is None:
            return {"table": runs_of(bank * words + offset), "bank_words": words}
        own = addresses(read_folding(one.name, self._entry(one, 0)), points, self.plan.params)
        banks, offsets = np.full(mapping.cells, -1), np.full(mapping.cells, -1)
        inside = own >= 0
        banks[own[inside]], offsets[own[inside]] = bank[inside], offset[inside]
        same = (banks[own[inside]] == bank[inside]) & (offsets[own[inside]] == offset[inside])
        if not same.all():
            # Words of the banks are not the cells of the array's mapping: word by word instead.
            return {"table": runs_of(bank * words + offset), "bank_words": words}
        return {"bank": runs_of(banks), "offset": runs_of(offsets)}


def _made(touch: Touch, where: np.ndarray) -> np.ndarray:
    """Mask where an access is made, and touches a cell."""
    found = where if touch.present is None else where & touch.present
    return found if touch.wire is None else found & ~touch.wire


def _operand(one: Instances, touch: Touch) -> tuple[str, int]:
    """The stream and number of a read among the reads of its statement."""
    name = touch.access.array
    reads = [t for t in one.touches if not t.writes and t.access.array == name]
    number = next((k for k, t in enumerate(reads) if t is touch), 0)
    return f"m_{name}_{one.statement.name}", number


class _Box:
    """The box of an array's elements, with positions in row-major order."""

    def __init__(self, low: np.ndarray, high: np.ndarray) -> None:
        self.low, self.sides = low, high - low + 1

    def points(self) -> np.ndarray:
        """All its elements. Raises LimitError where they are too many to be drawn."""
        import numpy as np

        count = math.prod(self.sides.tolist())
        if count > ACCESSES:
            what = f"the accesses of an array lie among {count} elements"
            raise LimitError(Problem(what, f"{ACCESSES} are drawn; plan at smaller parameters"))
        if not len(self.low):
            return np.zeros((1, 0), dtype=np.int64)
        grid = np.indices(tuple(self.sides.tolist())).reshape(len(self.low), -1).T
        points: np.ndarray = grid + self.low
        return points

    def positions(self, rows: np.ndarray) -> np.ndarray:
        import numpy as np

        found = np.zeros(len(rows), dtype=np.int64)
        for axis, side in enumerate(self.sides):
            found = found * side + rows[:, axis] - self.low[axis]
        found.sort()
        return found


def _sources(subject: DesignUnderCheck, program: Program) -> list[dict[str, str]]:
    """The files that statements stand in, as they were read."""
    used = {
        place.file
        for one in program.statements
        for place in (
            one.source_location,
            *(access.source_location for access in (*one.reads, *one.writes)),
        )
        if place is not None
    }
    return [
        {"name": source.name, "text": source.text}
        for source in subject.design.sources
        if source.name in used
    ]


def _conflicting(subject: DesignUnderCheck, name: str) -> dict[str, Any]:
    """An array of a conflict set: its elements have no time, only conflicts."""
    from hlsmem.viewing.conflict_rows import elements_of

    facts = _facts(subject.plan, subject.plan.arrays[name])
    return facts | elements_of(subject, name)
