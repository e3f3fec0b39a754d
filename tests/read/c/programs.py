"""Random static-control regions as C text."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

ARRAYS = {"A": 2, "B": 1, "s": 0}
NAMES = "ijkt"


def random_region(random: Random) -> str:
    """A region over the parameters N and M and the arrays A[][], B[] and s."""
    items = [_item(random, (), 0) for _ in range(random.randint(1, 3))]
    return "\n".join(items)


def _item(random: Random, loops: Sequence[str], level: int) -> str:
    kind = random.random() if level < 4 else 1
    if len(loops) < 3 and kind < 0.6 - 0.05 * level:
        return _loop(random, loops, level)
    if loops and kind < 0.75:
        otherwise = f" else {_block(random, loops, level)}" if random.random() < 0.5 else ""
        return f"if ({_condition(random, loops)}) {_block(random, loops, level)}{otherwise}"
    if kind < 0.8:
        return _block(random, loops, level)
    return _statement(random, loops)


def _block(random: Random, loops: Sequence[str], level: int) -> str:
    items = [_item(random, loops, level + 1) for _ in range(random.randint(1, 2))]
    return "{\n" + "\n".join(items) + "\n}"


def _loop(random: Random, loops: Sequence[str], level: int) -> str:
    name = NAMES[len(loops)]
    step = random.choice([1, 1, 1, 2, 3])
    low, high = _low(random, loops), _high(random, loops)
    declared = "int " if random.random() < 0.6 else ""
    if random.random() < 0.7:
        test = random.choice([f"{name} < {high}", f"{name} <= {high}", f"{high} > {name}"])
        if random.random() < 0.2:
            test += f" && {name} + {_linear(random, loops)} < N + M"
        one = random.choice([f"{name}++", f"++{name}"])
        more = random.choice([f"{name} += {step}", f"{name} = {name} + {step}"])
        header = f"{declared}{name} = {low}; {test}; {one if step == 1 else more}"
    else:
        test = random.choice([f"{name} > {low}", f"{name} >= {low}", f"{low} <= {name}"])
        one = random.choice([f"{name}--", f"--{name}"])
        more = random.choice([f"{name} -= {step}", f"{name} = {name} - {step}"])
        header = f"{declared}{name} = {high}; {test}; {one if step == 1 else more}"
    return f"for ({header}) {_block(random, (*loops, name), level + 1)}"


def _low(random: Random, loops: Sequence[str]) -> str:
    simple = ["0", "1", "-2", *loops, *(f"{name} + 1" for name in loops)]
    if random.random() < 0.2:
        return f"({random.choice(simple)} > 1 ? {random.choice(simple)} : {_linear(random, loops)})"
    return random.choice(simple)


def _high(random: Random, loops: Sequence[str]) -> str:
    simple = ["N", "M", "N - 1", "N / 2", "M + 1", "4", *loops]
    if random.random() < 0.2:
        a, b = random.choice(simple), random.choice(simple)
        return f"({a} < {b} ? {a} : {b})"
    return random.choice(simple)


def _linear(random: Random, loops: Sequence[str]) -> str:
    parts = [str(random.randint(-3, 4))]
    for name in loops:
        if random.random() < 0.6:
            parts.append(random.choice([name, f"-{name}", f"2 * {name}", f"{name} * -3"]))
    if random.random() < 0.2:
        parts.append(random.choice(["N", "M", "-N"]))
    text = " + ".join(parts)
    if random.random() < 0.15:
        divisor = random.choice([2, 3, -2, 5])
        text = f"({text}) {random.choice('/%')} ({divisor})"
    return f"({text})"


def _condition(random: Random, loops: Sequence[str]) -> str:
    compared = f"{_linear(random, loops)} {_comparison(random)} {_linear(random, loops)}"
    if random.random() < 0.35:
        other = f"{random.choice(loops)} % {random.choice([2, 3])} {_comparison(random)} 1"
        joint = random.choice(["&&", "||"])
        negated = random.choice(["", "!"])
        return f"{negated}({compared} {joint} {other})"
    return compared


def _comparison(random: Random) -> str:
    return random.choice(["<", "<=", ">", ">=", "==", "!="])


def _place(random: Random, loops: Sequence[str]) -> str:
    name, dimensions = random.choice(list(ARRAYS.items()))
    return name + "".join(f"[{_linear(random, loops)}]" for _ in range(dimensions))


def _statement(random: Random, loops: Sequence[str]) -> str:
    target = _place(random, loops)
    kind = random.random()
    if kind < 0.1:
        return f"{target}{random.choice(['++', '--'])};"
    operator = "=" if kind < 0.6 else random.choice(["+=", "-=", "*=", "/="])
    return f"{target} {operator} {_value(random, loops)};"


def _value(random: Random, loops: Sequence[str]) -> str:
    kind = random.random()
    if kind < 0.15:
        return f"{random.randint(1, 9)}"
    if kind < 0.5:
        return _place(random, loops)
    if kind < 0.6:
        inner = f"{_linear(random, loops)} > {_linear(random, loops)}"
        return f"({inner} ? {_value(random, loops)} : {_value(random, loops)})"
    if kind < 0.7:
        return f"sqrt((double) {_value(random, loops)})"
    if kind < 0.75:
        source_location = _place(random, loops)
        return f"({source_location} > 0.5 ? 1.0 : {_value(random, loops)})"
    return f"({_value(random, loops)} {random.choice('+-*')} {_value(random, loops)})"
