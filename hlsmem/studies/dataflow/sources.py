"""Dataflow of a read: relations to its sources, and the parameters they need."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass


class Control(Enum):
    """Choice of the parameters that tell sources apart.

    STRICT: those of every source that some condition decides about; LEAST: not of sources that
    surely run where they are chosen; STATIC: none, every possible source is named.
    """

    LEAST = "least"
    STRICT = "strict"
    STATIC = "static"


class Kind(Enum):
    """Result of conditions on the writes of a step, from `type` of the algorithm.

    NONE: all of them ran; EMPTY: none did; OUTPUT: those that are left once others did not run
    all ran; INPUT: parameters have to say.
    """

    NONE = "None"
    EMPTY = "Empty"
    OUTPUT = "Output"
    INPUT = "Input"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A number known at run time: whether `statement` ran (`loop` is None), or when it last did.

    It is about the instances that write what a read reads, before it, at the same iteration of
    its `level` outermost loops at least: 1 if one of them ran, else 0, and of the last of them
    the iterator `loop`.
    """

    name: str
    statement: str
    level: int
    loop: str | None = None
    dimension: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Instances that a read gets its value from: { sink -> source }.

    `lowest_level` is that of the parameters of the statement, None where it has none.
    """

    statement: str
    relation: Any = field(compare=False)
    lowest_level: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A question of the algorithm and its answer: the writes of a statement at a level."""

    statement: str
    level: int
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """The sources of one read. `no_source` are instances that read what was there before.

    `exact` is False where the analysis took too long, or data decide which element is touched or
    whether: then `sources` are all that are possible.
    """

    sources: tuple[Source, ...]
    no_source: Any = field(compare=False)
    parameters: tuple[Parameter, ...] = ()
    steps: tuple[Step, ...] = ()
    exact: bool = True
