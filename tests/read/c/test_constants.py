"""Constant expressions beside what gcc makes of them: values, widths and signs."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

from hlsmem.read.c import c_ast
from hlsmem.read.c.parsed_text import tree_of
from hlsmem.read.c.symbols import IntegerConstant, Scope, constant_integer, declare
from hlsmem.read.c.types import INT

KNOWN = {"A": 3, "B": -5, "C": 0}
TYPES = ("char", "unsigned char", "short", "unsigned", "long", "unsigned long", "_Bool", "int")
LEAVES = ("0", "1", "7", "255", "2147483647", "3u", "4000000000u", "9L", "0x80000000", "'a'")
SIGNS = ("+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", "<=", "==", "!=", "&&", "||")


def expression(rng: random.Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.1:
        return rng.choice([*LEAVES, *KNOWN])
    inner = [expression(rng, depth - 1) for _ in range(3)]
    match rng.randrange(8):
        case 0:
            return f"{rng.choice('+-~!')}({inner[0]})"
        case 1:
            return f"(({rng.choice(TYPES)})({inner[0]}))"
        case 2:
            return f"(({inner[0]}) ? ({inner[1]}) : ({inner[2]}))"
        case 3:
            return f"(({inner[0]}) + sizeof({rng.choice((*TYPES, 'double'))}))"
        case _:
            return f"(({inner[0]}) {rng.choice(SIGNS)} ({inner[1]}))"


def parsed(text: str) -> c_ast.Node:
    return tree_of(f"int x = {text};").ext[0].init


def known() -> Scope:
    scope = Scope()
    scope.names.update({name: IntegerConstant(value) for name, value in KNOWN.items()})
    return scope


def test_values_are_those_of_gcc(tmp_path: Path) -> None:
    rng = random.Random(7)
    texts = [expression(rng, rng.randint(1, 4)) for _ in range(900)]
    found = [(one, constant_integer(parsed(one), known())) for one in texts]
    sure = [(one, value) for one, value in found if value is not None]
    assert len(sure) > 400
    lines = [f'printf("%lld\\n", (long long)({one}));' for one, _ in sure]
    names = ", ".join(f"{name} = {value}" for name, value in KNOWN.items())
    main = "\n".join(lines)
    text = f"#include <stdio.h>\nenum {{ {names} }};\nint main(void)\n{{\n{main}\n}}\n"
    (tmp_path / "main.c").write_text(text)
    command = ["gcc", "-w", "-fsanitize=undefined", "-o", "run", "main.c"]
    subprocess.run(command, cwd=tmp_path, check=True)
    done = subprocess.run([tmp_path / "run"], check=True, capture_output=True, text=True)
    assert done.stderr == ""  # nothing that C leaves open was given a value
    wrapped = [(value + 2**63) % 2**64 - 2**63 for _, value in sure]
    assert [int(line) for line in done.stdout.split()] == wrapped


def test_what_c_leaves_open_has_no_value() -> None:
    for text in ("1 / 0", "1 % C", "1 << 32", "1 << -1", "-1 << 2", "2147483647 + A", "x", "1.5"):
        assert constant_integer(parsed(text), known()) is None, text


def test_an_enumerator_may_be_any_constant_expression_of_type_int() -> None:
    text = "enum { W = 1 << 4, LAST = W - 1, HALF, WIDE = W > 8 ? W / 2 : 8, SIZE = sizeof(short), "
    text += "TOO_WIDE = 1L << 40, NEXT };"
    scope = Scope()
    declare(tree_of(text).ext[0], scope, "file")
    values = {
        name: one.value for name, one in scope.names.items() if isinstance(one, IntegerConstant)
    }
    assert values == {"W": 16, "LAST": 15, "HALF": 16, "WIDE": 8, "SIZE": 2}
    assert scope.find("W") == IntegerConstant(16, INT)
