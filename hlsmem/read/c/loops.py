"""The instances of a `for` loop: any spelling with a constant step and an affine condition."""

from __future__ import annotations

from typing import Any

from hlsmem.core.errors import Problem
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType, Map, Set, Val
from hlsmem.polyhedra import piecewise as pw
from hlsmem.read.c import tree, trips
from hlsmem.read.c.affine import OF_ARRAY, NotAffineError, Reader
from hlsmem.read.c.refusal import Refusal
from hlsmem.read.c.symbols import Iterator, Scope, Variable, shape_of
from hlsmem.read.c.tree import Number


@dataclass(frozen=True, slots=True)
class Header:
    """The parts of a `for` header; `step` is not 0. `variable` is None for `for (int i = ..`."""

    name: str
    type: Number
    variable: Variable | None
    first: Any
    condition: Any
    step: int


def read_header(node: Any, scope: Scope, domain: Any, reader: Reader) -> Header:
    """The header of a canonical loop; NotAffineError (LOOP_VARIABLE) says what it is not."""
    name, first, type, variable = _start(node, scope, reader)
    if node.cond is None:
        raise _refuse(reader, node, "has no condition")
    if node.next is None:
        raise _refuse(reader, node, "has no step")
    amount, sign = _step_expression(node, name, reader)
    step = 1
    if amount is not None:
        found = _constant(amount, scope, domain, reader)
        if found is None:
            raise _refuse(reader, node, f"does not step '{name}' by a constant")
        step = found
    if step == 0:
        raise _refuse(reader, node, f"steps '{name}' by 0")
    return Header(name, type, variable, first, node.cond, sign * step)


def _start(node: Any, scope: Scope, reader: Reader) -> tuple[str, Any, Number, Any]:
    match node.init:
        case tree.DeclList(decls=[tree.Decl() as declaration]) if declaration.init is not None:
            shape = shape_of(declaration.type)
            name, first, variable = declaration.name, declaration.init, None
        case tree.Assignment(op="=", lvalue=tree.ID(name=name), rvalue=first):
            symbol = scope.find(name)
            if isinstance(symbol, Iterator):
                raise _refuse(reader, node, f"uses '{name}', the variable of a loop around it")
            if not isinstance(symbol, Variable):
                raise _refuse(reader, node, f"counts with '{name}', which is no variable")
            shape, variable = symbol.shape, symbol
        case tree.DeclList() | tree.ExprList():
            raise _refuse(reader, node, "has more than one variable")
        case _:
            raise _refuse(reader, node, "does not set its variable")
    if shape.extents or not isinstance(shape.scalar, Number):
        raise _refuse(reader, node, f"counts with '{name}', which is no integer variable")
    return name, first, shape.scalar, variable


def _step_expression(node: Any, name: str, reader: Reader) -> tuple[Any, int]:
    """The amount (None: 1) and the sign of the step."""
    match node.next:
        case tree.UnaryOp(op="++" | "p++", expr=tree.ID(name=stepped)) if stepped == name:
            return None, 1
        case tree.UnaryOp(op="--" | "p--", expr=tree.ID(name=stepped)) if stepped == name:
            return None, -1
        case tree.Assignment(op="+=" | "-=" as change, lvalue=tree.ID(name=stepped), rvalue=amount):
            if stepped == name:
                return amount, 1 if change == "+=" else -1
        case tree.Assignment(op="=", lvalue=tree.ID(name=stepped), rvalue=value):
            if stepped == name:
                match value:
                    case tree.BinaryOp(
                        op="+" | "-" as op, left=tree.ID(name=counted), right=amount
                    ) if counted == name:
                        return amount, 1 if op == "+" else -1
                    case tree.BinaryOp(op="+", left=amount, right=tree.ID(name=counted)) if (
                        counted == name
                    ):
                        return amount, 1
    raise _refuse(reader, node, f"does not step '{name}' by a constant")


def _constant(node: Any, scope: Scope, domain: Any, reader: Reader) -> int | None:
    try:
        value = reader.integer(node, scope, domain, wraps=True)
    except NotAffineError:
        return None
    return pw.constant_value(value.expression)


def _refuse(reader: Reader, node: Any, why: str) -> NotAffineError:
    return reader.refuse(Refusal.LOOP_VARIABLE, node, why)


def instances(
    header: Header, node: Any, scope: Scope, domain: Any, reader: Reader, *, leaves: bool = False
) -> Any:
    """{ [x, i] }: the values the loop variable takes in each instance x of `domain`.

    `scope` is the scope of the loop body: the variable is bound to the dimension behind
    those of `domain`. Data may end a loop that `leaves`. Raises NotAffineError.
    """
    depth = domain.dim(DimType.set)
    first = reader.integer(header.first, _outside(scope), domain)
    sequence = _sequence(header, pw.lift(first.expression, depth + 1), domain)
    try:
        holds = reader.condition(header.condition, scope, sequence, wraps=True)
        reached, tested = _until(header.step, sequence, holds)
        reader.condition(header.condition, scope, tested)
    except NotAffineError as error:
        raise _as_bound(error) from None
    _check_range(header, node, depth, tested, reader)
    return _ending(node, header, domain, reached, sequence.subtract(holds), reader, leaves=leaves)


def _outside(scope: Scope) -> Scope:
    return scope.parent or scope


_PROMISE = "or what values it has: #pragma hlsmem values NAME(0, 64), or arrays.NAME.values"


def _as_bound(error: NotAffineError) -> NotAffineError:
    """Non-affine conditions of loops are a class of their own."""
    if error.refusal is not Refusal.NON_AFFINE_EXPRESSION:
        return error
    old, new = Refusal.NON_AFFINE_EXPRESSION, Refusal.NON_AFFINE_BOUND
    problem = error.problem
    what = problem.what.replace(old.value, new.value, 1)
    remedy = problem.remedy
    if remedy == old.remedy:
        is_data = what.endswith(OF_ARRAY)
        remedy = f"{new.remedy}, or {trips.REMEDY}, {_PROMISE}" if is_data else new.remedy
    return NotAffineError(Problem(what, remedy, problem.source_location, problem.notes), new)


def _sequence(header: Header, first: Any, domain: Any) -> Any:
    """All values first, first + step, .. without end."""
    depth = domain.dim(DimType.set)
    inside = domain.add_dims(DimType.set, 1)
    distance = pw.dimension(inside.space, depth).sub(first)
    if header.step < 0:
        distance = distance.neg()
    inside = inside.intersect(distance.nonneg_set())
    if abs(header.step) > 1:
        remainder = distance.mod_val(Val(abs(header.step)))
        inside = inside.intersect(remainder.eq_set(pw.constant(inside.space, 0)))
    return inside


def _until(step: int, sequence: Any, holds: Any) -> tuple[Any, Any]:
    """The values before the condition first fails, and those at which it is tested."""
    depth = sequence.dim(DimType.set) - 1
    fails = sequence.subtract(holds)
    after = _later_or_same(sequence.space, depth, step)
    failed = fails.apply(after).intersect(sequence)
    # Nearly always the condition fails once and for all: no subtraction that splits sets.
    if failed.is_subset(fails):
        reached = sequence.intersect(holds)
    else:
        reached = sequence.subtract(failed)
    reached = reached.coalesce()
    following = _shifted(reached, depth, step).union(reached)
    start = sequence.subtract(_shifted(sequence, depth, step))
    return reached, following.union(start)


def _later_or_same(space: Any, depth: int, step: int) -> Any:
    relation = Map.universe(space.map_from_set())
    for position in range(depth):
        relation = relation.equate(DimType.in_, position, DimType.out, position)
    if step > 0:
        return relation.order_le(DimType.in_, depth, DimType.out, depth)
    return relation.order_ge(DimType.in_, depth, DimType.out, depth)


def _shifted(values: Any, depth: int, step: int) -> Any:
    """The set moved by `step` along its last dimension."""
    space = values.space
    components = [pw.dimension(space, position) for position in range(depth)]
    moved = pw.dimension(space, depth).add(pw.constant(space, step))
    relation = pw.to_map([*components, moved], Set.universe(space), "moved")
    return values.apply(relation.reset_tuple_id(DimType.in_))


def _check_range(header: Header, node: Any, depth: int, tested: Any, reader: Reader) -> None:
    """Refuse loops whose variable may leave the range of its type; overflow of int is undefined."""
    type = header.type
    if type.signed and type.bits >= 32:
        return
    space = tested.space
    value = pw.dimension(space, depth)
    low = value.ge_set(pw.constant(space, type.least))
    high = value.le_set(pw.constant(space, type.greatest))
    if not reader.holds_as_given(tested, low.intersect(high)):
        kind = "signed" if type.signed else "unsigned"
        why = f"may take '{header.name}' out of its {kind} type of {type.bits} bits"
        raise reader.refuse(Refusal.UNSIGNED_WRAP, node, why)


def _ending(
    node: Any,
    header: Header,
    domain: Any,
    reached: Any,
    fails: Any,
    reader: Reader,
    *,
    leaves: bool,
) -> Any:
    """`reached`, restricted to where the loop ends; a loop that runs away is refused."""
    depth = domain.dim(DimType.set)
    ends = fails.project_out(DimType.set, depth, 1)
    if reader.holds(domain, ends):
        return reached
    unequal = isinstance(header.condition, tree.BinaryOp) and header.condition.op == "!="
    if not unequal or not header.type.signed or ends.is_empty():
        raise _refuse(reader, node, f"may step '{header.name}' past its bound without end")
    if leaves:
        why = f"may step '{header.name}' past its bound, until data end it"
        remedy = f"compare by {'>' if header.step < 0 else '<'}, where no turn runs past the bound"
        raise reader.refuse(Refusal.LOOP_VARIABLE, node, why, remedy)
    # Running past the bound would overflow, which is undefined: it does not happen.
    return reached.intersect(ends.add_dims(DimType.set, 1))
