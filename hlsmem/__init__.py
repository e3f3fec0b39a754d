"""hlsmem plans the on-chip memories of hardware accelerators.

The verbs of the command line are functions here, and the values they pass on are classes:

    planning = hlsmem.plan("blur.c", params={"N": 64}, settings={"order": "iteration"})
    planning.arrays["blurx"].cells
    planning.check(only=["proof"])

Everything is imported on first use, so that `import hlsmem` costs next to nothing.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any
else:
    ModuleType = type(sys)  # at hand without an import

_HOMES = {
    "Design": "hlsmem.program.options",
    "HlsmemError": "hlsmem.core.errors",
    "Mapping": "hlsmem.mapping.storage_mapping",
    "Plan": "hlsmem.plan",
    "Planning": "hlsmem.api",
    "Program": "hlsmem.program.model",
    "StorageMapping": "hlsmem.mapping.storage_mapping",
    "StorageProblem": "hlsmem.lifetime.storage_problem",
    "Verdict": "hlsmem.core.verdict",
    "View": "hlsmem.api",
    "load": "hlsmem.api",
    "open_plan": "hlsmem.api",
    "report": "hlsmem.emit.report",
}


def verb_names() -> frozenset[str]:
    """The names of the verbs as functions: of the files in `verbs`, and the entry points of
    `studies`."""
    if not _VERBS:
        stems = (name.partition(".")[0] for name in os.listdir(os.path.join(__path__[0], "verbs")))
        _VERBS.update(stem for stem in stems if not stem.startswith("_"))
        with open(os.path.join(__path__[0], "studies", "entry_points.txt"), "rb") as lines:
            _VERBS.update(line.split()[0].decode() for line in lines if b"=" in line)
    return frozenset(_VERBS)


_VERBS: set[str] = set()


class _Room(ModuleType):
    """A room that has the name of a verb: called, it is the verb."""

    def __call__(self, *values: Any, **keywords: Any) -> Any:
        return _function(self.__name__.rpartition(".")[2])(*values, **keywords)


class _Package(ModuleType):
    """This package: an import sets its room as an attribute here, in the place of the verb."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and name in verb_names():
            value.__class__ = _Room
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def _function(name: str) -> Any:
    from importlib import import_module

    return getattr(import_module("hlsmem.api"), name)


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted({*_HOMES, *verb_names()})
    if name in verb_names():
        return _function(name)
    if name not in _HOMES:
        raise AttributeError(f"module 'hlsmem' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *verb_names()})
