"""Loops that visit statement instances in schedule order, from isl's AST generator.

Source: Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than scanning
polyhedra" (TOPLAS 2015), as implemented in isl.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import islpy as _isl

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import PolyhedralError
from hlsmem.polyhedra.memoized import kept
from hlsmem.polyhedra.relations import with_names

# Loops that are kept: candidates for the storage of an array have most of their streams in common.
_KEPT = 256


@dataclass(frozen=True, slots=True)
class Visit:
    """One instance of a statement: its name and the values of its iterators."""

    statement: str
    coordinates: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """`for (iterator = first; condition; iterator += step)`; the step is a positive integer.

    `last` is the greatest allowed value of the iterator (inclusive), or None where isl gives
    a condition that is no upper bound. A degenerate loop runs once.
    """

    iterator: str
    first: Expression
    condition: Expression
    last: Expression | None
    step: int
    body: Node
    degenerate: bool = False


@dataclass(frozen=True, slots=True)
class Guard:
    """`if (condition) then else otherwise`."""

    condition: Expression
    then: Node
    otherwise: Node | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """Nodes one after another."""

    nodes: tuple[Node, ...]


Node = Visit | Loop | Guard | Block


def generate(
    schedule: Any, context: Any, iterators: Sequence[str], *, apart: bool = False
) -> Node | None:
    """The loops that visit the domain of `schedule` (UnionMap to one time space) in order.

    `iterators` names the time dimensions; `context` constrains the parameters. None where
    nothing is ever visited. Instances at equal times come in an unspecified order. `apart` splits
    every loop where other statements begin or end, so that few tests are left inside, if isl can.
    """
    names = tuple(iterators)
    try:
        return _generated(schedule, context, names, apart)
    except PolyhedralError:
        # Where it splits loops, isl fails at quotients that it has no form for.
        # Where a limit of work was hit instead, the second attempt fails as well.
        if not apart:
            raise
        return _generated(schedule, context, names, False)


@kept(_KEPT)
def _generated(schedule: Any, context: Any, iterators: tuple[str, ...], apart: bool) -> Node | None:
    if schedule.is_empty():
        return None
    build = _isl.AstBuild.from_context(context)
    names = _isl.IdList.alloc(_isl.DEFAULT_CONTEXT, len(iterators))
    for name in iterators:
        names = names.add(_isl.Id(name))
    build = build.set_iterators(names)
    if apart:
        times = f"[{', '.join(f't{position}' for position in range(len(iterators)))}]"
        parts = (f"{times} -> separate[{position}]" for position in range(len(iterators)))
        build = build.set_options(_isl.UnionMap(f"{{ {'; '.join(parts)} }}"))
    return _node(build.node_from_schedule_map(schedule))


def condition(inside: Any, context: Any) -> Expression:
    """The condition on parameters and named dimensions under which a point lies in `inside`.

    `inside` is a parameter set (use `Set.bind`-like renaming first); `context` as above.
    """
    return _expression(_isl.AstBuild.from_context(context).expr_from_set(inside))


def condition_in_c(points: Any, names: Sequence[str]) -> str:
    """C that says whether a point, its coordinates so named, lies in a set without parameters.

    The text may call floord(n, d), the quotient rounded towards minus infinity, min and max.

    >>> condition_in_c(_isl.Set("{ S[y, x] : 0 <= x < 4 and y <= 7 }"), ["i", "j"])
    'i <= 7 && j >= 0 && j <= 3'
    """
    points = points.reset_tuple_id() if points.has_tuple_id() else points
    points = with_names(points, _isl.dim_type.set, names)
    inside = points.move_dims(_isl.dim_type.param, 0, _isl.dim_type.set, 0, len(names)).params()
    everywhere = _isl.Set.universe(inside.get_space())
    text: str = _isl.AstBuild.from_context(everywhere).expr_from_set(inside).to_C_str()
    return text


def expression_of(value: Any, context: Any) -> Expression:
    """A quasi-affine expression (PwAff on a parameter domain) as a tree."""
    return _expression(_isl.AstBuild.from_context(context).expr_from_pw_aff(value))


_node_type: Any = _isl.ast_node_type
_expr_type: Any = _isl.ast_expr_type
_op_type: Any = _isl.ast_expr_op_type

_OPERATORS = {
    _op_type.add: Operator.ADD,
    _op_type.sub: Operator.SUBTRACT,
    _op_type.mul: Operator.MULTIPLY,
    _op_type.div: Operator.EXACT_DIVIDE,
    _op_type.fdiv_q: Operator.FLOOR_DIVIDE,
    # The dividend of these three is promised to be non-negative, or only compared with 0.
    _op_type.pdiv_q: Operator.QUOTIENT,
    _op_type.pdiv_r: Operator.REMAINDER,
    _op_type.zdiv_r: Operator.REMAINDER,
    _op_type.min: Operator.MINIMUM,
    _op_type.max: Operator.MAXIMUM,
    _op_type.cond: Operator.SELECT,
    _op_type.select: Operator.SELECT,
    _op_type.eq: Operator.EQUAL,
    _op_type.le: Operator.LESS_EQUAL,
    _op_type.lt: Operator.LESS,
    _op_type.ge: Operator.GREATER_EQUAL,
    _op_type.gt: Operator.GREATER,
    _op_type.and_: Operator.AND,
    _op_type.and_then: Operator.AND,
    _op_type.or_: Operator.OR,
    _op_type.or_else: Operator.OR,
}


def _node(node: Any) -> Node:
    kind = node.get_type()
    if kind == _node_type.for_:
        return _loop(node)
    if kind == _node_type.if_:
        otherwise = _node(node.if_get_else_node()) if node.if_has_else_node() else None
        return Guard(_expression(node.if_get_cond()), _node(node.if_get_then_node()), otherwise)
    if kind == _node_type.block:
        children = node.block_get_children()
        return Block(tuple(_node(children.get_at(i)) for i in range(children.n_ast_node())))
    if kind == _node_type.user:
        call = node.user_get_expr()
        arguments = [_expression(call.get_op_arg(i)) for i in range(call.get_op_n_arg())]
        name = arguments[0]
        if not isinstance(name, Name):
            raise AssertionError(f"isl calls something unnamed: {call.to_C_str()}")
        return Visit(name.name, tuple(arguments[1:]))
    raise AssertionError(f"isl made a node of unknown kind {kind}")


def _loop(node: Any) -> Loop:
    iterator = _expression(node.for_get_iterator())
    if not isinstance(iterator, Name):
        raise AssertionError("isl made a loop without an iterator")
    first = _expression(node.for_get_init())
    body = _node(node.for_get_body())
    if node.for_is_degenerate():
        bound = Operation(Operator.LESS_EQUAL, (iterator, first))
        return Loop(iterator.name, first, bound, first, 1, body, degenerate=True)
    step = _expression(node.for_get_inc())
    if not isinstance(step, Integer) or step.value < 1:
        raise AssertionError("isl made a loop with a step that is no positive constant")
    test = _expression(node.for_get_cond())
    return Loop(iterator.name, first, test, _last(iterator, test), step.value, body)


def _last(iterator: Name, test: Expression) -> Expression | None:
    match test:
        case Operation(Operator.LESS_EQUAL, (left, bound)) if left == iterator:
            return bound
        case Operation(Operator.LESS, (left, bound)) if left == iterator:
            return Operation(Operator.SUBTRACT, (bound, Integer(1)))
    return None


def _expression(expression: Any) -> Expression:
    kind = expression.get_type()
    if kind == _expr_type.int:
        return Integer(expression.get_val().to_python())
    if kind == _expr_type.id:
        return Name(expression.get_id().get_name())
    operator = expression.get_op_type()
    arguments = tuple(
        _expression(expression.get_op_arg(i)) for i in range(expression.get_op_n_arg())
    )
    if operator == _op_type.minus:
        return Operation(Operator.SUBTRACT, (Integer(0), arguments[0]))
    return Operation(_OPERATORS[operator], arguments)
