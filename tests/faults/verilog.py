"""Faults planted in generated Verilog, to show that the check `rtl` can fail.

Each is a small edit of the text, of the kind a wrong generator or a careless hand would make. The
edits know the look of the generated files, nothing of how they came to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from hlsmem.core.lazy_dataclass import dataclass

Files = Mapping[str, str]
_Place = tuple[str, re.Match[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedFault:
    """`kind` of fault, where it is ("file:line", the first edit), and all files with it in."""

    kind: str
    where: str
    files: Files


_WRAP = re.compile(
    r"next_(?:cell|offset|bank)\w* = \((?P<tested>\w+) >= (?P<limit>\d+'s?d\d+)\) \? "
    r"\((?P<base>\S+) - (?P<down>\d+'d\d+)\) : \((?P<base_2>\S+) \+ (?P<up>\d+'d\d+)\);"
)
_STEP = re.compile(
    r"next_(?:cell|offset|bank)\w* = (?P<value>\w+ [+-] [^?;]+|(?!cell|offset|bank)[^?;]+);"
)
_FIRST = re.compile(r"^ +(?:cell|offset|bank)\w* <= (?P<amount>\d+'d\d+);", re.MULTILINE)
_COUNT = re.compile(r"\.START\((?P<start>-?\d+)\)")
_COMPARE = re.compile(
    r"\.time_vector\((?P<vector>.*)\),\n\s+\.progress\((?P<progress>.*)\),\n"
    r"\s+\.done\((?P<done>.*)\),\n\s+\.open\((?P<open>\w+)\)"
)
_GATE_DONE = re.compile(r"\.done\((?P<done>.*)\),\n\s+\.open\((?P<open>\w+)\)")
_WRITE_ENABLE = re.compile(r"wire (?P<name>\w+_\d+(?:_b\d+)?)_(?P<port>w)_en = (?P<enable>.*);")
_READ_ENABLE = re.compile(r"wire (?P<name>\w+_\d+(?:_b\d+)?)_(?P<port>r)_en = (?P<enable>.*);")
_READ_ADDRESS = re.compile(r"wire \[\d+:0\] (?P<name>\w+_\d+(?:_b\d+)?)_r_addr = (?P<address>.*);")
_ASKED = re.compile(r"if \((?P<room>\w+_room)\) begin\n +\w+_asked <=")
_ROOM = re.compile(r"_fire = busy & \w+_beat(?P<room> & \w+_room)")
_LAST = re.compile(r"assign (?P<stream>\w+)_tlast = (?P<last>\w+\[0\]);")
_IDLE = re.compile(r"wire on_beat = (?P<beat>[^;]+);")
# Banks: which one is written, and which word an operand gets.
_WRITTEN_BANK = re.compile(r"write_enable & write_bank == (?P<bank>\d+'d\d+);")
_WORD = re.compile(
    r"(?P<value>\d+'d\d+): (?P<word>\w+_word_\d+) = (?P<first>\w+);\n(?P<between>\s+\S+ )"
    r"(?P=word) = (?P<second>\w+);"
)
_SELECTOR = re.compile(r"if \(\w+_(?:fire|move)\) (?P<kept>\w+_\d+ <= \w+;)")
_TURNED = re.compile(
    r"wire \[\d+:0\] \w+_word_\d+ = \w+_turned\[(?P<high>\d+):(?P<low>\d+)\];\n"
    r"\s+wire \[\d+:0\] \w+_word_\d+ = \w+_turned\[(?P<high_2>\d+):(?P<low_2>\d+)\];"
)
# Chains: the beats in a RAM, the operands of a beat, when one goes out, the handshake.
_DEPTH = re.compile(r"hlsmem_delay\w* #\(\n.*\n\s+\.DEPTH\((?P<depth>\d+)\)")
_OPERANDS = re.compile(r"_tdata = \{(?P<operands>.*\bat_\d+.*)\};")
_EMIT = re.compile(r"assign emit_\d+ = .*?(?P<amount>\d+'s?d\d+)")
_STALL = re.compile(r"_room = (?P<room>~\w+_tvalid \| \w+_tready);")
_LANE = re.compile(r"run_0_lane_0 <= \w+_tdata\[(?P<high>\d+):(?P<low>\d+)\];")
_TAP = re.compile(r"wire \[\d+:0\] at_\w+ = run_\w+\[(?P<high>\d+):(?P<low>[1-9]\d*)\];")
_SKID = re.compile(r"if \((?P<empty>~\w+_waits)\) \w+_kept <=")
_SKID_READY = re.compile(r"_tready = open(?P<room> & ~\w+_waits);")
_CHAIN_LAST = re.compile(r"_tlast <= (?P<last>[^;]+);")
# FIFOs: how many beats a run has, when one is the last, when the run is over, the handshake.
_BEATS = re.compile(r"\.BEATS\((?P<amount>\d+)\)")
_FIFO_LAST = re.compile(r"_tlast = (?P<last>~open & only);")
_OVER = re.compile(r"wire over = ~open(?P<waits> & only) & ~\w+_tvalid;")
_TAKEN = re.compile(r"\.m_tready\((?P<room>\w+)\)")
# Branch FIFOs, in the top: beats that go in, and that the run is not over before they are out.
_PUSHED = re.compile(r"hlsmem_branch\w* #\((?:.|\n)*?\.s_tvalid\((?P<valid>\w+)_now_tvalid\)")
_BRANCH_DEPTH = re.compile(r"hlsmem_branch\w* #\(\n.*\n\s+\.DEPTH\((?P<depth>\d+)\)")
_WAITING = re.compile(r"assign busy = .*(?P<waits> \| \w+_tvalid);")


def planted_faults(files: Files, most: int = 2) -> Iterator[PlantedFault]:
    """Faults of every kind that has a place in `files`, at most `most` of a kind.

    `files` are the generated Verilog files by name, without the library.
    """
    generators = {name: text for name, text in files.items() if name.endswith("_walk.v")}
    buffers = {name: text for name, text in files.items() if name.endswith("_buffer.v")}
    tops = {name: text for name, text in files.items() if name.endswith("_mem.v")}
    groups = {"walkers": generators, "buffers": buffers, "tops": tops}
    yield from _modulus_everywhere(files, buffers)
    for kind, group, pattern, edit in _KINDS:
        texts = groups[group]
        places = [(name, match) for name, text in texts.items() for match in pattern.finditer(text)]
        for name, match in _spread(places, most):
            yield _planted(files, name, match, edit(match), kind)
    yield from _swapped(files, buffers, most, _READ_ADDRESS, "address", "swapped copies")
    yield from _swapped(files, buffers, most, _WRITTEN_BANK, "bank", "swapped banks")


def _planted(
    files: Files, name: str, match: re.Match[str], changed: str, kind: str
) -> PlantedFault:
    text = files[name]
    edited = text[: match.start()] + changed + text[match.end() :]
    where = f"{name}:{text.count(chr(10), 0, match.start()) + 1}"
    return PlantedFault(kind=kind, where=where, files={**files, name: edited})


def _spread(places: list[_Place], most: int) -> list[_Place]:
    """At most `most` of the places, first and last among them."""
    if len(places) <= most or most < 2:
        return places[:most]
    return [places[k * (len(places) - 1) // (most - 1)] for k in range(most)]


def _modulus_everywhere(files: Files, buffers: Files) -> Iterator[PlantedFault]:
    """All address generators of an array agree on a modulus that is one too small."""
    for buffer, text in buffers.items():
        names = [f"{module}.v" for module in re.findall(r"(\w+_walk) u_", text)]
        smaller = {name: _WRAP.sub(_smaller_modulus, files[name]) for name in names}
        if any(files[name] != smaller[name] for name in names):
            where = f"all address generators in {buffer}"
            yield PlantedFault(kind="modulus minus one", where=where, files={**files, **smaller})


def _smaller_modulus(match: re.Match[str]) -> str:
    """The modulus is what goes up plus what comes down; the larger of the two shrinks."""
    down, up = _number(match["down"]), _number(match["up"])
    text = match[0]
    if up >= down:
        return text.replace(f"+ {match['up']})", f"+ {_changed(match['up'], -1)})")
    text = text.replace(f">= {match['limit']})", f">= {_changed(match['limit'], -1)})")
    return text.replace(f"- {match['down']})", f"- {_changed(match['down'], -1)})")


def _wrong_step(match: re.Match[str]) -> str:
    return match[0].replace(f"+ {match['up']})", f"+ {_changed(match['up'], 1)})")


def _always_a_beat(match: re.Match[str]) -> str:
    return match[0].replace(match["beat"], "1'b1")


def _wrong_coefficient(match: re.Match[str]) -> str:
    """Where an outer loop steps: one more than its coefficient."""
    return match[0].replace(match["value"], f"({match['value']}) + 1'd1")


def _wrong_offset(match: re.Match[str]) -> str:
    return match[0].replace(match["amount"], _changed(match["amount"], 1))


def _early_count(match: re.Match[str]) -> str:
    return f".START({int(match['start']) + 1})"


def _early_compare(match: re.Match[str]) -> str:
    early = f"({match['vector']} == ({match['progress']})) | {match['done']}"
    return match[0].replace(f".done({match['done']})", f".done({early})")


def _removed(match: re.Match[str]) -> str:
    return match[0].replace(f".done({match['done']})", ".done(1'b1)")


def _dropped(match: re.Match[str]) -> str:
    """The accesses to every other cell are lost, or all where there is one cell."""
    address = f"{match['name']}_{match['port']}_addr"
    kept = f"~{address}[0]" if f" {address} = " in match.string else "1'b0"
    enable = f"{match['name']}_{match['port']}_en"
    return f"wire {enable} = ({match['enable']}) & ({kept});"


def _no_room(match: re.Match[str]) -> str:
    return match[0].replace(match["room"], "")


def _early_last(match: re.Match[str]) -> str:
    stream = match["stream"]
    early = f"{match['last']} | ({stream}_there & {stream}_last)"
    return f"assign {stream}_tlast = {early};"


def _shorter(match: re.Match[str]) -> str:
    return match[0].replace(f"({match['depth']})", f"({int(match['depth']) - 1})")


def _swapped_operands(match: re.Match[str]) -> str:
    """The first two operands that are different elements change places."""
    operands = match["operands"].split(", ")
    first = operands[0]
    other = next((k for k, operand in enumerate(operands) if operand != first), 0)
    operands[0], operands[other] = operands[other], first
    return match[0].replace(match["operands"], ", ".join(operands))


def _oldest_lane(match: re.Match[str]) -> str:
    """The lane of the newest element takes the oldest of the beat."""
    high, low = int(match["high"]), int(match["low"])
    return match[0].replace(f"[{high}:{low}]", f"[{high - low}:0]")


def _earlier_tap(match: re.Match[str]) -> str:
    """A position shows the element of the one before."""
    high, low = int(match["high"]), int(match["low"])
    return match[0].replace(f"[{high}:{low}]", f"[{low - 1}:{2 * low - high - 1}]")


def _out_early(match: re.Match[str]) -> str:
    return match[0].replace(match["amount"], _changed(match["amount"], -1))


def _never_full(match: re.Match[str]) -> str:
    return match[0].replace(match["room"], "1'b1")


def _overwritten(match: re.Match[str]) -> str:
    return match[0].replace(match["empty"], "1'b1")


def _always_last(match: re.Match[str]) -> str:
    return match[0].replace(match["last"], "1'b1")


def _turned(match: re.Match[str]) -> str:
    """The words of the first two values of the selector change places."""
    text = f"{match['value']}: {match['word']} = {match['second']};\n"
    return f"{text}{match['between']}{match['word']} = {match['first']};"


def _swapped_words(match: re.Match[str]) -> str:
    """The first operand gets the word of the second."""
    own, other = (f"_turned[{match[f'high{n}']}:{match[f'low{n}']}]" for n in ("", "_2"))
    return match[0].replace(own, other, 1)


def _not_kept(match: re.Match[str]) -> str:
    return match["kept"]


def _one_beat_short(match: re.Match[str]) -> str:
    return f".BEATS({int(match['amount']) - 1})"


def _pushed_early(match: re.Match[str]) -> str:
    """What stands at the entry goes in from the first cycle on, before a beat is there."""
    valid = f"{match['valid']}_now_tvalid"
    return match[0].replace(f"({valid})", "(busy)")


def _over_early(match: re.Match[str]) -> str:
    return match[0].replace(match["waits"], "")


_KINDS = (
    ("modulus minus one, one walker", "walkers", _WRAP, _smaller_modulus),
    ("wrong step", "walkers", _WRAP, _wrong_step),
    ("wrong coefficient", "walkers", _STEP, _wrong_coefficient),
    ("wrong offset", "walkers", _FIRST, _wrong_offset),
    ("beat of no instance", "walkers", _IDLE, _always_a_beat),
    ("dropped write", "buffers", _WRITE_ENABLE, _dropped),
    ("dropped read", "buffers", _READ_ENABLE, _dropped),
    ("gate one beat early", "buffers", _COUNT, _early_count),
    ("gate one beat early", "buffers", _COMPARE, _early_compare),
    ("gate removed", "buffers", _GATE_DONE, _removed),
    ("skid slot lost", "buffers", _ROOM, _no_room),
    ("read lost in a stall", "buffers", _ASKED, _never_full),
    ("tlast early", "buffers", _LAST, _early_last),
    ("wrong rotation", "buffers", _WORD, _turned),
    ("wrong rotation", "buffers", _TURNED, _swapped_words),
    ("selector lost in a stall", "buffers", _SELECTOR, _not_kept),
    ("delay one beat short", "buffers", _DEPTH, _shorter),
    ("wrong lane", "buffers", _LANE, _oldest_lane),
    ("swapped operands", "buffers", _OPERANDS, _swapped_operands),
    ("wrong tap", "buffers", _TAP, _earlier_tap),
    ("beat out early", "walkers", _EMIT, _out_early),
    ("beat lost in a stall", "buffers", _STALL, _never_full),
    ("beat lost in a skid", "buffers", _SKID, _overwritten),
    ("beat lost in a skid", "buffers", _SKID_READY, _no_room),
    ("tlast early", "buffers", _CHAIN_LAST, _always_last),
    ("one beat short", "buffers", _BEATS, _one_beat_short),
    ("tlast early", "buffers", _FIFO_LAST, _always_last),
    ("run over early", "buffers", _OVER, _over_early),
    ("beat lost in a stall", "buffers", _TAKEN, _never_full),
    ("branch FIFO one beat short", "tops", _BRANCH_DEPTH, _shorter),
    ("beat pushed one early", "tops", _PUSHED, _pushed_early),
    ("run over early", "tops", _WAITING, _over_early),
)


def _swapped(
    files: Files, buffers: Files, most: int, pattern: re.Pattern[str], part: str, kind: str
) -> Iterator[PlantedFault]:
    """Two neighbours exchange a part of their text, such as copies their read addresses."""
    found = 0
    for name, text in buffers.items():
        matches = list(pattern.finditer(text))
        for first, second in pairwise(matches):
            if found == most or first[part] == second[part]:
                continue
            found += 1
            edited = (
                text[: first.start(part)]
                + second[part]
                + text[first.end(part) : second.start(part)]
                + first[part]
                + text[second.end(part) :]
            )
            where = f"{name}:{text.count(chr(10), 0, first.start()) + 1}"
            yield PlantedFault(kind=kind, where=where, files={**files, name: edited})


def _number(literal: str) -> int:
    return int(literal.split("d")[1])


def _changed(literal: str, by: int) -> str:
    """A sized literal with another value, within its width."""
    size, value = literal.split("d")
    bits = int(size.split("'")[0])
    return f"{size}d{(int(value) + by) % (1 << bits)}"
