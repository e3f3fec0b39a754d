"""All writes that a read may see, with no parameters: what is left where work has a limit, and
where data decide in other ways than by filters.

Writes that surely run hide those before them, others hide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hlsmem.studies.dataflow.last_writes import (
    Reader,
    Writer,
    at_level,
    last_of,
    later,
    writes_before,
)
from hlsmem.studies.dataflow.sources import Flow, Source


def possible_sources(reader: Reader, writers: Sequence[Writer]) -> Flow:
    """The flow of every source that some outcome of the conditions may have; not exact.

    `no_source` are the reads that may see what was there before.
    """
    named = {one.nest.name: one for one in writers}
    memory = {name: writes_before(reader, one) for name, one in named.items()}
    final: dict[str, Any] = {}
    left = reader.read.domain()
    for level in range(reader.nest.depth, -1, -1):
        found = {
            name: memory[name][level].intersect_domain(left)
            for name in at_level(reader, named, memory, level)
        }
        for name in list(found):
            if not named[name].must:
                continue
            sure = found[name].subtract_range(named[name].condition.filtered)
            if sure.is_empty():
                continue
            last = last_of(sure, named[name])
            for other in found:
                hides = later(named[name].nest, named[other].nest).reverse()
                found[other] = found[other].subtract(last.apply_range(hides))
            left = left.subtract(last.domain())
        for name, relation in found.items():
            final[name] = final[name].union(relation) if name in final else relation
    return Flow(
        sources=tuple(
            Source(statement=name, relation=one.coalesce(), lowest_level=None)
            for name, one in final.items()
            if not one.is_empty()
        ),
        no_source=left.coalesce(),
        exact=False,
    )
