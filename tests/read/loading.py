"""Loading a design from text, and the messages it is refused with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from hlsmem.core.errors import InputError, Problem
from hlsmem.program.options import Design
from tests.steps import load

DESIGNS = Path(__file__).parent / "designs"

NETWORK = """\
hlsmem: 1
name: line
params: {N: 8}
arrays:
  a: {extents: [N]}
  o: {extents: [N], storage: external}
network:
  make:
    statements:
      W:
        domain: "[N] -> { W[i] : 0 <= i < N }"
        schedule: "{ W[i] -> [i,0] }"
        writes: ["{ W[i] -> a[i] }"]
  use:
    statements:
      R:
        domain: "[N] -> { R[i] : 0 <= i < N }"
        schedule: "{ R[i] -> [i,1] }"
        reads: ["{ R[i] -> a[i] }"]
        writes: ["{ R[i] -> o[i] }"]
        body: "o = a0 + 1"
"""

CONFLICTS = """\
hlsmem: 1
name: band
params: {N: 8}
arrays: {A: {}}
conflicts: {A: {differences: "[N] -> { [x,y] : 0 <= x < N and 0 <= y <= 1 }"}}
"""

KERNEL = """\
#define N 8
void copy(const int in[N], int out[N])
{
    int a[N];
#pragma scop
    for (int i = 0; i < N; i++) {
W:      a[i] = in[i];
R:      out[i] = a[i] + 1;
    }
#pragma endscop
}
"""

KERNEL_DESIGN = """\
hlsmem: 1
name: copy
params: {N: 8}
kernel: {file: copy.c}
"""


def changed(text: str, *changes: tuple[str, str]) -> str:
    """`text` with each first string replaced by the second; it has to be there."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def load_text(
    folder: Path,
    text: str,
    *,
    parameters: Mapping[str, int] | None = None,
    settings: Sequence[str] = (),
) -> Design:
    """The design of `text`, written to design.yaml in `folder`."""
    path = folder / "design.yaml"
    path.write_text(text)
    return load(path, parameters=parameters or {}, settings=settings)


def problems_of(
    folder: Path,
    text: str,
    *,
    parameters: Mapping[str, int] | None = None,
    settings: Sequence[str] = (),
) -> tuple[Problem, ...]:
    """The problems of a design that is refused."""
    with pytest.raises(InputError) as caught:
        load_text(folder, text, parameters=parameters, settings=settings)
    return caught.value.problems


def messages_of(
    folder: Path,
    text: str,
    *,
    parameters: Mapping[str, int] | None = None,
    settings: Sequence[str] = (),
) -> list[str]:
    """The messages of a design that is refused, with paths as seen from `folder`."""
    problems = problems_of(folder, text, parameters=parameters, settings=settings)
    return [str(problem).replace(f"{folder}/", "") for problem in problems]


def stretches_of(problems: Sequence[Problem]) -> list[str]:
    """What the carets of the problems stand under."""
    found = []
    for problem in problems:
        assert problem.source_location is not None
        assert problem.source_location.text is not None
        start = problem.source_location.column - 1
        found.append(problem.source_location.text[start : start + problem.source_location.length])
    return found
