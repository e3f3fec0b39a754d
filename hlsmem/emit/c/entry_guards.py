"""Conditions of the folded code: tests of parameters, at run time or by the preprocessor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hlsmem.core.expression import Expression, Integer, Name, Operation, Operator, names_in
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.c_syntax import C
from hlsmem.emit.expression_text import print_expression
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.generated_loops import condition
from hlsmem.read.c.affine import in_ranges
from hlsmem.read.c.tree import INT, Number

_OPPOSITES = {
    Operator.LESS: Operator.GREATER_EQUAL,
    Operator.LESS_EQUAL: Operator.GREATER,
    Operator.GREATER: Operator.LESS_EQUAL,
    Operator.GREATER_EQUAL: Operator.LESS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """C for "the plan holds" and for its opposite; `names` are the parameters it looks at.

    `fails_of_type` is the opposite for values of the parameters' types; empty where none fails.
    """

    holds: str
    fails: str
    names: frozenset[str]
    fails_of_type: str


def plan_test(scale: Scale, texts: Mapping[str, str], types: Mapping[str, Number]) -> Test | None:
    """The test under which the folded code is right; None where it always is.

    Of parameters with `types` of less than 32 bits compilers know what always holds.

    Symbolic sizes hold in the whole context; numbers hold at the plan's parameters only.
    Parameters without a value, which no size depends on, are not tested.
    """
    if not scale.symbolic:
        expression = _all_equal({n: scale.values[n] for n in scale.parameters if n in scale.values})
        return None if expression is None else _test(expression, texts)
    everything = Set.universe(scale.context.get_space())
    if everything.is_subset(scale.context):
        return None
    test = _test(condition(scale.context, everything), texts)
    narrow = {name: one for name, one in types.items() if one.bits < INT.bits}
    possible = in_ranges(tuple(scale.parameters), narrow)
    if possible.is_subset(scale.context):
        return replace(test, fails_of_type="")
    apart = _test(condition(scale.context, possible), texts)
    return replace(test, fails_of_type=apart.fails)


def _all_equal(values: Mapping[str, int]) -> Expression | None:
    tests = tuple(
        Operation(Operator.EQUAL, (Name(name), Integer(value))) for name, value in values.items()
    )
    if not tests:
        return None
    return tests[0] if len(tests) == 1 else Operation(Operator.AND, tests)


def _test(expression: Expression, texts: Mapping[str, str]) -> Test:
    holds = print_expression(expression, C, texts)
    match expression:
        case Operation(operator, arguments) if operator in _OPPOSITES:
            opposite = Operation(_OPPOSITES[operator], arguments)
            fails = print_expression(opposite, C, texts)
        case Operation(Operator.EQUAL, (left, right)):
            left_text = print_expression(left, C, texts)
            fails = f"{left_text} != {print_expression(right, C, texts)}"
        case _:
            fails = f"!({holds})"
    return Test(holds=holds, fails=fails, names=names_in(expression), fails_of_type=fails)
