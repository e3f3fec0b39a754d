"""Statements of whole kernels as values: run instance by instance, they give what gcc's C gives."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from hlsmem.core.errors import InputError
from hlsmem.datapath.statements import Beat, Computed, computed
from hlsmem.datapath.values import Interval, Operand
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Program, Statement, Storage
from hlsmem.read.design import load
from tests.datapath.graph_values import numbers

_IMAGES: dict[int, tuple[Any, int, dict[tuple[int, ...], tuple[int, ...]]]] = {}
KERNELS = Path(__file__).parent / "kernels"
WHOLE = {
    "gauss3": ["S0"],
    "demosaic": ["S0"],
    "fir32": ["S0"],
    "two_sources": ["S0"],
    "unsharpc": ["S0", "S1"],
    "sobelth": ["S0", "S1"],
    "harris": ["S0 S1 S2 S3 S4", "S5 S6 S7 S8 S9"],
    "dense": ["S0 S1 S2"],
    "mm16": ["S0 S1 S2"],
}


@pytest.mark.parametrize("name", WHOLE)
def test_kernels_compute_what_gcc_computes(name: str, tmp_path: Path) -> None:
    program = load(KERNELS / f"{name}.c").program
    assert isinstance(program, Program)
    given = {
        array: filled(program, array)
        for array in program.arrays
        if is_outside(program, array) and not is_written(program, array)
    }
    expected = by_gcc(program, name, given, tmp_path)
    memory: dict[str, dict[tuple[int, ...], int]] = {
        array: dict(values) for array, values in given.items()
    }
    by_name = {one.name: one for one in program.statements}
    for group in WHOLE[name]:
        run(program, [by_name[one] for one in group.split()], memory)
    for array, values in expected.items():
        assert memory[array] == values


def is_outside(program: Program, array: str) -> bool:
    return program.arrays[array].is_parameter


def is_written(program: Program, array: str) -> bool:
    return any(access.array == array for one in program.statements for access in one.writes)


def places(program: Program, array: str) -> Iterator[tuple[int, ...]]:
    sizes = [one.evaluate(program.values) for one in program.arrays[array].extents or ()]

    def inner(rest: list[int]) -> Iterator[tuple[int, ...]]:
        if not rest:
            yield ()
            return
        for k in range(rest[0]):
            yield from ((k, *more) for more in inner(rest[1:]))

    return inner(sizes)


def filled(program: Program, array: str) -> dict[tuple[int, ...], int]:
    drawn = random.Random(array)
    least, greatest = program.arrays[array].element.value_range
    return {at: drawn.randint(least, greatest) for at in places(program, array)}


def by_gcc(
    program: Program,
    name: str,
    given: Mapping[str, Mapping[Any, int]],
    folder: Path,
    file: Path | None = None,
) -> dict[str, dict[tuple[int, ...], int]]:
    """The arrays that the kernel writes, by the user's own text."""
    lines = [f'#include "{file or KERNELS / name}{"" if file else ".c"}"', "#include <stdio.h>"]
    outer = [one for one in program.arrays if is_outside(program, one)]
    for array in outer:
        own = program.arrays[array]
        sizes = "".join(f"[{one.evaluate(program.values)}]" for one in own.extents or ())
        kind = own.element.c_name
        start = ""
        if array in given:
            start = f" = {{{', '.join(map(str, given[array].values()))}}}"
        lines.append(f"static {kind} v_{array}{sizes}{start};")
    lines += ["int main(void) {", f"  {name}({', '.join(f'v_{one}' for one in outer)});"]
    written = [one for one in outer if one not in given]
    for array in written:
        count = sum(1 for _ in places(program, array))
        kind = program.arrays[array].element.c_name
        lines.append(f"  for (int k = 0; k < {count}; k++)")
        lines.append(f'    printf("%lld\\n", (long long)(({kind} *)v_{array})[k]);')
    (folder / "main.c").write_text("\n".join([*lines, "  return 0;", "}", ""]))
    command = ["cc", "-w", "-fwrapv", "main.c", "-o", "main"]
    subprocess.run(command, cwd=folder, check=True)
    done = subprocess.run(["./main"], cwd=folder, capture_output=True, text=True, check=True)
    values = iter(map(int, done.stdout.split()))
    return {array: {at: next(values) for at in places(program, array)} for array in written}


def run(
    program: Program, statements: list[Statement], memory: dict[str, dict[tuple[int, ...], int]]
) -> None:
    """Run the beats of statements in order, and write what they compute into `memory`."""
    found = computed(program, statements)
    depth = max(len(one.iterators) for one in statements)
    outer = min(len(one.iterators) for one in statements)
    deepest = next(one for one in statements if len(one.iterators) == depth)
    instances = [
        tuple(map(int, row)) for row in points(fix_parameters(deepest.domain, program.values))
    ]
    roots = [*(one.value for one in found.outputs), *(one.following for one in found.states)]
    state: dict[str, int] = {}
    for _, group in groupby(sorted(instances), key=lambda row: row[:outer] if outer < depth else 0):
        rows = list(group)
        for k, row in enumerate(rows):
            at = operands(program, found, deepest, row, memory) | state
            at["first"] = int(k == 0)
            for one in found.states:
                assert isinstance(one.operand.operation, Operand)
                at.setdefault(one.operand.operation.name, 0)
            values = numbers(roots, at)
            for own in found.outputs:
                is_due = {Beat.EACH: True, Beat.FIRST: k == 0, Beat.LAST: k + 1 == len(rows)}
                if is_due[own.beat]:
                    place = element(program, own.access, row)
                    memory.setdefault(own.access.array, {})[place] = values[own.value.number]
            for one in found.states:
                assert isinstance(one.operand.operation, Operand)
                following = values[one.following.number]
                interval = one.operand.interval
                is_last = k + 1 == len(rows)
                assert is_last or interval.least <= following <= interval.greatest
                state[one.operand.operation.name] = following


def operands(
    program: Program,
    found: Computed,
    deepest: Statement,
    row: tuple[int, ...],
    memory: Mapping[str, Mapping[tuple[int, ...], int]],
) -> dict[str, int]:
    at = {}
    for one in found.inputs:
        if one.access is None:
            at[one.name] = row[deepest.iterators.index(one.iterator)]
        else:
            at[one.name] = memory[one.access.array][element(program, one.access, row)]
        assert one.interval.least <= at[one.name] <= one.interval.greatest
    return at


def element(program: Program, access: Any, row: tuple[int, ...]) -> tuple[int, ...]:
    """The element of an access in an instance, of which a row has the leading entries."""
    relation = fix_parameters(access.relation, program.values)
    key = id(access)
    if key not in _IMAGES:
        found = {}
        size = relation.dim(DimType.in_)
        for pair in points(relation.wrap()):
            found[tuple(map(int, pair[:size]))] = tuple(map(int, pair[size:]))
        _IMAGES[key] = access, size, found
    _, size, images = _IMAGES[key]
    return images[row[:size]]


def test_a_state_is_as_wide_as_its_sums() -> None:
    """Sixteen products of bytes take 16 bits, not the 32 of the user's variable."""
    program = load(KERNELS / "mm16.c").program
    assert isinstance(program, Program)
    (state,) = computed(program, program.statements).states
    assert program.arrays["s"].storage is Storage.DATAPATH
    assert state.operand.interval == Interval(15 * -128 * 127, 15 * 128 * 128)


STATES = {
    "a sum that leaves its type": ("int8_t", "0", "s + in[y][x]", (-128, 127)),
    "a difference": ("int32_t", "100", "s - in[y][x]", (100 - 19 * 127, 100 + 19 * 128)),
    "a maximum": ("int8_t", "-128", "s > in[y][x] ? s : in[y][x]", (-128, 127)),
    "a count": ("int32_t", "3", "in[y][x] > 0 ? s + 1 : s", (3, 22)),
    "a product": ("uint8_t", "1", "s * 3 + (in[y][x] & 1)", (0, 255)),
}


@pytest.mark.parametrize("name", STATES)
def test_states_have_the_values_of_c(name: str, tmp_path: Path) -> None:
    """By gcc on all rows; on the way each value is compared with the interval of its register."""
    kind, begin, following, _ = STATES[name]
    file = tmp_path / "k.c"
    file.write_text(
        "#include <stdint.h>\nvoid k(const int8_t in[6][20], int32_t out[6]) {\n"
        f"  for (int y = 0; y < 6; y++) {{\n    {kind} s = {begin};\n"
        f"    for (int x = 0; x < 20; x++)\n      s = {following};\n    out[y] = s;\n  }}\n}}\n"
    )
    program = load(file, settings=["kernel.loops=written", "arrays.s.storage=datapath"]).program
    assert isinstance(program, Program)
    given = {"in": filled(program, "in")}
    expected = by_gcc(program, "k", given, tmp_path, file)
    memory: dict[str, dict[tuple[int, ...], int]] = {"in": dict(given["in"])}
    run(program, [*program.statements], memory)
    assert memory["out"] == expected["out"]


@pytest.mark.parametrize("name", STATES)
def test_states_are_no_wider_than_their_values(name: str, tmp_path: Path) -> None:
    kind, begin, following, ends = STATES[name]
    file = tmp_path / "k.c"
    file.write_text(
        "#include <stdint.h>\nvoid k(const int8_t in[6][20], int32_t out[6]) {\n"
        f"  for (int y = 0; y < 6; y++) {{\n    {kind} s = {begin};\n"
        f"    for (int x = 0; x < 20; x++)\n      s = {following};\n    out[y] = s;\n  }}\n}}\n"
    )
    program = load(file, settings=["kernel.loops=written", "arrays.s.storage=datapath"]).program
    assert isinstance(program, Program)
    (state,) = computed(program, program.statements).states
    assert (state.operand.interval.least, state.operand.interval.greatest) == ends


def test_a_sum_of_another_state_is_as_wide_as_both(tmp_path: Path) -> None:
    """The sum of a running sum grows with that, not with what it is at first."""
    file = tmp_path / "k.c"
    file.write_text(
        "#include <stdint.h>\nvoid k(const uint8_t in[6][20], int32_t out[6]) {\n"
        "  for (int y = 0; y < 6; y++) {\n    int32_t s = 0;\n    int32_t t = 0;\n"
        "    for (int x = 0; x < 20; x++) {\n      s = s + in[y][x];\n      t = t + s;\n    }\n"
        "    out[y] = t;\n  }\n}\n"
    )
    kept = [f"arrays.{name}.storage=datapath" for name in "st"]
    program = load(file, settings=["kernel.loops=written", *kept]).program
    assert isinstance(program, Program)
    given = {"in": filled(program, "in")}
    expected = by_gcc(program, "k", given, tmp_path, file)
    memory: dict[str, dict[tuple[int, ...], int]] = {"in": dict(given["in"])}
    run(program, [*program.statements], memory)
    assert memory["out"] == expected["out"]
    states = {
        one.name: one.operand.interval for one in computed(program, program.statements).states
    }
    assert states["s"] == Interval(0, 19 * 255)
    assert states["t"].greatest >= 255 * 19 * 20 // 2


REFUSED = {
    "out[i] = in[i] / (in[i] + 1);": "a division by what is no constant",
    "out[i] = table[in[i]];": "a subscript of 'table' may be 0 to 255, outside of its 4 words",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_has_no_circuit_is_refused_with_its_place(text: str, tmp_path: Path) -> None:
    file = tmp_path / "k.c"
    file.write_text(
        "#include <stdint.h>\nstatic const int table[4] = {1, 2, 3, 4};\n"
        "void k(const uint8_t in[8], int out[8]) {\n"
        f"  for (int i = 0; i < 8; i++)\n    {text}\n}}\n"
    )
    program = load(file).program
    assert isinstance(program, Program)
    with pytest.raises(InputError) as caught:
        computed(program, program.statements)
    (problem,) = caught.value.problems
    assert REFUSED[text] in problem.what
    assert problem.source_location is not None
    assert problem.source_location.line == 5
