"""Arguments that have to lie apart, as a kernel stores in another order than its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from hlsmem.program import Array, Kernel, Statement


def with_arguments_apart(
    kernel: Kernel, arrays: Mapping[str, Array], statements: Sequence[Statement]
) -> Kernel:
    """The kernel with a test that arguments lie apart, where one of two is written.

    In the order of the source they may overlap.
    """
    written = {access.array for one in statements for access in one.writes}
    found: dict[str, bool] = {}
    for name, array in arrays.items():
        if name in kernel.variables and array.is_parameter:
            variable = str(kernel.variables[name].declaration.name)
            found[variable] = found.get(variable, False) or name in written
    pairs = [pair for pair in combinations(found, 2) if found[pair[0]] or found[pair[1]]]
    known = {frozenset(pair) for pair in kernel.apart}
    more = tuple(pair for pair in pairs if frozenset(pair) not in known)
    return replace(kernel, apart=(*kernel.apart, *more))
