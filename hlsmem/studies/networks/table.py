"""The channels of a network as text and as JSON (hlsmem-network/1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.emit.markdown_table import Column, table
from hlsmem.network.listed_channels import Capacities
from hlsmem.network.processes import Process
from hlsmem.studies.networks.channel_classes import Facts

FORMAT = "hlsmem-network/1"
_NUMBERS = ("lag", "tokens", "reads", "text", "cycle", "window", "selftimed")
_COLUMNS = [
    *(Column(name) for name in ("from", "array", "to", "operand", "class", "order")),
    *(Column(name, right=True) for name in _NUMBERS),
    Column("realised"),
    Column("words", right=True),
    Column("control"),
    Column("holds for"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelRow:
    """A channel with what is known of it; None where there is too much to list.

    `realised` is the kind of memory that serves the operand, with so many `words`, which several
    channels of one array may share. A channel of which run-time conditions decide has no `facts`:
    it is the array's memory, whatever happens.
    """

    source: str
    array: str
    sink: str
    operand: int
    facts: Facts | None
    capacities: Capacities | None
    selftimed: int | None
    realised: str
    words: int | None

    @property
    def control(self) -> str:
        """Condition at run time on which a value goes through."""
        return "none" if self.facts is not None else "memory: conditional"

    def __str__(self) -> str:
        """E.g. "P -> C.0 by blurx"."""
        return f"{self.source} -> {self.sink}.{self.operand} by {self.array}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A process of a circle, and the instance that waits for a value of a channel or for room."""

    process: str
    instance: str
    channel: str
    for_room: bool

    def __str__(self) -> str:
        what = "room" if self.for_room else "a value"
        return f"{self.process}: {self.instance} waits for {what} in {self.channel}"


def network_text(
    rows: Sequence[ChannelRow],
    *,
    title: str,
    at: str,
    processes: Sequence[Process],
    together: Sequence[int] | None,
    stuck: Sequence[Waiting] | None,
) -> str:
    """The processes, a table of their channels, and the capacities with which they run."""
    lines = [f"{title}: {len(processes)} process{'es' * (len(processes) != 1)}"]
    lines += [
        f"{one.name}: {', '.join(one.statements)}"
        for one in processes
        if one.statements != (one.name,)
    ]
    if not rows:
        return "\n".join([*lines, "no value goes from one statement to another"])
    lines += ["", table(_COLUMNS, [_cells(row, at) for row in rows]), ""]
    if together is None:
        return "\n".join([*lines, "there is too much to list: ask at smaller parameters, --param"])
    if not together:
        return "\n".join(lines[:-1])
    least = ", ".join(map(str, together))
    lines.append(
        f"self-timed capacities that are enough together, found one after the other: {least};"
        f" {sum(together)} in all, {_sum(rows)} by text"
    )
    if stuck is None:
        lines.append("with those by cycle, one for a wire, the network comes to its end")
    else:
        lines.append("with those by cycle, one for a wire, it is stuck:")
        lines += [f"- {one}" for one in stuck]
    return "\n".join(lines)


def _sum(rows: Sequence[ChannelRow]) -> int:
    return sum(row.capacities.text for row in rows if row.capacities is not None)


def _figures(row: ChannelRow) -> dict[str, int | None]:
    facts, found = row.facts, row.capacities
    return {
        "lag": None if facts is None else facts.lag,
        "tokens": None if facts is None else facts.tokens,
        "reads": None if facts is None else facts.reads,
        "text": None if found is None else found.text,
        "cycle": None if found is None else found.cycle,
        "window": None if found is None else found.window,
        "selftimed": row.selftimed,
    }


def _cells(row: ChannelRow, at: str) -> list[str]:
    figures, facts = _figures(row), row.facts
    return [
        row.source,
        row.array,
        row.sink,
        str(row.operand),
        "-" if facts is None else facts.kind.value,
        "-" if facts is None else facts.order,
        *("-" if figures[name] is None else str(figures[name]) for name in _NUMBERS),
        row.realised,
        "-" if row.words is None else str(row.words),
        row.control,
        "all parameters" if facts is None or facts.for_all or not at else at,
    ]


def _scope(facts: Facts | None) -> str:
    return "all-parameters" if facts is None or facts.for_all else "these-parameters"


def network_document(
    rows: Sequence[ChannelRow],
    *,
    design: str,
    values: Mapping[str, int],
    processes: Sequence[Process],
    together: Sequence[int] | None,
    stuck: Sequence[Waiting] | None,
) -> dict[str, Any]:
    """The same as a JSON value."""
    return {
        "format": FORMAT,
        "design": design,
        "params": dict(values),
        "processes": {one.name: list(one.statements) for one in processes},
        "channels": [
            {
                "from": row.source,
                "array": row.array,
                "to": row.sink,
                "operand": row.operand,
                "class": None if row.facts is None else row.facts.kind.value,
                "order": None if row.facts is None else row.facts.order,
                **_figures(row),
                "realised": row.realised,
                "words": row.words,
                "control": row.control,
                "scope": _scope(row.facts),
            }
            for row in rows
        ],
        "together": None if together is None else list(together),
        "deadlock": None if stuck is None else [asdict(one) for one in stuck],
    }
