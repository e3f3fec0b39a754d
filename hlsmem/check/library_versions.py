"""The libraries that a folder was made with beside those that are here: plans differ by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from hlsmem.core.lazy_dataclass import dataclass

_PACKAGES = {"isl": "islpy", "HiGHS": "highspy"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Libraries:
    """By library the versions that a folder was made with, and those that are here."""

    made_with: Mapping[str, str] = field(default_factory=dict)
    here: Mapping[str, str] = field(default_factory=dict)

    @property
    def other(self) -> str:
        """In words, where they differ; "" where they do not, or nobody knows."""
        return ", ".join(
            f"made with {name} {version}, this is {self.here.get(name, 'none')}"
            for name, version in self.made_with.items()
            if version != self.here.get(name)
        )

    @property
    def remedy(self) -> str:
        """The command that brings those that the folder was made with."""
        wanted = {name: self.made_with.get(name) for name in _PACKAGES}
        return " ".join(["pip install", *(f"{_PACKAGES[k]}=={v}" for k, v in wanted.items() if v)])
