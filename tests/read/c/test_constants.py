"""Constant expressions beside what gcc makes of them: values, widths and signs."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from hlsmem.read.c.c_text import text_of
from hlsmem.read.c.clang import source_parsing
from hlsmem.read.c.clang.reader import read_file
from hlsmem.read.c.symbols import Scope, constant_integer
from hlsmem.read.design_folder import Folder

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


def parsed(folder: Path, texts: Sequence[str]) -> list[Any]:
    """The trees of expressions, shifts by negative constants among them, which no kernel has."""
    names = ", ".join(f"{name} = {value}" for name, value in KNOWN.items())
    lines = "\n".join(f"out[0] = {one};" for one in texts)
    text = f"enum {{ {names} }};\nvoid f(double out[1], int x)\n{{\n{lines}\n}}\n"
    (folder / "k.c").write_text(text)
    flags = [one for one in source_parsing._FLAGS if "shift" not in one]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source_parsing, "_FLAGS", flags)
        (function,) = read_file(Folder(folder), "k.c", None).parsed.tree.ext
    return [one.rvalue for one in function.body.block_items]


def test_values_are_those_of_gcc(tmp_path: Path) -> None:
    rng = random.Random(7)
    texts = [expression(rng, rng.randint(1, 4)) for _ in range(900)]
    found = [(text_of(node), constant_integer(node, Scope())) for node in parsed(tmp_path, texts)]
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


def test_what_c_leaves_open_has_no_value(tmp_path: Path) -> None:
    texts = ("1 / 0", "1 % C", "1 << 32", "1 << -1", "-1 << 2", "2147483647 + A", "x", "1.5")
    for text, node in zip(texts, parsed(tmp_path, texts), strict=True):
        assert constant_integer(node, Scope()) is None, text
