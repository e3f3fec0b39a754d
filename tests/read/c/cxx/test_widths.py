"""Arithmetic of ap_int as C: random expressions give what g++ with the stubs gives."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError
from hlsmem.program.model import Program
from tests.read.c.cxx.compilers import printed
from tests.read.c.cxx.width_rules import Width, result
from tests.steps import load

_INPUTS = {
    "a": Width(12, True),
    "b": Width(7, False),
    "c": Width(8, True),
    "d": Width(16, False),
    "e": Width(31, False),
    "f": Width(33, True),
    "g": Width(1, False),
    "h": Width(64, True),
    "k": Width(32, True, arbitrary=False),
    "m": Width(32, False, arbitrary=False),
}
_TURNS = 8


def _type(width: Width) -> str:
    if not width.arbitrary:
        return "int" if width.signed else "unsigned"
    return f"ap_{'' if width.signed else 'u'}int<{width.bits}>"


def expression(random_: random.Random, depth: int) -> tuple[str, Width]:
    """An expression that g++ and hlsmem accept, and its type."""
    while True:
        made = _expression(random_, depth)
        if made is not None:
            return made


def _expression(random_: random.Random, depth: int) -> tuple[str, Width] | None:
    kind = random_.randint(0, 7) if depth else 0
    if kind == 0:
        name = random_.choice([*_INPUTS])
        return f"{name}[i]", _INPUTS[name]
    text, width = expression(random_, depth - 1)
    if kind == 1:
        other = random_.choice([Width(random_.randint(1, 64), random_.random() < 0.5), width])
        form = random_.choice(["static_cast<{}>({})", "({})({})", "{}({})"])
        return form.format(_type(other), text), other
    if kind == 2 and width.arbitrary:
        return f"(({text}) {random_.choice(['<<', '>>'])} {random_.randint(0, 40)})", width
    if kind == 3 and width.arbitrary:
        if random_.random() < 0.5:
            return f"(~({text}))", width
        return (f"(-({text}))", Width(width.bits + 1, True)) if width.bits < 64 else None
    right, other = expression(random_, depth - 1)
    if kind == 4 and (width.arbitrary or other.arbitrary):
        if max(width.bits, other.bits) + (width.signed != other.signed) > 64:
            return None
        compared = random_.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"({text} {compared} {right})", Width(1, False, arbitrary=False)
    if kind == 5 and width.arbitrary and width == other:
        return f"(b[i] > 40 ? {text} : {right})", width
    operator = random_.choice("+-*&|^")
    if not (width.arbitrary or other.arbitrary):
        return None
    found = result(operator, width, other)
    return (f"({text} {operator} {right})", found) if found.bits <= 64 else None


def _kernel(seed: int, count: int) -> str:
    random_ = random.Random(seed)
    outputs = {}
    for number in range(count):
        text, _ = expression(random_, 3)
        outputs[f"o{number}"] = (Width(random_.randint(1, 64), random_.random() < 0.5), text)
    inputs = [f"{_type(width)} {name}[{_TURNS}]" for name, width in _INPUTS.items()]
    written = [f"{_type(width)} {name}[{_TURNS}]" for name, (width, _) in outputs.items()]
    lines = ["#include <ap_int.h>", f"void t({', '.join([*inputs, *written])}) {{"]
    lines += [f"    for (int i = 0; i < {_TURNS}; i++) {{"]
    for name, (_, text) in outputs.items():
        lines.append(f"        {name}[i] = {text};")
        if random_.random() < 0.3:
            operator = random_.choice(["+=", "-=", "*=", "&=", "|=", "^="])
            lines.append(f"        {name}[i] {operator} {random_.choice('abcdef')}[i];")
        if random_.random() < 0.2:
            lines.append(f"        {name}[i]{random_.choice(['++', '--'])};")
    return "\n".join([*lines, "    }", "}"]) + "\n"


_MAIN = """
#include <stdio.h>
#include <stdint.h>
extern void %(call)s();
static uint64_t state = 88172645463325252u;
static uint64_t next(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}
void run_%(call)s(void) {
    state = 88172645463325252u;
%(lines)s
}
"""


def _caller(call: str, outputs: int) -> str:
    lines = []
    names = [*_INPUTS, *(f"o{k}" for k in range(outputs))]
    for name in names:
        width = _INPUTS.get(name, Width(64, False))
        size = next(one for one in (8, 16, 32, 64) if one >= width.bits)
        kind = f"{'' if width.signed else 'u'}int{size}_t"
        shift = 64 - width.bits
        value = f"({'int64_t' if width.signed else 'uint64_t'})(next() << {shift}) >> {shift}"
        lines += [f"    static {kind} {name}[{_TURNS}];"]
        if name in _INPUTS:
            lines += [f"    for (int i = 0; i < {_TURNS}; i++) {name}[i] = {value};"]
    lines += [f"    {call}({', '.join(names)});"]
    for name in names[len(_INPUTS) :]:
        lines += [f"    for (int i = 0; i < 8 * {_TURNS}; i++)"]
        lines += [f'        printf("%02x%s", ((unsigned char *){name})[i], i % 8 == 7 ? " " : "");']
        lines += ['    printf("\\n");']
    return _MAIN % {"call": call, "lines": "\n".join(lines)}


@pytest.mark.few(0, 1)
@pytest.mark.parametrize("seed", range(40))
def test_c_computes_what_cxx_computes(tmp_path: Path, seed: int) -> None:
    count = 24
    text = _kernel(seed, count)
    file = tmp_path / "t.cpp"
    file.write_text(text)
    try:
        program = load(file).input
    except InputError as error:
        pytest.fail(f"{error.problems[0].what}\n{text}")
    assert isinstance(program, Program)
    kernel = program.kernel
    assert kernel is not None
    assert kernel.entry is not None
    main = "#include <stdio.h>\nvoid run_t(void); void run_plain(void);\n"
    main += 'int main(void) { run_t(); printf("=\\n"); run_plain(); return 0; }\n'
    told = printed(
        tmp_path,
        {
            kernel.entry.name: kernel.entry.text,
            "normal.c": f"#define t plain\n{kernel.normal}",
            "calls_t.c": _caller("t", count),
            "calls_plain.c": _caller("plain", count),
            "main.c": main,
        },
    )
    cxx, _, c = told.partition("=\n")
    differing = [
        f"o{k}"
        for k, (a, b) in enumerate(zip(cxx.split("\n"), c.split("\n"), strict=True))
        if a != b
    ]
    assert not differing, text
