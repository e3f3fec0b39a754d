"""Stands in for pytest inside of simulators, where loading pytest is two thirds of the start.

cocotb takes three exceptions of it, and what would rewrite assertions, which is not asked for
(COCOTB_REWRITE_ASSERTION_FILES). All else is pytest's own, which is loaded then.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

_HERE = Path(__file__).resolve().parent


class _Outcome(BaseException):
    """What ends a test; no Exception, so that no test catches it."""


class raises:
    Exception = type("Failed", (_Outcome,), {})


class skip:
    Exception = type("Skipped", (_Outcome,), {})


class xfail:
    Exception = type("XFailed", (raises.Exception,), {})


def __getattr__(name: str) -> Any:
    if name in ("RaisesExc", "RaisesGroup"):  # cocotb asks whether there are such
        raise AttributeError(name)
    return getattr(_whole("pytest"), name)


def _whole(name: str) -> Any:
    """A module of pytest as it is installed; nothing here stands in for it any more."""
    sys.path[:] = [one for one in sys.path if Path(one or ".").resolve() != _HERE]
    for known in [*_UNUSED, "_pytest", "pytest"]:
        if getattr(sys.modules.get(known), "_stands_in", False):
            del sys.modules[known]
    return importlib.import_module(name)


class _Unused:
    """What cocotb imports by name before it sees that it has no use for it."""

    def __init__(self, module: str, name: str) -> None:
        self._known = module, name

    def __getattr__(self, name: str) -> Any:
        module, own = self._known
        return getattr(getattr(_whole(module), own), name)

    def __call__(self, *given: Any, **named: Any) -> Any:
        module, own = self._known
        return getattr(_whole(module), own)(*given, **named)


def _stand_in(name: str, **content: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(content, _stands_in=True)
    return sys.modules.setdefault(name, module)


_stands_in = True
_UNUSED = {"_pytest.assertion": "install_importhook", "_pytest.config": "Config"}
_package = importlib.util.find_spec("_pytest")
if _package is not None:
    # Other parts of the package are found where it is installed.
    _stand_in("_pytest", __path__=list(_package.submodule_search_locations or ()))
    for _module, _name in _UNUSED.items():
        _stand_in(_module, **{_name: _Unused(_module, _name)})
