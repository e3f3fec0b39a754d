"""What the reader of C kernels is asked for: files, a function, and what a design says of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.program.model import ElementType
from hlsmem.read.c.chained_functions import Chain
from hlsmem.read.design_folder import Folder


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelRequest:
    """The region of `function` (None: of the only function with one) in `file`.

    `file` is relative to `folder`, below which all that is read must lie, as are `sources`, the
    files with functions that it calls. `element_types` and `extents` replace what the kernel
    declares. `context` (a parameter set) is only used to prove that unsigned arithmetic does not
    wrap, and that accesses keep to their rows; nothing is intersected with it. What cannot be
    proved for all parameters has to hold at `values`, and is the condition of the reading. Pointers
    that may alias are a problem where it `refuses_pointers`, else where C cannot test what they
    reach. Parameters in `fixed` stand for their `values`, which the condition says as well. `trips`
    are the most iterations of loops that data end, by labels, `ranges` promised values of elements.
    A `chain` of calls stands in place of `function`. Where it `follows_pragmas`, loops that are
    pipelined have none inside of few constant iterations. Variables that are `kept` stay, also
    where they only hand on values. Where it `pipelines_loops`, sums are collected and loops are
    pipelined without pragmas. Where it `fills_windows`, those that are shifted by hand hold 0 until
    they are written. Static arrays that are `fresh` hold nothing from an earlier call.
    """

    folder: Folder = field(repr=False)
    file: str
    function: str | None = None
    sources: tuple[str, ...] = ()
    cflags: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    element_types: Mapping[str, ElementType] = field(default_factory=dict)
    extents: Mapping[str, tuple[QuasiPolynomial, ...]] = field(default_factory=dict)
    context: Any = None
    values: Mapping[str, int] = field(default_factory=dict)
    refuses_pointers: bool = True
    fixed: Collection[str] = ()
    trips: Mapping[str, QuasiPolynomial] = field(default_factory=dict)
    ranges: Mapping[str, tuple[QuasiPolynomial, QuasiPolynomial]] = field(default_factory=dict)
    chain: Chain | None = None
    follows_pragmas: bool = True
    kept: Collection[str] = ()
    fresh: Collection[str] = ()
    pipelines_loops: bool = False
    fills_windows: bool = False

    @property
    def known(self) -> dict[str, int]:
        """The values of the parameters that stand for them."""
        return {name: self.values[name] for name in self.fixed}
