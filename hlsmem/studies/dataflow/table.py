"""The dataflow of a design in words, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.core.wording import counted
from hlsmem.studies.dataflow.reads import ReadFlow
from hlsmem.studies.dataflow.sources import Control, Parameter, Source

FORMAT = "hlsmem-dataflow/1"


def dataflow_text(flows: Sequence[ReadFlow], *, title: str, control: Control) -> str:
    """Every read with its sources, and what the parameters in them mean."""
    reads = sum(one.read.filter is None for one in flows)
    looked = len(flows) - reads
    count = counted(reads, "read")
    if looked:
        count += f", {counted(looked, 'element')} of filters"
    lines = [f"{title}: {count}, control: {control.value}"]
    for one in flows:
        lines += ["", *_lines(one)]
    return "\n".join(lines)


def _lines(one: ReadFlow) -> list[str]:
    flow = one.flow
    place = f" ({one.read.source_location})" if one.read.source_location else ""
    lines = [f"{one.read}{place}"]
    if not flow.exact:
        lines.append("  all sources that are possible: nothing says which one it is")
    lines += [f"  from {source.statement}: {source.relation}" for source in flow.sources]
    if not flow.no_source.is_empty():
        lines.append(f"  what was there before: {flow.no_source}")
    lines += [f"  {_meaning(parameter, one)}" for parameter in flow.parameters]
    return lines


def _meaning(parameter: Parameter, one: ReadFlow) -> str:
    """A parameter in words."""
    name, statement = parameter.name, parameter.statement
    if parameter.loop is not None:
        return f"{name}: the {parameter.loop} of the last of them"
    loops = one.loops[: parameter.level]
    where = f", in the same iteration of {', '.join(loops)}" if loops else ""
    return (
        f"{name}: 1 where an instance of {statement} that writes {one.read.array}"
        f" as read ran before the read{where}, else 0"
    )


def dataflow_document(
    flows: Sequence[ReadFlow], *, design: str, control: Control
) -> dict[str, Any]:
    """The same as a JSON value: `reads` of statements, `conditions` of their filters.

    `statements` have the number of parameters of their reads, and the disjuncts of these: basic
    maps of all sources, at most, since versions of isl join different ones.
    """
    reads = [one for one in flows if one.read.filter is None]
    return {
        "format": FORMAT,
        "design": design,
        "control": control.value,
        "statements": [
            _counts(name, [one for one in reads if one.read.statement == name])
            for name in dict.fromkeys(one.read.statement for one in reads)
        ],
        "reads": [_read(one) for one in reads],
        "conditions": [_read(one) for one in flows if one.read.filter is not None],
    }


def _counts(statement: str, reads: Sequence[ReadFlow]) -> dict[str, Any]:
    sources = [source.relation.coalesce() for one in reads for source in one.flow.sources]
    return {
        "statement": statement,
        "disjuncts": sum(len(one.get_basic_maps()) for one in sources),
        "parameters": len({(one.read.array, p) for one in reads for p in one.flow.parameters}),
    }


def _read(one: ReadFlow) -> dict[str, Any]:
    read, flow = one.read, one.flow
    of_filter = {} if read.filter is None else {"filter": read.filter}
    return {
        "statement": read.statement,
        "array": read.array,
        **of_filter,
        "operand": read.operand,
        "place": str(read.source_location) if read.source_location else None,
        "parameters": [
            {
                "name": parameter.name,
                "statement": parameter.statement,
                "kind": "ran" if parameter.loop is None else "iterator",
                "loop": parameter.loop,
            }
            for parameter in flow.parameters
        ],
        "sources": [_source(source) for source in flow.sources],
        "no_source": None if flow.no_source.is_empty() else str(flow.no_source),
        "steps": [
            {"statement": step.statement, "level": step.level, "type": step.kind.value}
            for step in flow.steps
        ],
        "exact": flow.exact,
    }


def _source(source: Source) -> dict[str, Any]:
    return {
        "statement": source.statement,
        "relation": str(source.relation),
        "lowest_level": source.lowest_level,
    }
