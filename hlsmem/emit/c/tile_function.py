"""A tile as a function of its own: the instances of the tile, with parameters for what crosses it.

An array that the kernel declares, and some values of which are made in the tile and used outside or
the other way round, is a parameter, with the extents that it was declared with. Before a call it
holds what comes from outside; behind it also what leaves the tile, and all else is as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.c.kernel_frame import surroundings_of
from hlsmem.polyhedra import DimType, Map, UnionSet
from hlsmem.polyhedra.relations import named
from hlsmem.program.model import Access, Kernel, Program, Statement, Storage
from hlsmem.read.c import tree
from hlsmem.read.c.tree import INT
from hlsmem.read.c.trees import changed
from hlsmem.timing.value_flow import dataflow

_OUTSIDE = "'"
"""Behind the name of an array: as the function is given it, where the tile did not make it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoTile:
    """Why a tile has no function of its own."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A tile whose kernel is a function of its own; `crossing` are the arrays that it is given
    besides those of the kernel, which is called `whole`."""

    program: Program
    kernel: Kernel
    whole: str
    crossing: tuple[str, ...]

    @property
    def removed(self) -> frozenset[str]:
        """The arrays whose declarations in the function are parameters now."""
        return frozenset(one for name in self.crossing for one in (name, name + _OUTSIDE))

    def comment(self) -> tuple[str, ...]:
        """Comment on the function in the header."""
        kept = f"/* The instances of {self.whole}() at the times of plan.tile, in their order."
        if not self.crossing:
            return (f"{kept} */",)
        names = ", ".join(self.crossing)
        return (
            kept,
            f" * {names}: before the call what comes from outside of the tile, behind it also what",
            " * leaves it; no other element changes. */",
        )


def tile_of(program: Program, kernel: Kernel) -> Tile | NoTile:
    """The tile that `program` is, as a function; `kernel` is the one that it is a part of."""
    if program.source.expand:
        return NoTile(reason="its arrays are in single assignment")
    unserved = {one.name: _unserved(program, one) for one in program.statements}
    arriving = {access.array for found in unserved.values() for access in found}
    crossing = tuple(
        array.name
        for array in program.arrays.values()
        if array.storage is Storage.MEMORY and not array.is_parameter
        if array.name in arriving or not named(program.live_out, array.name).is_empty()
    )
    why = _why_not(program, kernel, crossing, unserved)
    if why:
        return NoTile(reason=why)
    arrays, variables = dict(program.arrays), dict(kernel.variables)
    for name in crossing:
        arrays[name] = replace(arrays[name], is_parameter=True)
    for name in sorted(arriving):
        outer = name + _OUTSIDE
        arrays[outer] = replace(arrays[name], name=outer, storage=Storage.EXTERNAL)
        variables[outer] = variables[name]
    own = replace(_own_kernel(program, kernel, crossing), variables=variables)
    parts = (_parts(one, unserved[one.name], program) for one in program.statements)
    statements = tuple(part for found in parts for part in found)
    cut = replace(program, kernel=own, arrays=arrays, statements=statements)
    return Tile(program=cut, kernel=own, whole=kernel.name, crossing=crossing)


def _why_not(
    program: Program,
    kernel: Kernel,
    crossing: Sequence[str],
    unserved: Mapping[str, Sequence[Access]],
) -> str:
    """Why there is no function of a tile; "" where there is one."""
    around = surroundings_of(program, kernel)
    plain = (tree.Decl, tree.Pragma)
    other = next((node for node in around.outer_nodes() if not isinstance(node, plain)), None)
    if other is not None:
        return f"{kernel.name}() has C around its region, which is no part of a tile"
    if kernel.apart:
        return "where arguments overlap the function has to run as it was"
    if any(array.storage is Storage.STATE for array in program.arrays.values()):
        return "a tile has no state from call to call"
    for name in crossing:
        variable = kernel.variables.get(name)
        if variable is None or not program.arrays[name].index:
            return f"{name}, of which values cross the border of the tile, is no array of C"
        if variable.members or variable.strides:
            return f"{name}, of which values cross the border of the tile, has members or strides"
    twice = next((name for name in crossing if not _is_one_value(program, name)), None)
    if twice is None:
        twice = next((one.array for one in _late(program, unserved)), None)
    if twice is not None:
        return f"an element of {twice} comes into the tile with several values"
    return ""


def _is_one_value(program: Program, array: str) -> bool:
    """True if no element of an array comes into the tile with the values of two writes."""
    assert program.original is not None
    inside = UnionSet("{ }")
    for one in program.statements:
        inside = inside.union(UnionSet.from_set(one.domain))
    uses = dataflow(program.original, array).uses
    writers = uses.intersect_range(inside).domain().unwrap()
    return bool(writers.subtract_range(inside).is_single_valued())


def _late(program: Program, unserved: Mapping[str, Sequence[Access]]) -> Iterator[Access]:
    """Reads of what comes from outside behind a write of the element in the tile, by the source."""
    source = {one.name: one.schedule for one in program.source.statements}
    for name, found in unserved.items():
        for access in found:
            for statement in program.statements:
                for one in statement.writes:
                    if one.array == access.array:
                        pairs = access.relation.apply_range(one.relation.reverse())
                        moved = source[name].reverse().apply_range(pairs)
                        times = moved.apply_range(source[statement.name])
                        later = Map.lex_gt(times.domain().get_space())
                        if not times.intersect(later).intersect_params(program.context).is_empty():
                            yield access


def _unserved(program: Program, statement: Statement) -> tuple[Access, ...]:
    """The reads of memories that find values from outside, at the instances at which they do."""
    whole = [one for one in program.source.statements if one.name == statement.name]
    found = []
    for access in (access for one in whole for access in one.reads):
        if program.arrays[access.array].storage is not Storage.MEMORY:
            continue
        rest = access.relation.intersect_domain(statement.domain)
        for one in statement.reads:
            if one.node is access.node and one.array == access.array:
                rest = rest.subtract(one.relation)
        rest = rest.coalesce()
        if not rest.intersect_params(program.context).is_empty():
            found.append(replace(access, relation=rest))
    return tuple(found)


def _parts(
    statement: Statement, unserved: Sequence[Access], program: Program
) -> Iterator[Statement]:
    """A statement in parts of which all instances find their operands at the same side."""
    given = tuple(_outer(access) for access in unserved)
    domains = [statement.domain.intersect_params(program.context)]
    for access in given:
        outside = access.relation.domain()
        halves = (
            half for one in domains for half in (one.subtract(outside), one.intersect(outside))
        )
        domains = [half.coalesce() for half in halves if not half.is_empty()]
    for number, domain in enumerate(domains):
        name = statement.name if len(domains) == 1 else f"{statement.name}'{number}"
        yield _at(replace(statement, reads=(*statement.reads, *given)), domain, name)


def _outer(access: Access) -> Access:
    """The access to the array that the function is given."""
    name = access.array + _OUTSIDE
    return replace(access, array=name, relation=access.relation.set_tuple_name(DimType.out, name))


def _at(statement: Statement, domain: Any, name: str) -> Statement:
    """The instances of a statement in `domain`, under another name."""

    def moved(relation: Map) -> Any:
        return relation.intersect_domain(domain).set_tuple_name(DimType.in_, name)

    def made(accesses: Sequence[Access]) -> tuple[Access, ...]:
        found = (replace(one, relation=moved(one.relation)) for one in accesses)
        return tuple(one for one in found if not one.relation.is_empty())

    return replace(
        statement,
        name=name,
        domain=domain.set_tuple_name(name),
        schedule=moved(statement.schedule),
        reads=made(statement.reads),
        writes=made(statement.writes),
    )


def _own_kernel(program: Program, kernel: Kernel, crossing: Sequence[str]) -> Kernel:
    """The kernel as a function with parameters for what crosses the tile, and for its place."""
    name = f"{kernel.name}_tile"
    known = {node.name for node in kernel.function.parameters} | set(kernel.macros)
    places = [tree.Decl(one, INT) for one in program.parameters if one not in known]
    arrays = [_parameter(kernel.variables[one].declaration) for one in crossing]
    parameters = [*kernel.function.parameters, *arrays, *places]
    function = changed(kernel.function, name=name, parameters=parameters, storage=())
    return replace(kernel, name=name, function=function)


def _parameter(declaration: Any) -> Any:
    """A declaration in a function as one of its parameters."""
    return changed(declaration, init=None, storage=())
