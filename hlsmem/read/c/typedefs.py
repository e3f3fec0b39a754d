"""The types and constants in sight of a kernel: those of its headers and of its own file."""

from __future__ import annotations

import re
from typing import Any

from pycparser import c_ast

from hlsmem.program.model import Kernel
from hlsmem.read.c.headers import types_of
from hlsmem.read.c.numbers import scope_of_headers
from hlsmem.read.c.symbols import Scope, TypeName, declare, shape_of

_ALWAYS = ("stdint.h", "stdbool.h", "stddef.h")


def types_in_sight(kernel: Kernel) -> Scope:
    """A scope with all types and constants that declarations of the kernel may use."""
    scope = scope_of_headers()
    headers = [found[1] for line in kernel.includes if (found := re.search(r"<([^>]+)>", line))]
    for name, base in types_of([*_ALWAYS, *headers]).items():
        scope.names[name] = TypeName(shape_of(_type(base), scope))
    for node in kernel.declarations:
        declare(node, scope, "file")
    return scope


def _type(base: str) -> Any:
    names = c_ast.IdentifierType(names=base.split())
    return c_ast.TypeDecl(declname=None, quals=[], align=None, type=names)
