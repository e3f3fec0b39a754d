"""Intel HLS Compiler (i++)."""

from __future__ import annotations

from hlsmem.read.c.dialect import Dialect

DIALECT = Dialect(
    name="intel",
    page='Intel HLS Compiler reference manual 23.4, "Loop Pragmas"',
    marks=r"^[ \t]*#[ \t]*pragma[ \t]+ii\b|\bihc::|#[ \t]*include[ \t]*[<\"]HLS/",
    interval=r"# ?pragma ii (\d+)",
    pipeline="#pragma ii {interval}",
    dependence="#pragma ivdep safelen({distance}) array({variable})",
)
