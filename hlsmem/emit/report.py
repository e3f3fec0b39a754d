"""The memory report: one text in Markdown that reads well on a terminal too.

Every size stands beside its bound and every claim beside its proof.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from hlsmem.core.verdict import Verdict
from hlsmem.core.wording import counted, listed, pace
from hlsmem.cycle_model import is_reached
from hlsmem.devices import family_of
from hlsmem.emit.accelerator_section import accelerator_section
from hlsmem.emit.holdings import UNCHECKED, array_section, headline, memories_section, overview
from hlsmem.emit.picture import picture_names
from hlsmem.emit.verdicts import checks_section, is_as_generated, known_section
from hlsmem.plan import Elastic, Plan, Target, Timing
from hlsmem.schedule_search.loop_blocks import Cuts


def report(
    plan: Plan,
    verdicts: Sequence[Verdict] = (),
    *,
    pictures: Collection[str] = (),
    source: str = "",
    synthesis: str = "",
    page: str = "",
) -> str:
    """The report of a plan, with the verdicts of its checks where they have run.

    `pictures` are names of files beside the report, of which it shows those of its arrays;
    `source` is the section on the user's source; `synthesis` is the text of the figures of
    synthesis, where it has run; `page` says why there is no page of the run, and how to get one.

    >>> from hlsmem import load, plan
    >>> kernel = "void k(const int in[8], int out[8])"
    >>> kernel += "{ int t[8]; for (int i = 0; i < 8; i++) { t[i] = in[i]; out[i] = t[i]; } }"
    >>> print(report(plan(load(text=kernel, name="k.c")).plan).splitlines()[0])
    # k: 768 bits declared -> 96 bits (hardware), 0 bytes (C) of 32, 14 cycles
    """
    mark = "" if is_as_generated(verdicts) else UNCHECKED
    parts = [f"# {headline(plan)}", _setting(plan), *_found_order(plan), *_kept(plan)]
    parts += _outside(plan)
    parts += [*plan.remarks, *_order_of_c(plan), overview(plan)]
    for array in plan.arrays.values():
        parts.append(array_section(array, plan, mark))
        parts += [
            f"![{array.name}: {what}]({file})"
            for file, what in picture_names(array.name).items()
            if file in pictures
        ]
    if plan.target is not None:
        parts.append(memories_section(plan, plan.target))
    if plan.timing is not None:
        parts.append(_hardware_section(plan, plan.timing))
    if plan.accelerator is not None:
        parts.append(accelerator_section(plan.accelerator, plan.frame))
    if source:
        parts.append(source.strip())
    if synthesis:
        parts.append(f"## Synthesis\n\n{synthesis.strip()}")
    parts.append(checks_section(verdicts))
    parts.append(known_section(plan, verdicts, is_synthesised=bool(synthesis)))
    if page:
        parts.append(page)
    return "\n\n".join(parts) + "\n"


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


def _found_order(plan: Plan) -> Iterator[str]:
    """The order that the hardware runs in, where it is another than the text's."""
    if plan.found_order is not None:
        yield f"The order was found, for fewer bits: {plan.found_order.what}."


def _kept(plan: Plan) -> Iterator[str]:
    """The variables that the datapath keeps."""
    listed = (f"{one.name} ({', '.join(one.statements)})" for one in plan.datapath)
    if plan.datapath:
        yield f"the datapath keeps, without a memory or a stream: {', '.join(listed)}"


def _outside(plan: Plan) -> Iterator[str]:
    """The parameters that stay outside, with the ports that a person has to connect."""
    for name, one in plan.outside.items():
        ports = f"; a step reads {one.reads_a_step}" if one.reads_a_step else ""
        yield f"{name} stays outside: {one.why}{ports}"


def _order_of_c(plan: Plan) -> Iterator[str]:
    """The times of statements where C has an order of its own."""
    order = plan.host_order
    if order is None or not order.times:
        return
    times = "; ".join(f"`{_without_domain(text)}`" for text in order.times.values())
    yield (
        f"C has an order of its own, for vectors and for what stays in a cache: {times}."
        " `host.order: given` keeps the source's."
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
    """Cuts of the loops of a statement, in words."""
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


def _latency_lines(elastic: Sequence[Elastic]) -> Iterator[str]:
    """Price of one more cycle of a datapath where branches meet again."""
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


def _registered(target: Target | None) -> str:
    """Note on the reading of RAMs where output registers were asked for, or found to pay."""
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
    fills = [stream for stream in plan.streams if stream.is_fill]
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
