"""The language of a file, by its suffix."""

from __future__ import annotations

from pathlib import PurePath

C = (".c",)
CXX = (".cpp", ".cc", ".cxx")
DESIGNS = (".yaml", ".yml")


def is_cxx(file: str) -> bool:
    """True if a file is C++.

    >>> is_cxx("blur.cpp"), is_cxx("blur.c")
    (True, False)
    """
    return PurePath(file).suffix in CXX
