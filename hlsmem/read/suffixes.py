"""The language of a file, by its suffix."""

from __future__ import annotations

from pathlib import PurePath

C = (".c",)
CXX = (".cpp", ".cc", ".cxx")
DESIGNS = (".yaml", ".yml")
CONFIGS = (".cfg",)
SCRIPTS = (".tcl",)


def is_cxx(file: str) -> bool:
    """True if a file is C++.

    >>> is_cxx("blur.cpp"), is_cxx("blur.c")
    (True, False)
    """
    return PurePath(file).suffix in CXX


def is_c(file: str) -> bool:
    """True if a file is C or C++; headers are neither.

    >>> is_c("blur.cpp"), is_c("blur.c"), is_c("blur.h")
    (True, True, False)
    """
    return PurePath(file).suffix in (*C, *CXX)
