"""Windows and line buffers that a kernel shifts by hand, read where their values come from.

`w[0] = w[1]; w[1] = in[x];` in every iteration holds in `w[0]` what `in[x - 1]` has. Synthesis
tools keep such a window in registers. For a planner of memories it hides which element is needed
when: each move is a statement with accesses of its own. Here a read of a window becomes a read of
the element that its value was copied from, by exact dataflow over all copies on the way; what only
holds copies then is no variable any more. The plan makes the line buffers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field, replace
from functools import reduce
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.polyhedra import DimType, Map
from hlsmem.polyhedra.extremes import lexmin
from hlsmem.polyhedra.generated_loops import condition_in_c
from hlsmem.polyhedra.quantities import quantity_of
from hlsmem.program.model import Array, Storage
from hlsmem.read.c import names, tree
from hlsmem.read.c.accesses import Touch
from hlsmem.read.c.flat_arrays import Flat, touches_of
from hlsmem.read.c.normal.rewrite_unit import Rewrite, Unit
from hlsmem.read.c.operations import conditional
from hlsmem.read.c.region import Walk, Written
from hlsmem.read.c.statements import depth_of, times_of
from hlsmem.read.c.symbols import Variable, whole_type
from hlsmem.read.c.syntax import Region
from hlsmem.read.c.tree import INT, Number, element_of
from hlsmem.read.c.trees import (
    changed,
    element,
    expression,
    formula,
    fresh,
    name,
    nodes_of,
    rewrite,
    rewrite_statements,
    without,
)
from hlsmem.read.c.types import ScalarType
from hlsmem.read.c.value_origins import (
    Copies,
    NotCopiedError,
    Origin,
    is_copy,
    is_sure,
    relation,
    scalar_of,
)

# The variable that a pragma of HLS is about.
_ABOUT = re.compile(r"\bvariable\s*=\s*(\w+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PropagatedWindow:
    """The variables that are gone, and the copies that read what they held, by the array read.

    Others stay as what they hold at first is `unset`.
    """

    variables: tuple[Variable, ...] = ()
    sources: Mapping[Variable, Sequence[Written]] = field(default_factory=dict)
    unset: frozenset[Variable] = frozenset()


def read_at_their_source(
    unit: Unit,
    walk: Walk,
    region: Region,
    flat: Mapping[Variable, Flat],
    kept: frozenset[str] = frozenset(),
    *,
    fills: bool = False,
) -> tuple[Unit, PropagatedWindow]:
    """The unit without the variables that are shifted by hand, and these; itself without any.

    `walk` are its statements. A variable stays where its name is among those `kept`, where a read
    of it may see what was no copy, or where an element that was copied has another value by then.
    What nothing has written is 0 where it `fills` that.
    """
    outside, stay = names.names_outside(region) | kept, set[Variable]()
    unset = frozenset[Variable]()

    def may_go(variable: Variable) -> bool:
        return variable not in stay and _is_own(variable, outside)

    moved = {one.write.variable for one in walk.statements if _is_shift(one)}
    while moved := set(filter(may_go, moved)):
        gone = _with_what_they_copy(moved, walk.statements, may_go)
        copies = Copies(tuple(walk.statements), frozenset(gone), walk.reader.assumed, fills)
        handed = _Propagated(copies, flat)
        users, seen, is_unset = handed.users()
        unset |= frozenset(gone if is_unset else ())
        if not seen:
            made = _rewritten(unit, handed, users)
            left = {id(node) for node in nodes_of(made.function.body)}
            if any(id(t.node) in left for t in touches_of(walk.statements) if t.variable in gone):
                return unit, PropagatedWindow(unset=unset)
            return made, PropagatedWindow(
                tuple(sorted(gone, key=_declared)), copies.sources, unset - gone
            )
        if not seen & gone:
            break
        stay |= seen
    return unit, PropagatedWindow(unset=unset)


def with_single_assignments(unit: Unit) -> Unit:
    """The unit with `b = x; a = b;` in place of `a = b = x`, which can go one by one (C99 6.5.16).

    Statements with labels stay.
    """

    def replaced(node: Any) -> Any | None:
        if isinstance(node, tree.Label):
            return node
        key = "init" if isinstance(node, tree.Decl) else "rvalue"
        inner = getattr(node, key, None)
        if not isinstance(inner, tree.Assignment):
            return None
        first = replaced(inner) or [inner]
        return [*first, changed(node, **{key: fresh(inner.lvalue)})]

    return unit.with_region(
        lambda old: [
            more
            for one in old
            for made in [rewrite_statements(one, replaced)]
            for more in (made if isinstance(made, list) else [made])
        ]
    )


def _declared(variable: Variable) -> str:
    return str(variable.name)


def _is_own(variable: Variable, outside: frozenset[str]) -> bool:
    """True if the variable is private to the region."""
    if variable.scope not in ("local", "region") or variable.root is not None or variable.members:
        return False
    shape = variable.shape
    return variable.name not in outside and not (shape.pointer)


def _is_shift(one: Written) -> bool:
    """True if a copy moves elements of an array by a constant distance, more than once."""
    if not is_copy(one) or one.reads[0].variable is not one.write.variable:
        return False
    source, target = (relation(touch) for touch in (one.reads[0], one.write))
    moves = source.reverse().apply_range(target).deltas()
    if not moves.is_singleton() or lexmin(moves).is_equal(lexmin(moves).neg()):
        return False
    return not target.is_injective()


def _with_what_they_copy(
    moved: set[Variable], statements: Sequence[Written], may_go: Callable[[Variable], bool]
) -> set[Variable]:
    """The variables, and all that may go and only hands values on to them or from them."""
    found = set(moved)
    while True:
        more = set[Variable]()
        for one in filter(is_copy, statements):
            source, target = one.reads[0].variable, one.write.variable
            known = found | more
            if target in found and source not in known and may_go(source):
                more |= {source} if _hands_on(source, statements) else set()
            if source in found and target not in known and may_go(target):
                more |= {target} if all(_copies_to(target, statements)) else set()
        if not more:
            return found
        found |= more


def _hands_on(variable: Variable, statements: Sequence[Written]) -> bool:
    """True if some values of a variable are copies, and an element has several in turn. Where an
    element has one value only, it still has it when the source of the copy is read.

    What has one value an element still has it when what was copied from it is read.
    """
    own = [one for one in statements if one.write.variable is variable]
    if not any(map(is_copy, own)):
        return False
    if not all(is_sure(one.write) for one in own):
        return True
    written = [
        times_of(one, "S", depth_of(statements)).reverse().apply_range(relation(one.write))
        for one in own
    ]
    return not reduce(Map.union, written).is_injective()


def _copies_to(variable: Variable, statements: Sequence[Written]) -> list[bool]:
    """Of each statement that writes a variable, whether it is a copy."""
    return [is_copy(one) for one in statements if one.write.variable is variable]


@dataclass(frozen=True, eq=False)
class _Propagated:
    """Statements without the variables that are gone, which are in `copies`."""

    copies: Copies
    flat: Mapping[Variable, Flat]

    @property
    def gone(self) -> frozenset[Variable]:
        return self.copies.gone

    @property
    def statements(self) -> tuple[Written, ...]:
        return self.copies.statements

    def users(self) -> tuple[dict[int, Any], set[Variable], bool]:
        """The statements that stay and read what is gone, by their nodes, with other reads.

        And the variables of which reads cannot be put elsewhere, and whether one is of what
        nothing has written.
        """
        made, kept, is_unset = dict[int, Any](), set[Variable](), False
        times = Counter(id(one.node) for one in self.statements)
        for one in self.statements:
            if one.write.variable in self.gone:
                continue
            if not any(touch.variable in self.gone for touch in (*one.reads, *one.predicate_reads)):
                continue
            try:
                made[id(one.node)] = self.statement(one, is_once=times[id(one.node)] == 1)
            except NotCopiedError as stays:
                kept.add(stays.variable)
                is_unset |= stays.is_unset
        return made, kept, is_unset

    def statement(self, one: Written, *, is_once: bool) -> Any:
        """The node of a statement whose reads are of other elements; it has to be there once."""
        for touch in one.predicate_reads:
            if touch.variable in self.gone:
                raise NotCopiedError(touch.variable)
        texts = {
            id(touch.node): self._text(one, touch)
            for touch in one.reads
            if touch.variable in self.gone
        }
        found = sum(id(part) in texts for part in nodes_of(one.node))
        if found != len(texts) or not is_once:
            raise NotCopiedError(next(t.variable for t in one.reads if t.variable in self.gone))
        return rewrite(one.node, lambda part: texts.get(id(part)))

    def _text(self, one: Written, touch: Touch) -> Any:
        """The element that a read is of, where its value comes from."""
        known = [*one.loops, *_parameters(touch)]
        origin = self.copies.origin(one, touch)
        is_member = origin.source.root is not None  # C has no variable of its name
        if is_member or not self._are_names_of_one_thing([*known, origin.source.name]):
            raise NotCopiedError(touch.variable)
        if not all(
            _holds(scalar_of(between), scalar_of(origin.source)) for between in origin.passed
        ):
            raise NotCopiedError(touch.variable)
        subscripts = self._subscripts(one, touch, origin)
        if subscripts is None:
            raise NotCopiedError(touch.variable)
        place = touch.node.place
        trees = [formula(subscript, place) for subscript in subscripts]
        value = element(name(origin.source.name, whole_type(origin.source.shape), place), trees)
        instances = touch.inside.set_tuple_name("S").intersect_params(self.copies.assumed)
        for constant, where in origin.constants.items():
            there = instances.intersect(where).coalesce().gist(instances)
            test = condition_in_c(there, one.loops)
            if "floord" in test:
                raise NotCopiedError(touch.variable)
            value = conditional(expression(test, place), expression(constant, place), value, place)
        return _as(touch.variable, origin.source, value)

    def _are_names_of_one_thing(self, found: Sequence[str]) -> bool:
        """True if names mean the same wherever they stand: nothing inside declares them anew."""
        touched = {touch.variable.object for touch in touches_of(self.statements)}
        variables = Counter(one.name for one in touched)
        return len(set(found)) == len(found) and all(
            variables[one] <= (one == found[-1]) for one in found
        )

    def _subscripts(
        self, one: Written, touch: Touch, origin: Origin
    ) -> list[QuasiPolynomial] | None:
        """The subscripts of the elements in the loops around; None where they have no one form."""
        instances = touch.inside.set_tuple_name("S").intersect_params(self.copies.assumed)
        known = origin.elements.intersect_domain(instances)
        instances = instances.intersect(known.domain())
        size, parameters = len(one.loops), len(_parameters(touch))
        bound = known.move_dims(DimType.param, parameters, DimType.in_, 0, size).range()
        inside = instances.move_dims(DimType.param, parameters, DimType.set, 0, size).params()
        for k, loop in enumerate(one.loops):
            bound = bound.set_dim_name(DimType.param, parameters + k, loop)
            inside = inside.set_dim_name(DimType.param, parameters + k, loop)
        found = []
        for k in range(bound.dim(DimType.set)):
            form = quantity_of(bound.dim_max(k), inside)
            if form is None or form.is_rounded():
                return None
            found.append(form)
        if origin.source not in self.flat:
            return found
        *rows, last = found
        strides = self.flat[origin.source].strides
        return [sum((row * stride for row, stride in zip(rows, strides, strict=True)), start=last)]


def _parameters(touch: Touch) -> list[str]:
    space = touch.inside.get_space()
    return [space.get_dim_name(DimType.param, k) for k in range(space.dim(DimType.param))]


def _holds(wide: ScalarType | None, narrow: ScalarType | None) -> bool:
    """True if the type `wide` has all values of `narrow`."""
    if wide == narrow:
        return True
    if not (isinstance(wide, Number) and isinstance(narrow, Number)):
        return False
    return wide.least <= narrow.least and narrow.greatest <= wide.greatest


def _as(variable: Variable, source: Variable, value: Any) -> Any:
    """The value in the type of the variable: a cast, but where both are an int when used."""
    own, other = scalar_of(variable), scalar_of(source)
    if own == other or (_is_small(own) and _is_small(other)):
        return value
    return tree.Cast(value, element_of(variable.declaration.type), place=value.place)


def _is_small(scalar: ScalarType | None) -> bool:
    """True if an int has all values of the type, so that C promotes it to int."""
    return scalar is not None and _holds(INT, scalar)


def _rewritten(unit: Unit, handed: _Propagated, users: Mapping[int, Any]) -> Unit:
    """The unit with the reads elsewhere, and without what is written to variables that go."""
    new = {node: [made] for node, made in users.items()}
    for one in handed.statements:
        if one.write.variable in handed.gone:
            new[id(one.node)] = []
    made = unit.with_region(lambda old: [more for one in old for more in without(one, new)])
    declared = {id(variable.declaration) for variable in handed.gone}
    gone = {variable.name for variable in handed.gone}
    gone -= {
        touch.variable.name
        for touch in touches_of(handed.statements)
        if touch.variable not in handed.gone
    }

    def left(node: Any) -> Any | None:
        told = _ABOUT.search(node.string) if isinstance(node, tree.Pragma) else None
        is_gone = id(node) in declared or (told is not None and told[1] in gone)
        return [] if is_gone else None

    body = rewrite_statements(made.function.body, left)
    if body is made.function.body:
        return made
    return made.with_function(changed(made.function, body=body))


def with_arrivals(
    handed: PropagatedWindow,
    arrays: Mapping[Variable, Array],
    statements: Sequence[Written],
    kept: Collection[str],
) -> dict[Variable, Array]:
    """The arrays, of which those are streams whose elements were copied in their order, once each.

    A kernel with line buffers of its own reads no element again: it takes a stream. Parameters
    alone are meant, that nothing writes, and are not `kept` as they are. What counts the elements
    of a flat one in several loops does not show in the reads that are left, which may leave out
    some iterations: it arrives at those that copied it. `statements` are those that are left.
    """
    found = _in_order(handed, arrays, statements)
    written = {one.write.variable.name for one in statements}

    def made(array: Array) -> Array:
        if array.name not in found or array.name in written | set(kept):
            return array
        is_outside = array.storage is Storage.EXTERNAL and array.is_parameter
        storage = Storage.STREAM if is_outside else array.storage
        return replace(array, storage=storage, arrival=found[array.name])

    return {variable: made(array) for variable, array in arrays.items()}


def _in_order(
    handed: PropagatedWindow, arrays: Mapping[Variable, Array], statements: Sequence[Written]
) -> dict[str, Any]:
    """The arrays whose elements were first copied in their order, one by one.

    Of flat ones that several loops count { X[k] -> [time] } of that iteration, None of others.
    """
    found = {}
    for source, copies in handed.sources.items():
        array = next((a for v, a in arrays.items() if v.name == source.name), None)
        users = [
            one
            for one in statements
            if any(
                touch.variable.name == source.name for touch in (*one.reads, *one.predicate_reads)
            )
        ]
        loops = {one.loops for one in copies}
        if array is None or len(loops) != 1:
            continue
        ((names_of_loops,),) = (loops,)
        size = len(names_of_loops)
        places = {one.times[: 2 * size] for one in users if one.loops[:size] == names_of_loops}
        if len(places) != 1 or any(one.loops[:size] != names_of_loops for one in users):
            continue
        (place,) = places
        moved = [replace(copy, times=(*place, -1)) for copy in copies]
        made = [
            relation(copy.reads[0])
            .reverse()
            .apply_range(times_of(copy, "S", depth_of(statements)))
            .set_tuple_name(DimType.in_, array.name)
            for copy in moved
        ]
        first = lexmin(reduce(Map.union, made)).coalesce()
        if first.is_injective() and first.lex_lt_map(first).is_subset(
            Map.lex_lt(first.domain().get_space())
        ):
            found[array.name] = first if len(array.index) == 1 < size else None
    return found


PROPAGATED = Rewrite(
    name="windows",
    description="windows and line buffers shifted by hand, read where their values come from",
    run=lambda unit: unit,
)
