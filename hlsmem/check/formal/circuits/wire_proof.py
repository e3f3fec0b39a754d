"""The proof of a wire: every write beat goes once, with the read beat that the program has for it.

Nothing is kept, so all that is claimed is of one cycle: a read beat shows exactly while the write
beat that it follows is offered, operand by operand the element of it, and neither goes alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from hlsmem.check.formal.circuits.buffer_proof import generator_piece
from hlsmem.check.formal.circuits.chain_proof import last_before
from hlsmem.check.formal.model.beat_tables import BeatTable
from hlsmem.check.formal.model.ghost import NoGhost
from hlsmem.check.formal.model.stream_claims import Piece, mask_text
from hlsmem.check.formal.proof_tasks import Task
from hlsmem.check.rtl.simulated_device import DeviceStream


def wire_task(
    writer: DeviceStream,
    reader: DeviceStream,
    tables: Mapping[str, BeatTable],
    hints: Mapping[str, Any],
    generator: str,
    bits: int,
) -> Task:
    """The proof of a wire for elements of `bits`; raises NoGhost.

    `generator` is the text of the module of the writer's address generator.
    """
    written, read = tables[writer.name], tables[reader.name]
    if hints["idle"]:
        raise NoGhost("its address generator has places without a beat")
    piece = generator_piece(writer, 0, written, hints, generator)
    after = last_before(read, written)
    if (np.diff(after) <= 0).any():
        raise NoGhost(f"a write beat brings several beats of {reader.name}")
    emits = _text(piece, after, len(written.times))
    last = _text(piece, after[-1:], len(written.times))
    valid, done = f"{reader.name}_tvalid", "g0_done"
    piece.claims |= {
        "open_while_beats": f"!open || (!{done} && busy)",
        "closed_after_the_last": f"!busy || open || {done}",
        "idle": f"busy || (!{done} && !open)",
        "shows_what_is_offered": f"{valid} == (open && {writer.name}_tvalid && ({emits}))",
        "goes_with_its_reader": (
            f"{writer.name}_tready == (open && ({reader.name}_tready || !({emits})))"
        ),
        "reader_last": f"!{valid} || {reader.name}_tlast == ({last})",
    }
    lane = reader.bits // len(read.elements)
    for k, (taken, versions) in enumerate(zip(read.taken, read.versions, strict=True)):
        if reader.user_bits:
            text = _text(piece, after[taken], len(written.times))
            piece.claims[f"reader_user_{k}"] = f"!{valid} || {reader.name}_tuser[{k}] == ({text})"
        if (versions[taken] != written.versions[0][after[taken]]).any():
            raise NoGhost(f"operand {k} of {reader.name} is not what its write beat brings")
        piece.claims[f"reader_lane_{k}"] = (
            f"!{valid} || {reader.name}_tdata[{k * lane} +: {bits}]"
            f" == {writer.name}_tdata[0 +: {bits}]"
        )
    facts = {fact.name: fact.text for fact in piece.facts}
    every = range(len(piece.ghost.forms.quotients))
    return Task((piece,), facts | piece.claims, tuple(piece.assumptions(every)))


def _text(piece: Piece, beats: np.ndarray, many: int) -> str:
    """Condition that the ghost is at one of these write beats."""
    mask = np.zeros(many, dtype=bool)
    mask[beats] = True
    text = mask_text(piece.ghost, mask, piece.bits)
    if text is None:
        raise NoGhost("which write beats bring a read beat is not understood")
    return text
