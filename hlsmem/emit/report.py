"""The memory report: one text in Markdown that reads well on a terminal too.

Every size stands beside its bound and every claim beside its proof.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from hlsmem.devices import family_of
from hlsmem.emit.mathematics import mapping_lines
from hlsmem.emit.memories import memories_section, rejected_text
from hlsmem.emit.picture import picture_names
from hlsmem.emit.table import Column, table
from hlsmem.emit.verdicts import checks_section, is_as_generated, known_section
from hlsmem.lifetime.problem import Bound, ClassFacts
from hlsmem.orders.cuts import Cuts
from hlsmem.planfile import (
    ArrayPlan,
    Blocks,
    Elastic,
    HostCandidate,
    HostCells,
    Memory,
    Part,
    Plan,
    SearchedOrders,
    Target,
    Timing,
)
from hlsmem.planfile.figures import standing_of, words_of
from hlsmem.polyhedra import Set
from hlsmem.polyhedra.forms import elements_of
from hlsmem.predict import is_reached
from hlsmem.storage.kinds import kind_named
from hlsmem.verdict import Verdict
from hlsmem.wording import counted, listed, pace


def report(
    plan: Plan,
    verdicts: Sequence[Verdict] = (),
    *,
    pictures: Collection[str] = (),
    synthesis: str = "",
    page: str = "",
) -> str:
    """The report of a plan, with the verdicts of its checks where they have run.

    `pictures` are names of files beside the report, of which it shows those of its arrays;
    `synthesis` is the text of the figures of synthesis, where it has run; `page` says why
    there is no page of the run, and how to get one.

    >>> from hlsmem import load, plan
    >>> kernel = "void k(const int in[8], int out[8])"
    >>> kernel += "{ int t[8]; for (int i = 0; i < 8; i++) { t[i] = in[i]; out[i] = t[i]; } }"
    >>> print(report(plan(load(text=kernel, name="k.c")).plan).splitlines()[0])
    # k: 1 array, 8 cells folded to 1
    """
    mark = "" if is_as_generated(verdicts) else _UNCHECKED
    setting = _setting(plan) + _searched(plan.search, mark)
    parts = [_headline(plan), setting, *plan.remarks, *_order_of_c(plan), _overview(plan)]
    for array in plan.arrays.values():
        parts.append(_array_section(array, plan, mark))
        parts += [
            f"![{array.name}: {what}]({file})"
            for file, what in picture_names(array.name).items()
            if file in pictures
        ]
    if plan.target is not None:
        parts.append(memories_section(plan, plan.target))
    if plan.timing is not None:
        parts.append(_hardware_section(plan, plan.timing))
    if synthesis:
        parts.append(f"## Synthesis\n\n{synthesis.strip()}")
    parts.append(checks_section(verdicts))
    parts.append(known_section(plan, verdicts, is_synthesised=bool(synthesis)))
    if page:
        parts.append(page)
    return "\n\n".join(parts) + "\n"


def standing(array: ArrayPlan) -> str:
    """How a size compares with its bounds: optimal, optimal among .., or the gap.

    In blocks where these were made small and are as few as can be.
    """
    found = standing_of(array.mapping.cells, array.bounds)
    blocks = array.blocks
    if blocks is None or blocks.count > blocks.least or found.startswith("optimal"):
        return found
    return "fewest blocks"


def bound_text(bound: Bound) -> str:
    """A bound in one line: its kind, cells, formula, and how it is known."""
    formula = f" = {bound.expr}" if bound.expr not in (None, str(bound.cells)) else ""
    return f"{bound.kind} {bound.cells}{formula}, {bound.status}"


def class_lines(orders: ClassFacts | None) -> list[str]:
    """What class of orders a mapping is right for, in the words of the report; none for one."""
    if orders is None:
        return []
    rows = "; ".join(f"{kind} [{', '.join(rows)}]" for kind, rows in orders.bands)
    meaning = _ORDERS[orders.schedules]
    if orders.schedules == "sequential" and not rows:
        meaning = "right for the design's order"
    text = f"class: {meaning}{f', bands {rows}' if rows else ''}"
    if orders.is_fixed:
        text += ", at these parameters"
    lines = [text]
    if orders.remark:
        lines.append(f"relation: {orders.remark}")
    if not orders.is_exact:
        lines.append("relation: a superset of the conflicts, so fewer cells may do")
    if any(kind == "tiled" for kind, _ in orders.bands):
        lines.append("tiles of one wave may run in parallel")
    if orders.outside:
        lines.append(
            f"the design's own schedule is not in this class: in it {orders.outside};"
            " hence neither Verilog nor C is written"
        )
    return lines


_ORDERS = {
    "sequential": "right for the order of its bands, with the design's order inside of them",
    "tiled": "right for all tile sizes and origins",
    "affine": "right for all one-dimensional affine schedules; for others use any or tiled",
    "any": "right for every order that keeps the dependences",
    "before": "right for every order that keeps plan.before",
}


def _headline(plan: Plan) -> str:
    planned = sum(array.mapping.cells for array in plan.arrays.values())
    arrays = counted(len(plan.arrays), "array")
    declared = [array.declared_cells for array in plan.arrays.values()]
    if not declared or None in declared:
        return f"# {plan.design}: {arrays}, {counted(planned, 'cell')}"
    total = sum(cells for cells in declared if cells is not None)
    return f"# {plan.design}: {arrays}, {counted(total, 'cell')} folded to {planned}"


def _setting(plan: Plan) -> str:
    values = ", ".join(f"{name} = {value}" for name, value in plan.params.items())
    where = f"Planned at {values}, for {_sizes_of(plan)}" if values else "Planned"
    order = "" if plan.order == "none" else f", order {plan.order}"
    strict = ", strict" if plan.strict else ""
    slack = f", slack {plan.slack}" if plan.slack else ""
    return f"{where}{order}{strict}{slack}, by {plan.tool}."


def _sizes_of(plan: Plan) -> str:
    """The sizes that a plan with parameters is for, as its context says."""
    conditions = plan.context.partition(":")[2].strip(" }")
    return conditions or "all values"


def _order_of_c(plan: Plan) -> Iterator[str]:
    """The times of statements where C has an order of its own."""
    order = plan.host_order
    if order is None:
        return
    times = "; ".join(f"`{_without_domain(text)}`" for text in order.times.values())
    yield (
        f"C has an order of its own, for vectors and for what stays in a cache: {times}. Where"
        " arguments overlap it runs the function as it was; `host.order: given` keeps the"
        " source's."
    )
    cuts = [f"{name}, {', '.join(_cut_words(one))}" for name, one in order.cuts.items()]
    if cuts:
        yield (
            f"Loops around vector loops are cut: {'; '.join(cuts)} (`host.tile`, `host.jam`). Full"
            " blocks have"
            " constant trip counts, and partial ones loops of their own."
        )
    if order.machine:
        read = ", ".join(f"{name} {value}" for name, value in order.machine.items())
        yield f"Read of the machine that planned: {read}."


def _cut_words(cuts: Cuts) -> Iterator[str]:
    """How the loops of a statement are cut."""
    if cuts.vector is not None:
        yield f"tiles of {cuts.vector} iterations of the vector loop"
    if cuts.outer is not None:
        yield f"tiles of {cuts.outer} of the outermost loop, which runs just outside of it"
    if cuts.rows is not None:
        yield f"blocks of {cuts.rows} iterations of the loop just outside of it"
    if cuts.jam > 1:
        yield f"{cuts.jam} iterations of the loop just outside of it jammed, in their order"


def _without_domain(text: str) -> str:
    """S[i] -> [..], of an isl map.

    >>> _without_domain("[N] -> { S[i] -> [0, o1, i] : 0 <= i < N and -255 + i <= 256o1 <= i }")
    'S[i] -> [0, o1, i]'
    """
    inside = text[text.index("{") + 1 : text.rindex("}")]
    return inside.split(" : ")[0].strip()


def _searched(search: SearchedOrders | None, mark: str) -> str:
    if search is None:
        return ""
    if search.complete:
        return f" The order was searched for, in {search.work} choices{mark}."
    return (
        f" The search for an order was cut after {search.work} choices{mark}: there may be better"
        " ones, plan.budget makes it longer."
    )


def _overview(plan: Plan) -> str:
    rows = [_overview_row(array, plan) for array in plan.arrays.values()]
    return table(
        [
            Column("array"),
            Column("type"),
            Column("declared", right=True),
            Column("bound", right=True),
            Column("planned", right=True),
            Column("saving", right=True),
            Column("words", right=True),
            Column("standing"),
        ],
        rows,
    )


def _overview_row(array: ArrayPlan, plan: Plan) -> list[str]:
    bound = max((bound.cells for bound in array.bounds), default=None)
    return [
        array.name,
        array.element,
        "-" if array.declared_cells is None else str(array.declared_cells),
        "-" if bound is None else str(bound),
        str(array.mapping.cells),
        _saving(array, words_of(plan, array.name)),
        str(words_of(plan, array.name)),
        standing(array),
    ]


def _saving(array: ArrayPlan, words: int) -> str:
    """How many times as much was declared; where copies are held, of words, and of cells beside."""
    if array.declared_cells is None:
        return "-"
    cells = array.mapping.cells
    if words <= cells:
        return f"{array.declared_cells / cells:.2f}x"
    of_words, of_cells = array.declared_cells / words, array.declared_cells / cells
    return f"{of_words:.2f}x, cells {of_cells:.2f}x"


# What no check but `generated` holds: figures of what was not taken, and of searches.
_UNCHECKED = " (not checked)"


def _array_section(array: ArrayPlan, plan: Plan, mark: str) -> str:
    mapping = array.mapping
    lines = [f"## {array.name}", ""]
    lines += [f"    {line}" for line in mapping_lines(array.name, array.index, mapping)]
    lines += ["", f"- cells: {_cells(array)}"]
    if array.cells_without_slack is not None:
        lines.append(f"- slack: {counted(array.cells_without_slack, 'cell')} would do at slack 0")
    if array.cells_of_any_form is not None:
        lines.append(f"- form: {_form(array, array.cells_of_any_form)}")
    if array.blocks is not None:
        lines.append(f"- blocks: {_blocks(array.blocks, array.mapping.cells)}")
    if array.remark:
        lines.append(f"- {array.remark}")
    lines += [f"- {text}" for text in class_lines(array.orders)]
    lines += [f"- bound: {bound_text(bound)}" for bound in array.bounds]
    lines.append(f"- method: {mapping.method}; certificate: {mapping.certificate}")
    if array.host is not None:
        lines += [f"- {text}" for text in _host_lines(array, array.host, mark)]
    lines += [f"- {text}" for text in _parts(array, plan)]
    lines += [f"- {text}" for text in _branches(array, plan)]
    lines += [f"- {rejected_text(one)}{mark}" for one in array.rejected]
    asked = [c for c in array.candidates if not (c.reason or "").startswith("not needed")]
    if asked:
        tried = ", ".join(f"{c.method} {'none' if c.cells is None else c.cells}" for c in asked)
        lines.append(f"- tried{mark}: {tried}")
    return "\n".join(lines)


_CHOSEN = "chosen by score, then cells, each within 5 %, then pointers that wrap"


def _host_lines(array: ArrayPlan, host: HostCells, mark: str) -> Iterator[str]:
    """What the host C has in place of the mapping, and what it could have."""
    mapping = host.mapping
    lines = mapping_lines(array.name, array.index, mapping)
    if not mapping.certificate.is_complete:
        yield _other_sizes(array, host)
    if lines == mapping_lines(array.name, array.index, array.mapping) and not host.front:
        return
    if not host.front:
        yield f"C: {'; '.join(lines)}; {host.shape}"
        return
    yield f"C: {counted(mapping.cells, 'cell')}, {'; '.join(lines)}, {mapping.certificate}"
    others = ", ".join(_candidate(one) for one in host.front if one.method != mapping.method)
    why = "as host.choice says" if host.is_given else _CHOSEN
    yield (
        f"C's loops: {host.shape}, score {host.score}, {why}"
        f"{'; or ' + others if others else ''}{mark}; right for its order ({host.order})"
    )


def _other_sizes(array: ArrayPlan, host: HostCells) -> str:
    """What C does at other sizes than the plan's, and what would help."""
    where = ", ".join(f"{name}={value}" for name, value in host.mapping.certificate.at)
    text = f"C's cells hold at {where}; at other sizes it runs the unfolded original"
    if host.way_out is None:
        return f"{text}: no mapping was proved for all"
    one = host.way_out
    return (
        f"{text}: for all there are {counted(one.cells, 'cell')} by {one.method}"
        f" (host.choice: {{{array.name}: {{method: {one.method}}}}})"
    )


def _candidate(one: HostCandidate) -> str:
    return f"{one.method} {counted(one.cells, 'cell')}, {one.shape}, score {one.score}"


def _cells(array: ArrayPlan) -> str:
    cells = array.mapping.cells
    symbolic = " + ".join(str(piece.cells()) for piece in array.mapping.pieces)
    formula = "" if symbolic == str(cells) else f" = {symbolic}"
    if array.declared_cells is None:
        return f"{cells}{formula} ({_claim(array, symbolic)})"
    declared = str(array.declared)
    source = "" if declared == str(array.declared_cells) else f" = {declared}"
    return f"{cells}{formula} of {array.declared_cells}{source} ({_claim(array, symbolic)})"


def _claim(array: ArrayPlan, cells: str) -> str:
    """The standing, and whether it is proved for more than the plan's parameters."""
    proved = any(
        bound.kind == "max-live" and bound.status == "proved" and bound.expr == cells
        for bound in array.bounds
    )
    if proved and array.mapping.certificate.is_complete and not cells.isdigit():
        return f"{standing(array)} for all parameters"
    return standing(array)


def _form(array: ArrayPlan, cells: int) -> str:
    """The price of plan.round and plan.dimensions."""
    if cells >= array.mapping.cells:
        return "no cells more than without plan.round and plan.dimensions"
    return f"{counted(cells, 'cell')} would do without plan.round and plan.dimensions"


def _blocks(blocks: Blocks, cells: int) -> str:
    """The price of plan.objective: blocks in cells, and whether fewer blocks are possible."""
    text = f"{blocks.count} of {blocks.device}, "
    text += "no fewer for" if blocks.count == blocks.least else f"{blocks.least} for"
    text += " the cells of the bound"
    if blocks.fewest_cells < cells:
        text += f"; {counted(blocks.fewest_cells, 'cell')} would do, with a dearer address"
    return text


def _parts(array: ArrayPlan, plan: Plan) -> Iterator[str]:
    """What holds the array: one memory, or one for each part with the operands that it serves."""
    if len(array.parts) == 1:
        part = array.parts[0]
        yield f"memory: {_described(part, plan.memories[part.memory])}"
        return
    memories = [plan.memories[part.memory] for part in array.parts]
    words = sum(memory.words for memory in memories)
    yield f"memory: {words} words of {counted(array.bits, 'bit')} in {len(array.parts)} parts"
    for part, memory in zip(array.parts, memories, strict=True):
        served = ", ".join(f"{stream}.{number}" for stream, number in part.operands)
        text = f"part {part.memory} for {served}: {_described(part, memory)}"
        if part.takes is not None:
            text += f"; it takes {elements_of(part.takes, array.index, Set(plan.context))}"
        yield text


def _branches(array: ArrayPlan, plan: Plan) -> Iterator[str]:
    """The branch FIFOs behind an array's read streams, and in front of its parts."""
    places: dict[str, str] = {}
    for part in array.parts:
        for stream in plan.streams:
            name = f"{stream.name[0]}_{part.memory}_{stream.statement}"
            if stream.array == array.name:
                is_front = stream.name.startswith("s_")
                places[name] = f"in front of {part.memory}" if is_front else f"behind {name}"
    for one in plan.elastic:
        if one.stream in places:
            yield (
                f"branch FIFO: {counted(one.beats, 'word')} of {counted(one.bits, 'bit')}"
                f" {places[one.stream]}, as {one.waits_for} comes so much later"
            )


def _latency_lines(elastic: Sequence[Elastic]) -> Iterator[str]:
    """What one more cycle of a datapath takes where branches meet again."""
    costs = {name: bits for one in elastic for name, bits in one.latency.items()}
    told = [
        f"in {name} {'adds' if bits > 0 else 'saves'} {counted(abs(bits), 'bit')}"
        for name, bits in costs.items()
        if bits
    ]
    none = [name for name, bits in costs.items() if not bits]
    told += [f"in {listed(none)} none"] if none else []
    if told:
        yield (
            f"One more cycle of latency {', '.join(told)} of branch FIFOs; planned with them, it"
            " adds at most that cycle to the run."
        )


def _described(part: Part, memory: Memory) -> str:
    return kind_named(memory.kind).described(part, memory)


def _registered(target: Target | None) -> str:
    """How RAMs are read where output registers were asked for, or found to pay."""
    family = None if target is None else family_of(target.device)
    if family is None or family.output_register:
        return "RAMs are read through their output registers (target.output_register)."
    return (
        "RAMs are read through registers behind them (target.output_register): hlsmem knows no"
        f" output register of {family.name}, so these are flip-flops."
    )


def _hardware_section(plan: Plan, timing: Timing) -> str:
    reason = timing.reason or ""
    if timing.cycles is None:
        lines = [f"{reason[:1].upper()}{reason[1:]}."]
    elif timing.runs is not None:
        lines = [
            f"At most {counted(timing.cycles, 'cycle')} without stalls, predicted: those of a run"
            f" in which all instances run; {_longest(plan)}.",
            *_run_lines(timing.runs),
            f"How often a step starts the data of a run decide{_where_all_run(reason)}.",
        ]
    else:
        lines = [
            f"{counted(timing.cycles, 'cycle')} without stalls, predicted; {_longest(plan)}.",
            f"Once it is under way, {pace(timing.interval or 1.0)}"
            f"{f': {reason}' if reason else ''}.",
        ]
    lines += _latency_lines(plan.elastic)
    if timing.output_register:
        lines.append(_registered(plan.target))
    if timing.asked is not None:
        reached = "reached"
        if timing.runs is not None:  # what it waits for is told where a step takes more than one
            reached = f"{'not ' if reason else ''}reached where all instances run"
            reached = "not checked" if reason and timing.asked > 1 else reached
        elif timing.interval is not None and not is_reached(timing.asked, timing.interval):
            reached = "not reached"
        checked = "not checked" if timing.cycles is None else reached
        often = "in every cycle" if timing.asked == 1 else f"every {timing.asked} cycles"
        lines.append(f"pipeline.interval asks for a step {often}, or more often: {checked}.")
    return "## Hardware\n\n" + "\n".join(lines)


def _run_lines(runs: Sequence[tuple[int, int]]) -> list[str]:
    """The cycles of the runs that `check` simulates, where they are known."""
    if not runs:
        return []
    least, most = min(value for _, value in runs), max(value for _, value in runs)
    many = f"{least}" if least == most else f"{least} to {most}"
    return [f"The {len(runs)} runs that are simulated take {many} cycles, predicted one by one."]


def _where_all_run(reason: str) -> str:
    return f"; where all instances run, {reason}" if reason else ""


def _longest(plan: Plan) -> str:
    """The beats of the longest stream of the run, and those that are there before the start."""
    fills = [s for s in plan.streams if s.statement is None and s.name.endswith("_fill")]
    during = [stream for stream in plan.streams if stream not in fills]
    beats = max(stream.beats for stream in during)
    names = [stream.name for stream in during if stream.beats == beats]
    if len(names) > 1:
        text = f"the longest streams have {counted(beats, 'beat')}"
    else:
        text = f"the longest stream, {names[0]}, has {counted(beats, 'beat')}"
    if fills:
        before = [f"{counted(s.beats, 'beat')} of {s.name}" for s in fills]
        text += f"; {listed(before)} come before the start"
    return text
