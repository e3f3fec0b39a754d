"""C and C++ without pragmas of HLS, as Bambu and compilers for processors take it."""

from __future__ import annotations

from hlsmem.read.c.dialect import Dialect

DIALECT = Dialect(name="plain", page="issue 119 of Bambu: it has no list of pragmas")
