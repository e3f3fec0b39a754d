"""The proofs of a buffer: few quotients in each, so that none takes long, and their sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hlsmem.check.formal.model.stream_claims import SEEN, Piece
from hlsmem.check.formal.module_text import assertions, stub, with_lines
from hlsmem.core.lazy_dataclass import dataclass

_STUBS = (
    "hlsmem_ram",
    "hlsmem_ram_output",
    "hlsmem_register",
    "hlsmem_skid",
    "hlsmem_output_register",
    "hlsmem_rotator",
    "hlsmem_delay",
    "hlsmem_fifo",
)
# Solvers take long for many remainders at once.
_MOST_QUOTIENTS = 3


@dataclass(frozen=True, slots=True)
class Task:
    """One proof: the claims to add to a buffer, with the ghosts and lines they speak of."""

    pieces: tuple[Piece, ...]
    claims: Mapping[str, str]
    lines: tuple[str, ...] = ()


def tasks(pieces: Sequence[Piece], ports: Mapping[str, str]) -> Iterator[Task]:
    """The proofs of a buffer: few claims with quotients in each, so that none takes long."""
    chosen: list[Piece] = []
    claims = dict(ports)
    lines: dict[str, None] = {}
    weight = 0
    for piece in pieces:
        for part, quotients in _parts(piece):
            if weight and weight + len(quotients) > _MOST_QUOTIENTS:
                yield Task(tuple(chosen), claims, tuple(lines))
                chosen, claims, lines, weight = [], {}, {}, 0
            if piece not in chosen:
                chosen.append(piece)
            claims |= piece.claims | part
            lines |= dict.fromkeys(piece.assumptions(quotients))
            weight += len(quotients)
    yield Task(tuple(chosen), claims, tuple(lines))


def _parts(piece: Piece) -> Iterator[tuple[dict[str, str], frozenset[int]]]:
    """The goals of a stream, each group with the facts it rests on; and its quotients."""
    groups: list[tuple[frozenset[int], dict[str, str]]] = []
    for goal in piece.goals:
        quotients = piece.needed(goal.quotients)
        for position, (known, part) in enumerate(groups):
            if len(known | quotients) <= max(_MOST_QUOTIENTS, len(known), len(quotients)):
                groups[position] = known | quotients, {**part, goal.name: goal.text}
                break
        else:
            groups.append((quotients, {goal.name: goal.text}))
    if not groups:
        groups.append((piece.needed(()), {}))
    for known, part in groups:
        facts = {fact.name: fact.text for fact in piece.facts if fact.quotients <= known}
        yield facts | part, known


def task_sources(
    buffer: str, task: Task, library: Mapping[str, str], *, stubs: bool = True
) -> dict[str, str]:
    """The sources of a proof: the buffer with ghosts and claims, and stubs of its memories.

    `library` are the other files by name; without `stubs` memories are what they are.
    """
    lines = [f"reg {SEEN} = 1'b0;", f"always @(posedge clk) {SEEN} <= 1'b1;"]
    lines.append(f"always @* if (!{SEEN}) assume (rst);")
    for piece in task.pieces:
        lines += piece.lines
    lines += task.lines
    sources = {
        name: stub(text) if stubs and name.removesuffix(".v") in _STUBS else text
        for name, text in library.items()
    }
    # Several streams may look at the same wire of an instance.
    lines = [*dict.fromkeys(lines), *assertions(task.claims, SEEN)]
    sources["proof_buffer.v"] = with_lines(buffer, lines)
    return sources
