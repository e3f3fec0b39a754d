"""Witnesses in words: cycle, stream, beat and element of a claim that does not hold."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from hlsmem.check.formal.circuits.chain_proof import own_coordinates
from hlsmem.check.formal.model.beat_order import Bound
from hlsmem.check.formal.proof_design import Design
from hlsmem.check.formal.smt_proof import Proof
from hlsmem.check.rtl.expected_beats import element_text
from hlsmem.check.rtl.simulated_device import DeviceStream

_PORTS = re.compile(r"^(one_(write|read)_(\d+_)?|port_)")


def pair_text(design: Design, bound: Bound, beat: int, *, verb: str) -> str:
    """A beat and the last one it is to wait for, for people."""
    first = design.streams[bound.waiting].place_of(beat)
    # A word may be read after the last beat has gone.
    last = min(int(bound.least[beat]), len(design.tables[bound.other].ranks)) - 1
    second = design.streams[bound.other].place_of(last)
    return f"{bound.waiting} {first} {verb} {bound.other} {second}"


def doubt(streams: Sequence[DeviceStream], claim: str) -> str:
    """The unproved property of gates and words, in words; empty for other claims."""
    words = {
        "counter": "a counter of its gates may be off",
        "after": "it may go while a gate of its is shut",
        "opens": "it may wait while its gates are open",
        "word": "an operand may be the word of another RAM",
        "kept": "an operand may be the word of another RAM",
        "asked": "a RAM may be read elsewhere than it was asked",
        "data": "what a RAM takes may not be what is written",
    }
    found = re.match(r"g(\d+)_(counter|after|opens|word|kept|asked|data)_?", claim)
    return f"{streams[int(found[1])].name}: {words[found[2]]}" if found else ""


def is_hint(name: str) -> bool:
    return (
        re.match(
            r"(g\d+_(register|state|flag|quotient|domain|behind|waits|past|begins|kept)|position|fed)_",
            f"{name}_",
        )
        is not None
    )


def witness(design: Design, array: str, streams: Sequence[DeviceStream], found: Proof) -> str:
    """The cycle, the stream, the element, and what was expected and presented."""
    numbered = re.match(r"g(\d+)_(.*)", found.claim)
    if numbered is None:
        what = _PORTS.sub(r"two accesses at once: ", found.claim).replace("_", " ")
        return f"cycle {found.cycle}: {what}"
    stream = streams[int(numbered[1])]
    table = design.tables[stream.name]
    columns = own_coordinates(table.times)
    if stream.name in design.hints:
        columns = table.times[:, [one["entry"] for one in design.hints[stream.name]["loops"]]]
    point = [
        _signed(found.values.get(f"g{numbered[1]}_{k}", 0), column)
        for k, column in enumerate(columns.T)
    ]
    beats = (columns == point).all(axis=1).nonzero()[0]
    beat = int(beats[0]) if len(beats) else -1
    where = design.streams[stream.name].place_of(beat) if len(beats) else "between two beats"
    place = f"cycle {found.cycle}: {stream.name} {where}"
    word = re.match(r"word_(\d+)", numbered[2])
    if word is not None:
        # Words come after their issue: which beat it was is not at hand any more.
        return f"cycle {found.cycle}: {stream.name}: operand {word[1]} is the word of another RAM"
    lane = re.match(r"lane_(\d+)", numbered[2])
    if lane is not None:
        element = element_text(array, tuple(table.elements[int(lane[1])][beat].tolist()))
        return f"{place}: operand {lane[1]} is not what was written to {element}"
    access = re.match(r"(reads|writes)_(\d+)_(\d+)(_bank_\d+)?_(address|there)", numbered[2])
    if access is None:
        words = {
            "reserves": "it is issued without a slot",
            "over": "the walk ends elsewhere",
            "beat": "its address generator takes a place for a beat, or a beat for none",
            "last": "tlast is wrong",
            "tlast": "tlast is wrong",
            "user": "tuser is wrong",
            "out": "it goes out after another write beat than the program's",
            "all_go_out": "it never goes out",
            "fires_on_a_beat": "it moves where it has no beat",
            "after": "it goes while a gate of its is shut",
            "opens": "it waits while its gates are open",
            "asked": "a RAM is read elsewhere than it was asked",
            "data": "what a RAM takes is not what is written",
        }
        kind = re.sub(r"_.*\d.*$", "", numbered[2])
        return f"{place}: {words.get(kind, numbered[2])}"
    operand, copy = int(access[2]), int(access[3])
    element = element_text(array, tuple(table.elements[operand][beat].tolist()))
    if access[5] == "there":
        verb = "read" if access[1] == "reads" else "written"
        return f"{place}: {element} is not {verb} in copy {copy}"
    kind = "w" if access[1] == "writes" else "r"
    bank = access[4] or ""
    wanted = found.values.get(f"g{numbered[1]}_{access[1]}_{operand}_{copy}{bank}_cell")
    port = f"{array}_{copy}{bank.replace('_bank_', '_b')}"
    presented = found.values.get(f"{port}_{kind}_addr")
    return f"{place}: {element} is in cell {wanted} by the plan, cell {presented} is addressed"


def _signed(value: int, column: Any) -> int:
    """A ghost register's bits as the number they stand for."""
    from hlsmem.check.formal.model.ghost_forms import bits_of

    bits = bits_of(column)
    return value - (1 << bits) if value >> (bits - 1) & 1 else value
