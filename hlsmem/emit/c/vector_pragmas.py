"""The pragma that iterations are independent, and the test of arguments that it may need."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from hlsmem.emit.c.c_syntax import C
from hlsmem.emit.c.statement_text import Writer
from hlsmem.emit.expression_text import print_expression
from hlsmem.host_loops.symbolic_sizes import Scale
from hlsmem.host_loops.vector_independence import Independent
from hlsmem.polyhedra import DimType, PolyhedralError
from hlsmem.polyhedra.generated_loops import expression_of
from hlsmem.polyhedra.sets import without_name
from hlsmem.read.design_names import RESERVED

IVDEP = f"{RESERVED.upper()}IVDEP"
APART = f"{RESERVED}apart"
"""The variable that says whether no array that is stored overlaps another."""

Range = tuple[str, str]
"""C for the first and the last element of a given array that is named."""

_PRAGMA = (
    "/* Says of the loop behind it that no iteration needs an earlier one. */",
    "#if defined(__clang__)",
    f'#define {IVDEP} _Pragma("clang loop vectorize(assume_safety)")',
    "#elif defined(__GNUC__)",
    f'#define {IVDEP} _Pragma("GCC ivdep")',
    "#elif defined(_OPENMP)",
    f'#define {IVDEP} _Pragma("omp simd")',
    "#else",
    f"#define {IVDEP}",
    "#endif",
)
_TEST = (
    "/* Whether the bytes from a to a_end, and those from b to b_end, do not overlap. */",
    f"static inline int {RESERVED}are_apart(const void *a, const void *a_end, const void *b,"
    " const void *b_end)",
    "{",
    "    return (uintptr_t)a_end <= (uintptr_t)b || (uintptr_t)b_end <= (uintptr_t)a;",
    "}",
)


def vector_helpers(text: str) -> list[list[str]]:
    """The definitions that `text` needs for its pragmas."""
    return [
        list(lines)
        for lines, name in ((_PRAGMA, IVDEP), (_TEST, f"{RESERVED}are_apart("))
        if name in text
    ]


def pairs_to_test(
    found: Independent, writer: Writer, scale: Scale
) -> frozenset[tuple[str, str]] | None:
    """The given arrays of which an independent loop has to know that they are apart.

    None where that is not asked: a loop that does not store in place is left to the tests that
    compilers make themselves.
    """
    pairs = frozenset(
        pair
        for pair in found.apart
        if not _is_one_variable(writer, *pair) and not _is_tested(writer, *pair)
    )
    if not pairs:
        return pairs
    known = all(range_of(array, writer, scale) for pair in pairs for array in pair)
    return pairs if found.in_place and known else None


def _is_one_variable(writer: Writer, array: str, other: str) -> bool:
    """True if two arrays are members of one variable of C."""
    known = {} if writer.program.kernel is None else writer.program.kernel.variables
    return (
        array in known and other in known and (known[array].declaration is known[other].declaration)
    )


def _is_tested(writer: Writer, array: str, other: str) -> bool:
    """True if the function tests at its entry that two arrays are apart, and not one either."""
    kernel = writer.program.kernel
    if kernel is None or not {array, other} <= set(kernel.variables):
        return False
    pair = {str(kernel.variables[name].declaration.name) for name in (array, other)}
    return any(pair == set(one) for one in kernel.apart if one not in kernel.in_place)


def side_by_side(lines: list[str], *, is_tested: bool) -> list[str]:
    """An independent loop with its pragma, in two versions where arguments have to be apart."""
    if not is_tested:
        return [IVDEP, *lines]
    inside = [f"  {line}" if line else line for line in lines]
    return [f"if ({APART}) {{", f"  {IVDEP}", *inside, "} else {", *inside, "}"]


def apart_line(pairs: Iterable[tuple[str, str]], writer: Writer, scale: Scale) -> str:
    """The line that tests whether the arrays of all pairs are apart."""
    tests = []
    for pair in sorted(pairs):
        ends = [end for array in pair for end in range_of(array, writer, scale) or ()]
        first, last, other, other_last = ends
        tests.append(f"{RESERVED}are_apart(&{first}, &{last} + 1, &{other}, &{other_last} + 1)")
    return f"const int {APART} = {' && '.join(tests)};"


def range_of(array: str, writer: Writer, scale: Scale) -> Range | None:
    """The first and the last element of a given array that statements name, by every subscript.

    None where there may be none, or no last one.
    """
    program = writer.program
    parts = [
        without_name(access.relation.intersect_domain(statement.domain).range())
        for statement in program.statements
        for access in (*statement.reads, *statement.writes)
        if access.array == array
    ]
    if not parts:
        return None
    elements = scale.restrict(reduce(lambda one, other: one.union(other), parts)).coalesce()
    known = elements.params()
    if elements.is_empty() or not (scale.context.is_subset(known) or not scale.symbolic):
        return None
    try:
        first, last = (_corner(elements, known, end) for end in ("dim_min", "dim_max"))
    except PolyhedralError:
        return None

    def text(corner: list[Any]) -> str:
        subscripts = [
            print_expression(expression_of(one, known), C, writer.names) for one in corner
        ]
        return writer.given_element(array, subscripts)

    return text(first), text(last)


def _corner(elements: Any, known: Any, end: str) -> list[Any]:
    """The least or the greatest value of every coordinate."""
    sizes = range(elements.dim(DimType.set))
    return [getattr(elements, end)(k).gist(known) for k in sizes]
