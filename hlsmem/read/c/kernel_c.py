"""A kernel in C: its region and what stands around it, and its normal form as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hlsmem.program.model import (
    Array,
    Kernel,
    KernelVariable,
)
from hlsmem.read.c import names
from hlsmem.read.c.extents import without_later_names
from hlsmem.read.c.kernel_request import KernelRequest
from hlsmem.read.c.kernel_text import KernelText
from hlsmem.read.c.kernel_walk import WalkedKernel
from hlsmem.read.c.normal.normal_text import normal_text
from hlsmem.read.c.normal.rewrite_unit import Unit
from hlsmem.read.c.parsed_file import ParsedFile
from hlsmem.read.c.symbols import (
    Variable,
)
from hlsmem.read.c.syntax import Region, find_region
from hlsmem.read.c.trees import changed, is_assertion, nodes_of


def kernel_in_c(
    request: KernelRequest,
    text: KernelText,
    found: WalkedKernel,
    arrays: Mapping[Variable, Array],
) -> Kernel:
    """The kernel as its C has it: region, declarations, variables, and its text after rewrites."""
    parsed, unit, walk = text.parsed, found.unit, found.seen.walk
    region, flat, stages = found.seen.region, found.seen.flat, found.stages

    def text_of(unit: Unit) -> str:
        return normal_text(
            _callable(unit.function),
            names.needed_declarations(unit.tree, unit.function),
            flags={one.name for one in unit.conditions},
            file=request.file,
            includes=_includes(parsed, region, unit.function),
            macros={name: parsed.definitions[name] for name in parsed.macros},
        )

    return Kernel(
        file=request.file,
        name=unit.function.name,
        function=region.function,
        region=region.statements,
        region_parent=region.parent,
        declarations=names.needed_declarations(unit.tree, region.function, unit.summing),
        summing=None
        if unit.summing is None
        else (unit.summing, find_region(unit.summing, unit.source).statements),
        includes=_includes(parsed, region, region.function),
        macros=parsed.macros,
        cflags=request.cflags,
        sources=parsed.files,
        variables={
            array.name: KernelVariable(
                declaration=variable.declaration,
                members=variable.path,
                ranks=variable.ranks,
                strides=flat[variable].strides if variable in flat else (),
            )
            for variable, array in arrays.items()
            if variable not in walk.told
        },
        conditions=tuple(array.name for variable, array in arrays.items() if variable in walk.told),
        copies=any(one.unit.copies for one in stages),
        pointees=any(one.unit.pointees for one in stages),
        normal=text_of(unit),
        stages={one.rewrite.name: text_of(one.unit) for one in stages},
    )


def _includes(parsed: ParsedFile, region: Region, function: Any) -> tuple[str, ...]:
    """The system headers that a function needs; the region may have assertions of its own."""
    headers = parsed.headers
    if "assert.h" not in headers and any(map(is_assertion, nodes_of(region.function))):
        headers = (*headers, "assert.h")
    copies = any(one.startswith(("mem", "str")) for one in names.identifiers(function))
    needed = (one for one in headers if one != "string.h" or copies)  # loops are in their place
    return tuple(f"#include <{header}>" for header in needed)


def _callable(function: Any) -> Any:
    """A function as C takes it: extents name no parameters behind their own."""
    return changed(function, parameters=without_later_names(function.parameters))
