"""The user's source with the storage of the plan: what each array becomes, and the edited files.

An array is in lines where one body writes and reads it at fixed distances, in its own place where
fewer cells do, else as it was. Cells are those for the order of the edited text, which is the
text's own, or one in which nests are merged as the order of the plan does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace

from hlsmem.core.errors import InputError, LimitError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.core.source_location import SourceLocation
from hlsmem.host_loops.symbolic_sizes import scale_of
from hlsmem.planner.array_folding import Folded
from hlsmem.planner.host.host_planning import fewest_cells
from hlsmem.planner.remarks.ordered_parameters import ordered_parameters
from hlsmem.planner.remarks.stream_depths import ShallowStream, deeper_streams
from hlsmem.polyhedra.limits import WorkLimitError, within
from hlsmem.program.model import Array, Order, Program, Storage
from hlsmem.program.options import Design
from hlsmem.read.as_written import AS_WRITTEN
from hlsmem.read.c.dialect import all_dialects, dialect_of
from hlsmem.read.design import changed
from hlsmem.source_edits.called_functions import template_numbers
from hlsmem.source_edits.edits import OverlapError
from hlsmem.source_edits.in_place import InPlace, NamesAt, in_place
from hlsmem.source_edits.line_buffers import LineBuffers, line_buffers
from hlsmem.source_edits.merged_bounds import Bounds, bounds_of
from hlsmem.source_edits.merged_nests import Group, groups, merged_program
from hlsmem.source_edits.named_numbers import named_numbers
from hlsmem.source_edits.nests import nests
from hlsmem.source_edits.old_values import Style
from hlsmem.source_edits.parameter_windows import windows_of, with_arrivals
from hlsmem.source_edits.returned_text import FileEdits, type_text
from hlsmem.source_edits.stream_depths import StreamDepth, with_depth
from hlsmem.source_edits.user_arrays import Kept, UserArray, UserFile, user_array
from hlsmem.timing.schedule_legality import same_values

_OPERATIONS = 4_000_000
"""Operations of isl that forms of arrays in the text may take."""

_WORTH = 1.25
"""How many times as many words an array has as the cells that take remainders."""

Form = InPlace | LineBuffers | StreamDepth | Kept


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedSource:
    """Files of the user that change, with their new text, and the form of each array.

    `words` are those that each array takes in the text at the plan's sizes, `lines` its lines in
    loops within `bounds`, in which `numbers` stand for names that are no parameters. `program` is
    the user's text, `merged` the same in another order, where nests run so. `remarks` are sentences
    on what its signature could be.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    forms: Mapping[str, Form] = field(default_factory=dict)
    words: Mapping[str, int] = field(default_factory=dict)
    bits: int = 0
    program: Program | None = None
    merged: Program | None = None
    lines: Sequence[LineBuffers] = ()
    bounds: Mapping[Group, tuple[Bounds, ...]] = field(default_factory=dict)
    numbers: Mapping[str, QuasiPolynomial] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def is_merged(self) -> bool:
        return self.merged is not None


def returned_source(found: Folded) -> ReturnedSource:
    """The source of a design with its storage; without files where nothing of it changes."""
    design = found.design
    program = design.program
    if program is None or program.kernel is None or not design.source.is_written:
        return ReturnedSource()
    if program.tile is not None:
        return ReturnedSource()
    try:
        returned = within(_OPERATIONS, lambda _: _returned(found))
    except (InputError, LimitError, WorkLimitError):
        return ReturnedSource()
    order = returned.merged or returned.program
    if order is None or not returned.files:
        return returned
    windows = [one for one in returned.lines if one.name_at is None]
    with suppress(WorkLimitError):
        remarks = within(_OPERATIONS, lambda _: tuple(ordered_parameters(order, windows)))
        return replace(returned, remarks=remarks)
    return returned


def _returned(found: Folded) -> ReturnedSource:
    design = changed(found.design, AS_WRITTEN)
    text = design.program
    assert text is not None
    text = replace(text.source, order=Order.SEQUENTIAL)
    files = {one.name: UserFile(one) for one in design.sources}
    of_text = nests(text, files)
    order = None if found.order is None else found.design.program
    style = _style(design, text, files)
    made, alone = (
        [with_arrivals(one, text, files, style) for one in groups(of_text, by)]
        for by in (order if not _has_tasks(text) else None, None)
    )
    shallow = deeper_streams(design)
    if any(one.is_merged for one in made):
        merged = merged_program(text, made)
        if same_values(text, merged):
            own = _in_order(design, merged, made, files, style, shallow)
            own = own and replace(own, program=text, merged=merged)
            if own is not None and not any(isinstance(o, Kept) for o in own.forms.values()):
                return own
            other = _in_order(design, text, alone, files, style, shallow)
            other = other and replace(other, program=text)
            fit = [one for one in (own, other) if one is not None]
            return min(fit, key=lambda one: one.bits, default=ReturnedSource())
    plain = _in_order(design, text, alone, files, style, shallow)
    return replace(plain, program=text) if plain else ReturnedSource()


def _style(design: Design, program: Program, files: Mapping[str, UserFile]) -> Style:
    asked = design.source
    own = all_dialects().get(asked.dialect) or dialect_of(one.text for one in design.sources)
    scale = scale_of(program.parameters, program.values, program.context, [])
    given = template_numbers(program, {one.tokens: one.named_functions for one in files.values()})
    values = named_numbers([one.tokens for one in files.values()], scale.values, given)
    return Style(scale=replace(scale, values=values), dialect=own, lines=asked.lines)


def _has_tasks(program: Program) -> bool:
    return any(one.tasks for one in program.statements)


def _in_order(
    design: Design,
    program: Program,
    made: Sequence[Group],
    files: Mapping[str, UserFile],
    style: Style,
    shallow: Sequence[ShallowStream],
) -> ReturnedSource | None:
    """The source in an order; None where edits meet, or merged loops have no common bounds."""
    bounds = {one: bounds_of(one, style.scale) for one in made}
    if any(one.is_merged and found is None for one, found in bounds.items()):
        return None
    forms: dict[str, Form] = {
        one.name: _form(design, program, one, bounds, files, style)
        for one in program.planned_arrays()
        if one.index and not one.is_parameter
    }
    forms |= _differing(program, forms)
    windows = list(_windows(bounds, style))
    lines = [*windows, *(one for one in forms.values() if isinstance(one, LineBuffers))]
    for stream in shallow:
        forms[stream.name] = with_depth(
            stream.source_location,
            stream.needed,
            asked=stream.asked,
            files=files,
            dialect=style.dialect,
        )
    words = dict(_words(program, forms, style))
    for one in windows:
        forms[one.array] = one
        held = one.words.evaluate(style.scale.values) + 1
        words[one.array] = words.get(one.array, 0) + held
    sizes = {name: program.arrays[name].element.bits for name in forms}
    texts = {}
    for name, file in files.items():
        own = FileEdits(
            file=file,
            dialect=style.dialect,
            sizes=style.scale.values,
            accesses=tuple(
                edit
                for one in forms.values()
                if isinstance(one, InPlace | StreamDepth) and one.file is file
                for edit in one.edits
            ),
            lines=tuple(one for one in lines if one.file is file),
            bounds={
                group: found
                for group, found in bounds.items()
                if found is not None and group.nests[0].file is file
            },
        )
        try:
            text = own.text()
        except OverlapError:
            return None
        if text != file.text:
            texts[name] = file.as_written(text)
    return ReturnedSource(
        files=texts,
        forms=forms,
        words=words,
        bits=sum(words[name] * bits for name, bits in sizes.items()),
        lines=lines,
        bounds={group: found for group, found in bounds.items() if found is not None},
        numbers={
            name: QuasiPolynomial.constant(value)
            for name, value in style.scale.values.items()
            if name not in style.scale.parameters
        },
    )


def _differing(program: Program, forms: Mapping[str, Form]) -> Iterator[tuple[str, Kept]]:
    """Arrays of one declaration, as calls of a function have them, that need different texts."""
    by_place: dict[SourceLocation, list[str]] = {}
    for name in forms:
        if (place := program.arrays[name].source_location) is not None:
            by_place.setdefault(place, []).append(name)
    for place, names in by_place.items():
        twins = [one.name for one in program.arrays.values() if one.source_location == place]
        own = [forms.get(name) for name in twins]
        texts = {frozenset(one.edits) if isinstance(one, InPlace) else None for one in own}
        if len(own) > 1 and (None in texts or len(texts) > 1):
            why = "one declaration stands for several arrays, of which not all need the same text"
            yield from ((name, Kept(why, place)) for name in names)


def _windows(
    bounds: Mapping[Group, tuple[Bounds, ...] | None], style: Style
) -> Iterator[LineBuffers]:
    """The parameters that groups read once, each time with names of its own."""
    for group, found in bounds.items():
        made = (found and windows_of(group, found, style)) or ()
        yield from made
        # A window of loops has declarations, or loads, with all of its names.
        own = " ".join(text for one in made for text in (*one.declarations, *one.loads))
        style = replace(style, taken=style.taken | frozenset(re.findall(r"[A-Za-z_]\w*", own)))


def _words(program: Program, forms: Mapping[str, Form], style: Style) -> Iterator[tuple[str, int]]:
    for name, one in forms.items():
        match one:
            case InPlace(cells=cells):
                yield name, cells.evaluate(program.values)
            case LineBuffers(words=words):
                yield name, words.evaluate(style.scale.values) + 1
            case StreamDepth(words=depth):
                yield name, depth
            case Kept():
                yield name, program.arrays[name].declared_at(program.values) or 0


def _form(
    design: Design,
    program: Program,
    array: Array,
    bounds: Mapping[Group, tuple[Bounds, ...] | None],
    files: Mapping[str, UserFile],
    style: Style,
) -> Form:
    if array.storage is Storage.STATE:
        return Kept("it keeps its values from call to call", array.source_location)
    own = user_array(array, program, files)
    if isinstance(own, Kept):
        return own
    tasks = {one.statement.tasks[-1:] for one in own.uses}
    if len(tasks) > 1:
        return Kept("tasks of a DATAFLOW region pass it on", array.source_location)
    declared = array.declared_at(program.values) or 0
    lines = _lines(own, style, bounds)
    try:
        mapping = fewest_cells(design, program, array)
    except (InputError, LimitError, WorkLimitError):
        mapping = None
    cells = None if mapping is None else mapping.cells
    if lines is not None and (cells is None or cells > 1):
        words = lines.words.evaluate(style.scale.values) + 1
        if words < declared:
            return lines
    if mapping is None or mapping.cells >= declared:
        return Kept("no fewer cells are right for the order of the text", array.source_location)
    names = _names_at(own.file, tuple(bounds))
    guarded = any(
        one.is_guarded(len(group.nests)) for group, every in bounds.items() for one in every or ()
    )
    found = in_place(own, program, mapping, names, has_guards=guarded)
    if isinstance(found, InPlace) and found.wraps and _WORTH * mapping.cells > declared:
        few = f"{mapping.cells} cells of {declared} are not worth a remainder in each subscript"
        return Kept(few, array.source_location)
    return found


def _names_at(file: UserFile, made: Sequence[Group]) -> NamesAt:
    """The names that have other values at a byte of a file, as nests are merged."""

    def names(at: int) -> Mapping[str, QuasiPolynomial]:
        found: dict[str, QuasiPolynomial] = {}
        for group in made:
            for number, nest in enumerate(group.nests):
                if nest.file is file and nest.start <= at < nest.stop:
                    found |= group.renamed(number)
        return found

    return names


def _lines(
    own: UserArray, style: Style, bounds: Mapping[Group, tuple[Bounds, ...] | None]
) -> LineBuffers | None:
    """The array as lines of the group whose body has all its uses."""
    first = own.uses[0].start if own.uses else -1
    for group, limits in bounds.items():
        if any(one.file is own.file and one.start <= first < one.stop for one in group.nests):
            found = line_buffers(own, limits, style, type_text(own), group)
            if isinstance(found, LineBuffers):
                return found
    return None
