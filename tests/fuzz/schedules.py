"""Random orders for a program: skewed, interchanged, tiled, parallel, shifted; legal or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from tests.fuzz.language import Instance, Time


@dataclass(frozen=True, slots=True)
class Form:
    """floor((constant + sum of factor * iterator) / divisor)"""

    factors: tuple[int, ...]
    constant: int
    divisor: int = 1

    def at(self, iterators: tuple[int, ...]) -> int:
        total = sum(f * i for f, i in zip(self.factors, iterators, strict=True))
        return (total + self.constant) // self.divisor

    def __str__(self) -> str:
        terms = [f"{factor}*i{k}" for k, factor in enumerate(self.factors) if factor]
        total = " + ".join([*terms, str(self.constant)])
        return f"floor(({total})/{self.divisor})" if self.divisor > 1 else total


@dataclass(frozen=True, slots=True)
class Order:
    """The time of every statement, by its number: entries over its iterators."""

    times: dict[int, tuple[Form, ...]]

    def of(self, instance: Instance) -> Time:
        return tuple(form.at(instance.iterators) for form in self.times[instance.statement])

    def text(self, names: Sequence[str], parameters: str) -> str:
        """The union map as isl writes it."""
        parts = []
        for number, forms in self.times.items():
            count = len(forms[0].factors)
            tuple_ = ", ".join(f"i{k}" for k in range(count))
            parts.append(f"{names[number]}[{tuple_}] -> [{', '.join(map(str, forms))}]")
        return f"{parameters}{{ {'; '.join(parts)} }}"


def random_order(random: Random, instances: Sequence[Instance], depths: Sequence[int]) -> Order:
    """An order near that of the source; `depths` are the loops around each statement."""
    size = 2 * max(depths) + 1
    times = {}
    first = {one.statement: one for one in reversed(instances)}
    for number, depth in enumerate(depths):
        zero = Form((0,) * depth, 0)
        slots = first[number].time[::2] if number in first else (number,) * (depth + 1)
        signs = _signs(instances, number, depth)
        forms = []
        for level in range(depth):
            forms += [Form((0,) * depth, slots[level]), _loop(depth, level, signs[level])]
        forms.append(Form((0,) * depth, slots[depth]))
        times[number] = (*forms, *[zero] * (size - len(forms)))
    return Order(_changed(random, times, size))


def _loop(depth: int, level: int, factor: int) -> Form:
    return Form(tuple(factor * (k == level) for k in range(depth)), 0)


def _signs(instances: Sequence[Instance], number: int, depth: int) -> list[int]:
    """-1 for the loops that count down; those of which nothing is known count up."""
    signs = [1] * depth
    for one in instances:
        if one.statement == number:
            for level, value in enumerate(one.iterators):
                if value and one.time[2 * level + 1] == -value:
                    signs[level] = -1
    return signs


_Times = dict[int, tuple[Form, ...]]


def _changed(random: Random, times: _Times, size: int) -> _Times:
    """One or two changes that are the same for all statements, or a shift of one of them."""
    for _ in range(random.choice([1, 1, 2])):
        kind = random.choice(["skew", "swap", "tile", "merge", "shift", "reverse", "slots"])
        entry = random.randrange(size)
        other = random.randrange(size)
        match kind:
            case "skew":
                times = {n: _with(f, entry, _sum(f[entry], f[other])) for n, f in times.items()}
            case "swap":
                times = {
                    n: _with(_with(f, entry, f[other]), other, f[entry]) for n, f in times.items()
                }
            case "tile":
                times = {n: (_tiled(f[entry]), *f) for n, f in times.items()}
                size += 1
            case "merge" if size > 1:
                times = {n: f[:entry] + f[entry + 1 :] for n, f in times.items()}
                size -= 1
            case "shift":
                number = random.choice(list(times))
                forms = times[number]
                moved = Form(forms[entry].factors, forms[entry].constant + random.randint(-1, 2))
                times = {**times, number: _with(forms, entry, moved)}
            case "reverse":
                times = {n: _with(f, entry, _negated(f[entry])) for n, f in times.items()}
            case "slots":
                forms_by = {n: Form((0,) * len(f[0].factors), n) for n, f in times.items()}
                times = {n: (*f, forms_by[n]) for n, f in times.items()}
                size += 1
    return times


def _with(forms: tuple[Form, ...], entry: int, form: Form) -> tuple[Form, ...]:
    return (*forms[:entry], form, *forms[entry + 1 :])


def _sum(one: Form, other: Form) -> Form:
    if one.divisor > 1 or other.divisor > 1:
        return one
    factors = tuple(a + b for a, b in zip(one.factors, other.factors, strict=True))
    return Form(factors, one.constant + other.constant)


def _tiled(form: Form) -> Form:
    return form if form.divisor > 1 else Form(form.factors, form.constant, 2)


def _negated(form: Form) -> Form:
    if form.divisor > 1:
        return form
    return Form(tuple(-factor for factor in form.factors), -form.constant)
