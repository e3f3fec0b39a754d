"""Parameters that are read once: the lines that hold their elements, and the window of an array.

Where a body takes elements at fixed places, each has a variable of its own. Where loops of the body
run over a window, the window is an array of registers, and the rows above it are lines.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.core.rewrites import Unrolled
from hlsmem.source_edits.edits import Edit
from hlsmem.source_edits.line_buffers import LineBuffers
from hlsmem.source_edits.linear_text import c_text, form_of, replaced
from hlsmem.source_edits.local_names import locals_at, unused_locals
from hlsmem.source_edits.merged_bounds import Bounds
from hlsmem.source_edits.merged_nests import Arrival, Group
from hlsmem.source_edits.old_values import Gap, Line, Names, Style, column, old_values
from hlsmem.source_edits.user_arrays import Use


def arriving(
    arrival: Arrival, bounds: Sequence[Bounds], group: Group
) -> tuple[str, tuple[str, ...]]:
    """The element that arrives in an iteration, and the conditions under which one does."""
    variables = [QuasiPolynomial.parameter(one.variable) for one in bounds]
    at = [c_text(one - shift) for one, shift in zip(variables, arrival.shift, strict=True)]
    number = len(group.nests) + group.arrivals.index(arrival)
    guards = tuple(one for loop in bounds for one in loop.guards[number])
    return arrival.array.name + "".join(f"[{one}]" for one in at), guards


def window_lines(
    arrival: Arrival, bounds: Sequence[Bounds], style: Style, group: Group
) -> LineBuffers | None:
    """The elements of a parameter that a group reads once as lines; None where sizes decide the
    order of their uses."""
    name, file, kind = arrival.array.name, group.nests[0].file, arrival.kind
    if arrival.window is not None:
        return _window_array(arrival, bounds, style, group)
    gaps = dict[tuple[int, int], Gap]()
    for use, (gap,) in zip(arrival.uses, arrival.gaps, strict=True):
        if gaps.setdefault((use.start, use.stop), gap) != gap:
            return None
    chain = old_values(name, file, bounds, gaps.values(), kind, style)
    if chain is None:
        return None
    element, guards = arriving(arrival, bounds, group)
    arrived = [f"const {kind} {chain.now} = {element};"]
    if guards:
        arrived = [f"{kind} {chain.now} = 0;", f"if ({' && '.join(guards)})"]
        arrived.append(f"    {chain.now} = {element};")
    return LineBuffers(
        array=name,
        file=file,
        group=group,
        declarations=chain.declarations,
        loads=(*arrived, *chain.loads),
        moves=chain.moves,
        edits=tuple(chain.reads(gaps)),
        lines=chain.lines,
        statements=_statements(arrival),
        words=chain.words,
        distances=chain.distances,
    )


def _window_array(
    arrival: Arrival, bounds: Sequence[Bounds], style: Style, group: Group
) -> LineBuffers | None:
    """The elements as an array of registers that moves a column an iteration, and lines."""
    assert arrival.window is not None
    name, file, kind = arrival.array.name, group.nests[0].file, arrival.kind
    names, (height, width) = Names(name, file, style.taken), arrival.window
    window, row, place = names.alone(f"{name}_window"), names.alone("r"), names.alone("c")
    uses = zip(arrival.uses, arrival.gaps, strict=True)
    edits = [_in_window(use, gaps, arrival, group, window) for use, gaps in uses]
    gone = list(unused_locals(file, arrival.uses))
    lines = [names.free(f"line{k}") for k in range(height - 1)]
    element, guards = arriving(arrival, bounds, group)
    at, last = column(bounds[-1]), width - 1
    loads = [f"for (int {row} = 0; {row} < {height}; {row}++)"]
    loads.append(f"    for (int {place} = 0; {place} < {last}; {place}++)")
    shifted = f"{window}[{row}][{place}]", f"{window}[{row}][{place} + 1]"
    loads.append(f"        {shifted[0]} = {shifted[1]};")
    loads = loads if last else []
    # The line above the newest row is the first.
    loads += [f"{window}[{k}][{last}] = {lines[height - 2 - k]}[{at}];" for k in range(height - 1)]
    loads += [f"if ({' && '.join(guards)})"] if guards else []
    loads.append(f"{'    ' * bool(guards)}{window}[{height - 1}][{last}] = {element};")
    loads += [f"{lines[k]}[{at}] = {window}[{height - 1 - k}][{last}];" for k in range(height - 1)]
    partition = style.dialect.partition.format(variable=window)
    declared = [f"{kind} {window}[{height}][{width}] = {{{{0}}}};"]
    if partition:
        declared.insert(0 if style.dialect.is_before_declaration else 1, partition)
    trips = bounds[-1].trips
    if any(one is None for one in edits):
        return None
    return LineBuffers(
        array=name,
        file=file,
        group=group,
        declarations=(*declared, *(f"{kind} {one}[{c_text(trips)}];" for one in lines)),
        loads=tuple(loads),
        moves=(),
        edits=tuple(dict.fromkeys(one for one in (*edits, *gone) if one is not None)),
        lines=tuple(_window_tree(height, width, trips)),
        statements=_statements(arrival),
        words=trips * (height - 1) + height * (width - 1),
        distances={},
    )


def _window_tree(height: int, width: int, trips: QuasiPolynomial) -> Iterator[Line]:
    """The lines of a window, each behind the column of its rows, then the columns of each row."""
    for row in range(height - 1):
        yield row, trips
    before = height - 1
    for row in range(height):
        for number in range(width - 1):
            yield (before if number else row), QuasiPolynomial.constant(1)
            before += 1


def _statements(arrival: Arrival) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.statement.name for one in arrival.uses))


def _in_window(
    use: Use, gaps: Collection[Gap], arrival: Arrival, group: Group, window: str
) -> Edit | None:
    """The edit that takes an element from the window; None where its subscripts do not tell."""
    assert arrival.window is not None
    file = group.nests[0].file
    number = next(k for k, nest in enumerate(group.nests) if nest.start <= use.start < nest.stop)
    nest, shifts = group.nests[number], group.shifts[number]
    inner = set(use.statement.iterators[nest.depth + group.depth :])
    turns = _turns(use)
    texts = []
    for k, (start, stop) in enumerate(use.subscripts):
        form = form_of(file.text[start:stop])
        if form is None:
            return None
        form = replaced(form, {name: one for name, (_, one) in locals_at(file, start).items()})
        size = (1, *arrival.window)[k - group.depth]
        own = form - QuasiPolynomial.parameter(nest.variables[k])
        own = own + (size - 1 + arrival.shift[k] - shifts[k])
        if own.parameters() - inner - set(turns):
            return None
        late = {one[k] for one in gaps}
        if not own.parameters() & inner and late != {size - 1 - own.evaluate(turns)}:
            return None
        texts.append(c_text(own))
    names = "".join(f"[{one}]" for one in texts[-2:])
    return Edit(use.start, use.stop, f"{window}{names}")


def _turns(use: Use) -> dict[str, int]:
    """The values of the variables of loops that are unrolled around a use."""
    place = use.access.source_location
    through = () if place is None else place.through
    return {one.variable: one.value for one in through if isinstance(one, Unrolled)}
