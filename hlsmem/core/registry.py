"""Registries: what is one file a name, ours in a package, others' by entry points.

A registry imports by name, so that what asks for names alone may stand in a room before those whose
work is registered. `importlib.metadata` takes half as long to import as `hlsmem --help` does
altogether: files `entry_points.txt` beside packages are read here instead.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from hlsmem.core.lazy_dataclass import dataclass


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Item = TypeVar("Item", bound=_Named)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Generic[Item]):
    """Registered items, by name and in order.

    `origins` says whose the items from outside are, `left_out` why one of that name does not load,
    `warnings` which items gave way to others of their name.
    """

    items: Mapping[str, Item]
    origins: Mapping[str, str]
    left_out: Mapping[str, str]
    warnings: tuple[str, ...]


class Registry(Generic[Item]):
    """The items of a `kind`: each module of `package` has one, as its `constant`; those of others
    stand as `name = module:attribute` under the `group` of their entry points, and so do ours of
    other rooms, in a file `beside` the package."""

    def __init__(
        self,
        *,
        kind: str,
        package: str,
        constant: str,
        group: str,
        rank: Callable[[Item], Any],
        beside: Path | None = None,
    ) -> None:
        self.kind, self.package, self.constant, self.group = kind, package, constant, group
        self._rank, self._beside = rank, beside
        self._known: dict[tuple[str, ...], Found[Item]] = {}

    def origins(self) -> Mapping[str, str]:
        """Origins of our items, `module:attribute` by name; none of the modules is imported."""
        from pkgutil import iter_modules

        modules = iter_modules(import_module(self.package).__path__)
        own = {one.name: f"{self.package}.{one.name}:{self.constant}" for one in modules}
        return own if self._beside is None else own | dict(_entries(self._beside, self.group))

    @cached_property
    def own(self) -> Mapping[str, Item]:
        """Our items by name, in order."""
        return self._sorted(map(self._at, self.origins().values()))

    def _at(self, origin: str) -> Item:
        module, _, attribute = origin.partition(":")
        found: Any = import_module(module)
        for part in (attribute or self.constant).split("."):
            found = getattr(found, part)
        item: Item = found
        return item

    def get(self, name: str) -> Item | None:
        """The item of a name, with a look at those of others only where it is none of ours."""
        if "own" not in self.__dict__:
            origin = self.origins().get(name.replace("-", "_"))
            if origin is not None:
                return self._at(origin)
        return self.own.get(name) or self.found().items.get(name)

    def found(self) -> Found[Item]:
        """Ours and those of others that load."""
        path = tuple(sys.path)
        if path not in self._known:
            self._known[path] = self._with_others(path)
        return self._known[path]

    def names(self) -> tuple[str, ...]:
        """The names of all items, in order."""
        return tuple(self.found().items)

    def _sorted(self, items: Iterator[Item]) -> dict[str, Item]:
        return {one.name: one for one in sorted(items, key=self._rank)}

    def _with_others(self, path: tuple[str, ...]) -> Found[Item]:
        items, origins = dict(self.own), dict[str, str]()
        left_out, warnings = dict[str, str](), list[str]()
        for name, origin in entry_points(self.group, path):
            if name in items:
                ours = self.origins()[name.replace("-", "_")] if name in self.own else ""
                other = origins.get(name) or ours.partition(":")[0]
                warnings.append(f"{self.kind} {name!r} of {origin} is left out: {other} has it")
                continue
            try:
                item = self._loaded(name, origin)
            except (Exception, SystemExit) as error:
                left_out[name] = f"{origin} does not load: {_told(error)}"
                continue
            items[name], origins[name] = item, origin
        return Found(
            items=self._sorted(iter(items.values())),
            origins=origins,
            left_out={name: why for name, why in left_out.items() if name not in items},
            warnings=(*warnings, *(f"{self.kind} {n!r}: {why}" for n, why in left_out.items())),
        )

    def _loaded(self, name: str, origin: str) -> Item:
        """The item at `origin`. Raises whatever its module does, and TypeError if it is none."""
        item = self._at(origin)
        kind = type(next(iter(self.own.values())))
        if not isinstance(item, kind):
            raise TypeError(f"it is no {kind.__module__}.{kind.__name__}")
        if item.name != name:
            raise TypeError(f"it calls itself {item.name!r}")
        return item


def _told(error: BaseException) -> str:
    line = next(iter(str(error).splitlines()), "")
    return f"{type(error).__name__}: {line}" if line else type(error).__name__


def entry_points(group: str, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The names and origins under a group, of the packages in the folders of a `path`."""
    seen = set()
    for folder in path:
        for metadata in (".dist-info", ".egg-info"):
            for file in sorted(Path(folder or ".").glob(f"*{metadata}/entry_points.txt")):
                for entry in _entries(file, group):
                    if entry not in seen:  # a folder may be on the path twice
                        seen.add(entry)
                        yield entry


def _entries(file: Path, group: str) -> Iterator[tuple[str, str]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return
    section = ""
    for line in map(str.strip, lines):
        if line.startswith("["):
            section = line.strip("[]").strip()
        elif section == group and "=" in line and not line.startswith(("#", ";")):
            name, _, origin = line.partition("=")
            yield name.strip(), origin.partition("[")[0].strip()
