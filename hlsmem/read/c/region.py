"""The walk over a region: statements with their instances, times and accesses."""

from __future__ import annotations

from collections.abc import Iterator as Iterable
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from hlsmem.core.errors import Note, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.core.source_location import SourceLocation
from hlsmem.polyhedra import DimType, Set, Val
from hlsmem.polyhedra import piecewise as pw
from hlsmem.polyhedra.diagnosis import is_keyword
from hlsmem.program.model import Task
from hlsmem.read.c import tree, trips
from hlsmem.read.c.accesses import AccessReader, Touch, is_truth_value
from hlsmem.read.c.affine import NotAffineError, Reader
from hlsmem.read.c.guards import (
    Guard,
    NoFilterError,
    Told,
    WrittenFilter,
    culprits,
    read_guard,
)
from hlsmem.read.c.loops import Header, instances, read_header
from hlsmem.read.c.multifor import Marks, is_multifor, is_nest, mark_block
from hlsmem.read.c.normal.control_flow.if_conversion import place_of
from hlsmem.read.c.normal.rewrite_unit import Condition
from hlsmem.read.c.purity import is_pure_call
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.symbols import Iterator, Parameter, Scope, Variable, declare
from hlsmem.read.c.syntax import Region as WrittenRegion
from hlsmem.read.c.tasks import Region, Regions
from hlsmem.read.c.tree import INT, Number
from hlsmem.read.c.trees import changed, fresh, nodes_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A statement as it was written: one assignment or initialised declaration.

    `times` alternates slots (int) and loop dimensions (position, sign), outermost first;
    `loops` and `types` are the names and types of the loop variables. `trips` are the numbers of
    the iterations, from 0, as PwAffs over the loops up to each. With `filters` the node is an
    `if`, which reads `tests`; what is not written then gets the value of `kept`.
    """

    label: str | None
    node: Any
    domain: Any
    times: tuple[int | tuple[int, int], ...]
    loops: tuple[str, ...]
    types: tuple[Number, ...]
    reads: tuple[Touch, ...]
    write: Touch
    source_location: SourceLocation | None
    trips: tuple[Any, ...] = ()
    filters: tuple[WrittenFilter, ...] = ()
    tests: tuple[Touch, ...] = ()
    kept: Touch | None = None
    tasks: tuple[Task, ...] = ()

    @property
    def touches(self) -> tuple[Touch, ...]:
        """All accesses: what a condition reads, the operands, and what is written."""
        return (*self.tests, *self.reads, self.write)

    @property
    def predicate_reads(self) -> tuple[Touch, ...]:
        """Accesses that the filters and their conditions in C read."""
        return (*self.tests, *(one.touch for own in self.filters for one in own.predicate_reads))


@dataclass(frozen=True, slots=True)
class Position:
    """Position of the walk: names, instances, loops around, and the label just read.

    `tasks` are those around; `region` is the one whose items are read, which are tasks of it.
    """

    scope: Scope
    domain: Any
    times: tuple[int | tuple[int, int], ...] = ()
    loops: tuple[str, ...] = ()
    types: tuple[Number, ...] = ()
    label: Any = None
    trips: tuple[Any, ...] = ()
    tasks: tuple[Task, ...] = ()
    region: Region | None = None


@dataclass(slots=True)
class Walk:
    """Results of a walk; `counters` are variables declared outside the loops they count.

    `conditions` are variables that say whether conditions hold, and `ranges` promised values, by
    names; `tested` are places of conditions that are no filters on elements, `left` variables of
    loops whose `break` is refused.
    """

    reader: Reader
    problems: Problems
    regions: Regions
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    ranges: Mapping[str, tuple[QuasiPolynomial, QuasiPolynomial]] = field(default_factory=dict)
    statements: list[Written] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    counters: list[Variable] = field(default_factory=list)
    marks: Marks = field(default_factory=Marks)
    slots: dict[int, int] = field(default_factory=dict)  # of marked loops, by their identity
    told: dict[Variable, Told] = field(default_factory=dict)
    said: set[Variable] = field(default_factory=set)  # of those told, what the text has written
    tested: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)

    def accesses(self, position: Position, touches: list[Touch]) -> AccessReader:
        """A reader of expressions that stand at a position."""
        of_turns = {one: self.turn(one, position.domain) for one in self.told}
        scope = position.scope
        return AccessReader(self.reader, scope, self.problems, touches, of_turns)

    def turn(self, variable: Variable, domain: Any, *, before: bool | None = None) -> Any:
        """The subscripts of a condition's variable: its last value that the text has written."""
        told = self.told[variable]
        size = domain.dim(DimType.set)
        found = [pw.dimension(domain.space, k) for k in range(min(told.depth, size))]
        before = variable not in self.said if before is None else before
        if told.ends and before and len(found) == told.depth:
            found[-1] = found[-1].sub(pw.constant(domain.space, told.step))
        return tuple(found)


def walk_region(
    region: WrittenRegion,
    scope: Scope,
    reader: Reader,
    problems: Problems,
    conditions: Sequence[Condition] = (),
    ranges: Mapping[str, tuple[QuasiPolynomial, QuasiPolynomial]] | None = None,
    *,
    follows_pragmas: bool = True,
) -> Walk:
    """The statements of a region in textual order; everything refused goes to `problems`.

    Where it `follows_pragmas` those of DATAFLOW make tasks.
    """
    regions = Regions(reader.source, follows_pragmas)
    walk = Walk(reader, problems, regions, {one.name: one for one in conditions}, ranges or {})
    start = Position(
        scope.inner(),
        Set.universe(pw.instance_space(reader.parameters, 0)),
        region=regions.begun(region.parent.block_items, ()),
    )
    _block(walk, region.statements, start, _Slots())
    _check_counters(walk)
    return walk


class _Slots:
    """Textual positions in one loop body, nested blocks and branches included."""

    def __init__(self) -> None:
        self.next = 0

    def take(self) -> int:
        self.next += 1
        return self.next - 1


def _block(walk: Walk, nodes: Any, position: Position, slots: _Slots) -> None:
    nodes = list(nodes or ())
    for number, node in enumerate(nodes):
        if is_multifor(node):
            behind = nodes[number + 1] if number + 1 < len(nodes) else None
            _multifor(walk, node, behind, position)
        elif is_nest(node) and not walk.marks.blocks:
            source_location = walk.reader.source.place(node)
            walk.problems.add("a nest outside of a multifor block", "see multifor", source_location)
        _item(walk, node, position, slots)


def _multifor(walk: Walk, pragma: Any, block: Any, position: Position) -> None:
    source = walk.reader.source
    if position.loops:
        what = "a multifor block stands within a loop"
        walk.problems.add(what, "put it outermost in the region", source.place(pragma))
        return
    mark_block(pragma, block, walk.marks, source, walk.problems)


def _item(walk: Walk, node: Any, position: Position, slots: _Slots) -> None:
    scope, regions = position.scope, walk.regions
    match node:
        case None | tree.EmptyStatement() | tree.Pragma():
            pass
        case _ if position.region is not None and not regions.is_part(node):
            task = regions.task(position.region, node)
            inner = replace(position, tasks=(*position.tasks, task), region=None)
            _item(walk, node, inner, slots)
        case tree.Compound():
            own = position.region or regions.begun(node.block_items, position.times)
            inner = replace(_moved(position, scope=scope.inner()), region=own)
            _block(walk, node.block_items, inner, slots)
        case tree.Label():
            _item(walk, node.stmt, _moved(position, label=node), slots)
        case tree.For():
            _loop(walk, node, position, slots.take())
        case tree.If():
            _branch(walk, node, position, slots)
        case tree.Decl():
            _declaration(walk, node, position, slots)
        case tree.Assignment():
            _assignment(walk, node, position, slots)
        case tree.UnaryOp(op="++" | "--" | "p++" | "p--"):
            _assignment(walk, node, position, slots)
        case tree.Cast() | tree.FuncCall() | tree.ExprList():
            _expression(walk, node, position)
        case tree.Case() | tree.Default():
            for body in _bodies(node):
                _item(walk, body, _moved(position, scope=scope.inner()), slots)
        case _ if type(node) in _CONTROL:
            remedy = trips.REMEDY if isinstance(node, trips.LOOPS) else None
            if isinstance(node, tree.Break):
                remedy = _LEAVING
                walk.left.update(position.loops[-1:])
            _refuse(walk, Refusal.CONTROL_FLOW, node, _CONTROL[type(node)], remedy)
            for body in _bodies(node):
                _item(walk, body, _moved(position, scope=scope.inner()), slots)
        case _:
            _refuse(walk, Refusal.OTHER, node, "computes a value that is not used")


_CONTROL = {
    tree.While: "repeats while data ask for it",
    tree.DoWhile: "repeats while data ask for it",
    tree.Break: "leaves its loop early",
    tree.Continue: "leaves its iteration early",
    tree.Return: "leaves the region",
    tree.Switch: "chooses a branch by a value",
}
_LEAVING = (
    "write the loop as for (int i = first; i < end; i += step) over a variable of its own, with"
    " assignments, branches and such loops in it; what is needed of i behind it, note in front of"
    " break: last = i"
)


def _bodies(node: Any) -> Iterable[Any]:
    """Also analyse statements under refused control flow, to report all problems."""
    if isinstance(node, (tree.While, tree.DoWhile, tree.Switch)):
        yield node.stmt
    elif isinstance(node, (tree.Case, tree.Default)):
        yield from (s for s in node.stmts if not isinstance(s, tree.Break))


def _moved(position: Position, *, scope: Scope | None = None, label: Any = None) -> Position:
    return replace(position, scope=scope or position.scope, label=label)


# Loops.


def _loop(walk: Walk, node: Any, position: Position, slot: int) -> None:
    if id(node) in walk.marks.nests:
        walk.slots[id(node)] = slot
    outer, scope = position.scope, position.scope.inner()
    depth = len(position.loops)
    trip = None
    unknown = position.domain.add_dims(DimType.set, 1)
    header: Header | None = None
    try:
        header = read_header(node, outer, position.domain, walk.reader)
        scope.names[header.name] = Iterator(depth, header.type, header.name)
        _check_name(walk, node, header.name, position)
        leaves = any(told.ends and told.turns is None for told in walk.told.values())
        domain = instances(header, node, scope, position.domain, walk.reader, leaves=leaves)
        trip = _trip(header, outer, position.domain, walk.reader)
    except NotAffineError as error:
        _add(walk, error)
        domain = unknown
    for variable, told in walk.told.items():
        if told.ends and told.turns is None:
            step = 1 if header is None else header.step
            walk.told[variable] = replace(told, turns=domain, step=step)
    if header is None:
        # Go on with what the loop most likely counts, to find what else is refused.
        name = _likely_variable(node)
        if name:
            scope.names[name] = Iterator(depth, INT, name)
    elif header.variable is not None and header.variable not in walk.counters:
        walk.counters.append(header.variable)
    sign = -1 if header is not None and header.step < 0 else 1
    name = header.name if header is not None else f"c{depth}"
    inside = Position(
        scope,
        domain,
        (*position.times, slot, (depth, sign)),
        (*position.loops, name),
        (*position.types, header.type if header is not None else INT),
        trips=(*position.trips, trip),
        tasks=position.tasks,
    )
    inside = replace(inside, region=walk.regions.of_body(node.stmt, inside.times))
    slots = _Slots()
    _item(walk, node.stmt, inside, slots)


def _trip(header: Header, scope: Scope, domain: Any, reader: Reader) -> Any:
    """The number of an iteration, from 0, over the loops up to this one."""
    depth = domain.dim(DimType.set)
    first = reader.integer(header.first, scope, domain).expression
    space = domain.add_dims(DimType.set, 1).space
    apart = pw.dimension(space, depth).sub(pw.lift(first, depth + 1))
    apart = apart.neg() if header.step < 0 else apart
    return apart.scale_down_val(Val(abs(header.step))).floor()


def _check_name(walk: Walk, node: Any, name: str, position: Position) -> None:
    """A loop variable has a name of its own, by which texts of isl and of C may call it."""
    taken = {
        "of a loop around it": name in position.loops,
        "that params gives a value": name in walk.reader.parameters,
        "that is a keyword of isl": is_keyword(name),
    }
    what = next((what for what, is_so in taken.items() if is_so), "")
    if what:
        why = f"gives its variable the name '{name}' {what}"
        remedy = "use another name"
        raise walk.reader.refuse(Refusal.LOOP_VARIABLE, node, why, remedy)


def _likely_variable(node: Any) -> str | None:
    match node.init:
        case tree.DeclList(decls=[declaration, *_]):
            return str(declaration.name)
        case tree.Assignment(lvalue=tree.ID(name=name)):
            return str(name)
    return None


def _check_counters(walk: Walk) -> None:
    """A variable that counts a loop must not carry a value besides."""
    for statement in walk.statements:
        for touch in statement.touches:
            if touch.variable in walk.counters and touch.variable.name not in walk.left:
                why = "counts a loop and is used outside it"
                _refuse(walk, Refusal.LOOP_VARIABLE, touch.node, why, "use another variable")


# Branches.


def _branch(walk: Walk, node: Any, position: Position, slots: _Slots) -> None:
    guarded = _guarded(node)
    before = len(walk.statements)
    problem: NotAffineError | None = None
    try:
        then = walk.reader.condition(node.cond, position.scope, position.domain)
        otherwise = position.domain.subtract(then).coalesce()
    except NotAffineError as error:
        if guarded is not None and error.refusal is Refusal.NON_AFFINE_EXPRESSION:
            _assignment(walk, guarded, position, slots, guard=node)
            return
        problem, then, otherwise = error, position.domain, position.domain
    for body, domain in ((node.iftrue, then), (node.iffalse, otherwise)):
        inner = replace(position, scope=position.scope.inner(), domain=domain, label=None)
        _item(walk, body, inner, slots)
    leaves = any(isinstance(part, tree.Break) for part in nodes_of(node))
    if problem is None or (leaves and problem.refusal is Refusal.NON_AFFINE_EXPRESSION):
        return  # what is wrong with leaving a loop is said of `break`
    # A choice by data that only guards refused statements is not worth a message of its own.
    by_data = problem.refusal is Refusal.NON_AFFINE_EXPRESSION
    if not by_data or len(walk.statements) > before:
        what, source_location = problem.problem.what, problem.problem.source_location
        remedy = problem.problem.remedy
        if by_data:
            remedy = "choose in the value instead: x = condition ? value : x"
        walk.problems.add(what, remedy, source_location)


def _guarded(node: Any) -> Any | None:
    """The assignment that is all that a condition decides on; None where there is more."""
    body = node.iftrue
    while isinstance(body, tree.Compound) and len(body.block_items) == 1:
        body = body.block_items[0]
    is_step = isinstance(body, tree.UnaryOp) and body.op in ("++", "--", "p++", "p--")
    is_plain = isinstance(body, tree.Assignment) and not isinstance(body.rvalue, tree.Assignment)
    return body if node.iffalse is None and (is_step or is_plain) else None


# Statements.


def _declaration(walk: Walk, node: Any, position: Position, slots: _Slots) -> None:
    scope = position.scope
    variable = declare(node, scope, "region", position.domain)
    if variable is None:
        return
    walk.variables.append(variable)
    condition = walk.conditions.get(variable.name)
    if condition is not None:
        depth = len(position.loops) + condition.ends
        walk.told[variable] = Told(depth=depth, ends=condition.ends, turns=None, step=1)
    if node.init is None:
        return
    if variable.is_read_only and variable.shape.extents:
        why = "is a table inside the region"
        _refuse(walk, Refusal.OTHER, node, why, "declare it in front of #pragma scop")
        return
    if variable.shape.pointer:
        walk.reader.told.add(variable)
        why = "makes a pointer to what is no array, row or variable of its own"
        remedy = "point to one of these: of a member, use a variable and assign it"
        if _is_array(node.init, scope):
            why = f"is where '{variable.name}' points at first, and to another array later"
            remedy = _TURN
        _refuse(walk, Refusal.ALIASING, node.init, why, remedy)
        return
    if variable.shape.extents or isinstance(node.init, tree.InitList):
        why = "initialises an array that is no constant"
        remedy = "declare it const if nothing writes it, else assign its elements one by one"
        _refuse(walk, Refusal.OTHER, node, why, remedy)
        return
    node = _unchained(walk, node, "init", position, slots)
    _statement(walk, node, node, None, node.init, position, slots)


_TURN = "keep both in one array, t[2][..], and choose by an index that turns: t[k & 1]"


def _pointed(walk: Walk, node: Any, target: Any, pointer: Variable, scope: Scope) -> None:
    """Refuse that a pointer changes: one problem for pointers that change places."""
    value = node.rvalue if isinstance(node, tree.Assignment) and node.op == "=" else None
    other = scope.find(value.name) if isinstance(value, tree.ID) else None
    told = walk.reader.told
    if pointer not in told and other not in told:
        why = "moves by steps that have no closed form"
        remedy = (
            f"use subscripts: {pointer.name}[k]; it may move in every turn, "
            "or under conditions on one loop each, x >= 2 && y < 9"
        )
        if isinstance(other, Variable):
            why = f"points where '{other.name}' does, which is not one array"
            remedy = _TURN
        _refuse(walk, Refusal.ALIASING, target, why, remedy)
    told.add(pointer)
    if isinstance(other, Variable):
        told.add(other)


def _is_array(node: Any, scope: Scope) -> bool:
    symbol = scope.find(node.name) if isinstance(node, tree.ID) else None
    return isinstance(symbol, Variable) and bool(symbol.shape.extents) and not symbol.shape.pointer


def _assignment(
    walk: Walk, node: Any, position: Position, slots: _Slots, guard: Any = None
) -> None:
    target = node.lvalue if isinstance(node, tree.Assignment) else node.expr
    if isinstance(target, tree.ID):
        symbol = position.scope.find(target.name)
        if isinstance(symbol, Iterator):
            why = f"changes '{target.name}', the variable of its loop"
            _refuse(walk, Refusal.LOOP_VARIABLE, node, why)
            return
        if isinstance(symbol, Parameter):
            why = f"changes '{target.name}', which params gives a value"
            _refuse(walk, Refusal.OTHER, node, why, "use another variable")
            return
        if symbol is not None and not isinstance(symbol, Variable):
            _refuse(walk, Refusal.OTHER, node, "assigns to something that is no variable")
            return
        if isinstance(symbol, Variable) and symbol.shape.pointer:
            _pointed(walk, node, target, symbol, position.scope)
            return
    if not isinstance(target, (tree.ID, tree.ArrayRef, tree.UnaryOp, tree.StructRef)):
        _refuse(walk, Refusal.OTHER, node, "assigns to something that is no variable")
        return
    if isinstance(node, tree.UnaryOp):
        _statement(walk, node, target, target, None, position, slots, guard)
        return
    node = _unchained(walk, node, "rvalue", position, slots)
    updated = None if node.op == "=" else target
    _statement(walk, node, target, updated, node.rvalue, position, slots, guard)


def _unchained(walk: Walk, node: Any, key: str, position: Position, slots: _Slots) -> Any:
    """Of `a = b = x`, note `b = x` and return `a = b`, which has the same value (C99 6.5.16)."""
    inner = getattr(node, key)
    if not isinstance(inner, tree.Assignment):
        return node
    _assignment(walk, inner, _moved(position), slots)
    return changed(node, **{key: fresh(inner.lvalue)})


def _statement(
    walk: Walk,
    node: Any,
    target: Any,
    updated: Any,
    value: Any,
    position: Position,
    slots: _Slots,
    guard: Any = None,
) -> None:
    """Note `target = value`, or an update that reads `updated` first.

    With a `guard`, an `if` on data, it is all that this decides on.
    """
    touches: list[Touch] = []
    found = None if guard is None else _filters(walk, guard.cond, position)
    if found is not None:
        position = replace(position, domain=found.inside)
        if found.inside.is_empty():
            return
    accesses = walk.accesses(position, touches)
    certain = guard is None or found is not None
    if not certain:
        accesses.value(guard.cond, position.domain)
    if updated is not None:
        accesses.place(updated, position.domain, certain)
    if value is not None:
        accesses.value(value, position.domain, certain)
    reads = tuple(touches)
    touches.clear()
    if isinstance(target, tree.Decl):
        variable = position.scope.find(target.name)
        if isinstance(variable, Variable) and accesses.is_readable(variable, target, (0,)):
            touches.append(Touch(variable, target, (), position.domain, True))
    else:
        accesses.place(target, position.domain, certain)
    if not touches:
        return
    write, *inner = touches
    if write.variable in walk.told:
        own = walk.turn(write.variable, position.domain, before=False)
        write = replace(write, subscripts=own)
    # What an update reads to find its element it has read already.
    reads = reads if updated is not None else (*reads, *inner)
    _check_write(walk, node, target, value, write, position.scope)
    kept = None
    if write.variable in walk.told:
        kept = _kept(walk, write)
        walk.said.add(write.variable)
    walk.statements.append(
        Written(
            label=_label(walk, position),
            node=node if guard is None else changed(guard, iftrue=node),
            domain=position.domain,
            times=(*position.times, slots.take()),
            loops=position.loops,
            types=position.types,
            reads=reads,
            write=write,
            source_location=walk.reader.source.statement_place(node, guard),
            trips=position.trips,
            filters=found.filters if found is not None else (),
            tests=found.tests if found is not None else (),
            kept=kept,
            tasks=position.tasks,
        )
    )


def _filters(walk: Walk, condition: Any, position: Position) -> Guard | None:
    """The guard of the instances; None where it is no filter, so that they may run or not."""
    accesses = walk.accesses(position, [])
    try:
        return read_guard(condition, accesses, position.domain, walk.told, walk.ranges)
    except NoFilterError as error:
        walk.tested |= {place_of(one) for one in culprits(condition, error.node)}
        return None


def _kept(walk: Walk, write: Touch) -> Touch | None:
    """The read of a predicate that ends a loop, once the loop has ended: its value before."""
    told = walk.told[write.variable]
    if not told.ends:
        return None
    before = walk.turn(write.variable, write.inside, before=True)
    relation = pw.to_map(before, write.inside, "").reset_tuple_id(DimType.in_)
    inside = relation.intersect_range(told.turns).domain()
    return Touch(write.variable, write.node, before, inside, False)


def _check_write(
    walk: Walk, node: Any, target: Any, value: Any, write: Touch, scope: Scope
) -> None:
    scalar = write.variable.shape.scalar
    if write.variable.shape.constant and not isinstance(target, tree.Decl):
        _refuse(walk, Refusal.OTHER, node, f"assigns to '{write.variable.name}', which is const")
    truth = isinstance(scalar, Number) and scalar.is_bool
    plain = not isinstance(node, tree.Assignment) or node.op == "="
    if truth and not (plain and value is not None and is_truth_value(value, scope)):
        why = "keeps only whether the value is 0 in a _Bool"
        _refuse(walk, Refusal.OTHER, node, why, "write the value as a comparison, e.g. != 0")


def _label(walk: Walk, position: Position) -> str | None:
    if position.label is None:
        return None
    name = str(position.label.name)
    for earlier in walk.statements:
        if earlier.label == name:
            walk.problems.add(
                f"label '{name}' is used twice",
                "give each statement its own label",
                walk.reader.source.place(position.label),
                [Note("first used here", earlier.source_location)],
            )
    return name


def _expression(walk: Walk, node: Any, position: Position) -> None:
    if isinstance(node, tree.ExprList):
        _refuse(walk, Refusal.OTHER, node, "joins expressions with commas", "use semicolons")
        return
    if isinstance(node, tree.FuncCall) and not is_pure_call(node, position.scope):
        accesses = walk.accesses(position, [])
        accesses.value(node, position.domain)
    else:
        _refuse(walk, Refusal.OTHER, node, "computes a value that is not used")


def _refuse(walk: Walk, refusal: Refusal, node: Any, why: str, remedy: str | None = None) -> None:
    _add(walk, walk.reader.refuse(refusal, node, why, remedy))


def _add(walk: Walk, error: NotAffineError) -> None:
    problem = error.problem
    walk.problems.add(problem.what, problem.remedy, problem.source_location, problem.notes)
