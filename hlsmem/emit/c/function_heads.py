"""Heads of functions: one where C and C++ agree, else one for each."""

from __future__ import annotations

from hlsmem.core.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """The head of a function in `c` and in `cxx`, which has no arrays of run-time extents."""

    c: str
    cxx: str

    def prototype(self) -> list[str]:
        return self._chosen(f"{self.c};", f"{self.cxx};")

    def lines(self, before: str = "") -> list[str]:
        """The head of a definition, with `before` in front."""
        return self._chosen(before + self.c, before + self.cxx)

    def _chosen(self, c: str, cxx: str) -> list[str]:
        return [c] if c == cxx else ["#ifdef __cplusplus", cxx, "#else", c, "#endif"]
