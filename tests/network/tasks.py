"""Random DATAFLOW designs as C++, and a simulator of their tasks that knows nothing of hlsmem."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

# What one statement does: it takes a word from each of some streams, then puts one into another.
Firing = tuple[tuple[str, ...], str | None]


@dataclass(frozen=True)
class Call:
    """A task: its firings in the order of its text, and the tasks that it begins after."""

    firings: tuple[Firing, ...]
    after: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Design:
    """A design as text, its streams and its tasks."""

    text: str
    streams: tuple[str, ...]
    calls: tuple[Call, ...]


def ends(calls: Sequence[Call], depths: Mapping[str, int]) -> bool:
    """Whether tasks come to their end with streams of such depths, without a limit for others."""
    done, held = [0] * len(calls), dict[str, int]()
    moved = True
    while moved:
        moved = False
        for number, call in enumerate(calls):
            if any(done[other] < len(calls[other].firings) for other in call.after):
                continue
            while done[number] < len(call.firings):
                words = _after(held, depths, call.firings[done[number]])
                if words is None:
                    break
                held, moved = words, True
                done[number] += 1
    return all(n == len(call.firings) for n, call in zip(done, calls, strict=True))


def _after(
    held: Mapping[str, int], depths: Mapping[str, int], firing: Firing
) -> dict[str, int] | None:
    """The words in streams behind a firing; None where it has to wait."""
    takes, puts = firing
    words = dict(held)
    for one in takes:
        words[one] = words.get(one, 0) - 1
        if words[one] < 0:
            return None
    if puts is not None:
        words[puts] = words.get(puts, 0) + 1
        if words[puts] > depths.get(puts, words[puts]):
            return None
    return words


@dataclass(frozen=True)
class _Statement:
    """A statement of a loop that runs in its iterations `low` to `high`, which is exclusive."""

    firing: Firing
    low: int
    high: int
    text: str = ""

    def line(self, trips: int) -> str:
        takes, puts = self.firing
        text = self.text or " + ".join(f"{one}.read()" for one in takes) or "i"
        if not self.text:
            text = f"o[i] = {text};" if puts is None else f"{puts}.write({text});"
        if (self.low, self.high) != (0, trips):
            text = f"if ({f'i >= {self.low}' if self.low else f'i < {self.high}'}) {text}"
        return f"        {text}"


@dataclass
class _Loop:
    trips: int
    body: list[_Statement] = field(default_factory=list)

    @property
    def is_guarded(self) -> bool:
        """Whether a stream is counted under a condition: more than one in a loop is not read."""
        return any(one.high - one.low < self.trips for one in self.body)


def random_design(seed: int) -> Design:
    """2 to 5 calls of 1 to 3 loops each, with streams between them, and now and then an array."""
    dice = random.Random(seed)
    size = dice.randint(2, 5)
    calls = [[_Loop(dice.randint(1, 5)) for _ in range(dice.randint(1, 3))] for _ in range(size)]
    ends_of: dict[str, tuple[int, int]] = {}
    for number in range(dice.randint(1, 7)):
        source, sink = sorted(dice.sample(range(size), 2))
        if _stream(dice, f"f{number}", calls[source], calls[sink]):
            ends_of[f"f{number}"] = source, sink
    streams = tuple(ends_of)
    after: list[set[int]] = [set() for _ in calls]
    for number in range(dice.choice([0, 0, 1])):
        name = f"a{number}"
        source, sink = ends_of[name] = sorted(dice.sample(range(size), 2))
        loop = dice.choice(calls[source])
        loop.body.append(_Statement(((), None), 0, loop.trips, f"{name}[i] = i;"))
        read = _Statement(((), None), 0, loop.trips, f"o[i] = {name}[i];")
        same = [one for one in calls[sink] if one.trips == loop.trips]
        same = same or [_Loop(loop.trips)]
        same[0].body.append(read)
        calls[sink] += [one for one in same if one not in calls[sink]]
        after[sink].add(source)
    for one in (loop for loops in calls for loop in loops):
        dice.shuffle(one.body)
        _join(dice, one)
    texts = [_function(k, loops, ends_of) for k, loops in enumerate(calls)]
    names = [", ".join([*_given(k, ends_of), f"o{k}"]) for k in range(size)]
    lines = [
        "#include <hls_stream.h>",
        *texts,
        f"void top({', '.join(f'int o{k}[10]' for k in range(size))}) {{",
        "#pragma HLS DATAFLOW",
        *(f"    hls::stream<int> {one};" for one in streams),
        *(f"    int {one}[5];" for one in ends_of if one not in streams),
        *(f"    t{k}({own});" for k, own in enumerate(names)),
        "}",
    ]
    firings = [
        tuple(
            one.firing
            for loop in loops
            for i in range(loop.trips)
            for one in loop.body
            if one.low <= i < one.high
        )
        for loops in calls
    ]
    tasks = tuple(Call(own, frozenset(w)) for own, w in zip(firings, after, strict=True))
    return Design("\n".join(lines) + "\n", streams, tasks)


def _stream(dice: random.Random, name: str, source: list[_Loop], sink: list[_Loop]) -> bool:
    """Put a stream between two calls; its last words may stay. False where there is no place."""
    readable, reads = 0, list[tuple[_Loop, _Statement]]()
    writing = [one for one in source if dice.random() < 0.6] or [dice.choice(source)]
    left = sum(one.trips for one in writing)
    for loop in dice.sample(sink, len(sink)):
        if loop.trips <= left and (dice.random() < 0.8 or not reads):
            reads.append((loop, _Statement(((name,), None), 0, loop.trips)))
            left -= loop.trips
        elif 0 < left < loop.trips and not loop.is_guarded:
            low = dice.choice([0, loop.trips - left])
            reads.append((loop, _Statement(((name,), None), low, low + left)))
            left = 0
    readable = len(reads)
    if readable:
        for loop in writing:
            loop.body.append(_Statement(((), name), 0, loop.trips))
        for loop, one in reads:
            loop.body.append(one)
    return bool(readable)


def _join(dice: random.Random, loop: _Loop) -> None:
    """Make one statement of two that run in the same iterations, now and then."""
    for one in list(loop.body):
        for other in list(loop.body):
            takes, puts = one.firing
            if one is other or one.text or other.text or not takes or puts is not None:
                continue
            if other not in loop.body or one not in loop.body or dice.random() < 0.6:
                continue
            if (one.low, one.high) == (other.low, other.high):
                loop.body.remove(one)
                into = (*other.firing[0], *takes), other.firing[1]
                loop.body[loop.body.index(other)] = replace(other, firing=into)


def _given(number: int, ends_of: Mapping[str, Sequence[int]]) -> list[str]:
    return [name for name, both in ends_of.items() if number in both]


def _function(number: int, loops: Sequence[_Loop], ends_of: Mapping[str, Sequence[int]]) -> str:
    own = _given(number, ends_of)
    given = [f"hls::stream<int> &{name}" if name[0] == "f" else f"int {name}[5]" for name in own]
    lines = [f"static void t{number}({', '.join([*given, 'int o[10]'])}) {{"]
    for loop in loops:
        lines.append(f"    for (int i = 0; i < {loop.trips}; i++) {{")
        lines += [*(one.line(loop.trips) for one in loop.body), "    }"]
    return "\n".join([*lines, "    o[9] = 0;", "}"])
