"""Whole frames of a design whose run is too long to be played to its end.

The design is planned again at the least parameters at which its memories are of the same kinds,
with the same operands at the same taps. There `replay` and `rtl` see what comes at the end of a
frame: tlast, busy, the drain, the next start.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from hlsmem.check.design_under_check import DesignUnderCheck, load_subject
from hlsmem.check.plans.plan_holdings import asked_kind, asked_reads, parts_of
from hlsmem.check.rebuilt.generated_description import other_file
from hlsmem.core.errors import HlsmemError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import Extent, Status, Verdict
from hlsmem.core.verilog_library import plain
from hlsmem.core.watchdog import scratch
from hlsmem.polyhedra import DimType, Val
from hlsmem.polyhedra.extremes import lexmin

# Files of OUT, by name, of the design in a file at some parameters and with some settings.
Planner = Callable[[Path, Mapping[str, int], Sequence[str]], Mapping[str, str]]

# Plans that are made to find the least sizes.
_MOST_PLANS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """A smaller plan with the storage of a large one: its parameters and its files."""

    sizes: Mapping[str, int]
    files: Mapping[str, str]

    @contextmanager
    def subject(self) -> Iterator[DesignUnderCheck]:
        """The smaller plan as it is checked, in a folder that is there as long."""
        with scratch("hlsmem-frames-") as folder:
            for name, text in self.files.items():
                file = folder / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            yield load_subject(folder)


class NoFrames(Exception):
    """No smaller plan has the same storage, or there can be none; says why."""


class OtherText(NoFrames):
    """The Verilog in OUT is not what its design gives: smaller plans say nothing of it."""


def least_frames(
    out: Path,
    document: Mapping[str, Any],
    context: Any,
    planner: Planner,
    again: Callable[[], Mapping[str, str]],
) -> Frames:
    """The least plan with the storage of the plan in `out`; raises NoFrames.

    Library modules are those of `out`. `context` is the parameter set that the design allows,
    `again` plans the design as it is.
    """
    values: Mapping[str, int] = document["params"]
    if not values:
        raise NoFrames("the design has no parameters (`params` names macros)")
    search = _Search(out, document, context, planner)
    _same_text(out, document, again())
    for step in _growing(max(values.values())):
        sizes = search.at_least(dict.fromkeys(values, step))
        if sizes is None or sizes == values:
            break
        if search.files(sizes) is not None:
            return search.shrunk(sizes)
    raise NoFrames(f"no smaller plan found has the same storage ({search.plans} were made)")


def _growing(most: int) -> Iterator[int]:
    """1, 2, 3, .. first in steps of one, later of an eighth."""
    step = 1
    while step < most:
        yield step
        step += max(1, step // 8)


def _same_text(out: Path, document: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """Raises unless the modules in `out` that depend on sizes are those that the design gives."""
    if json.loads(files["plan.json"])["tool"] != document["tool"]:
        raise NoFrames(f"{document['tool']} made this plan, plan again")
    for name, text in files.items():
        if name.startswith("rtl/") and name.endswith(".v") and not _is_library(name):
            other = other_file(out, name, text)
            if other:
                raise OtherText(f"{other}, which is the text that the design gives")


def _is_library(name: str) -> bool:
    return plain(name) != name


class _Search:
    """Plans at several parameters, and whether they have the storage of the large one."""

    def __init__(
        self, out: Path, document: Mapping[str, Any], context: Any, planner: Planner
    ) -> None:
        self.out = out
        self.document = document
        self.context = context
        self.planner = planner
        self.plans = 0
        self.wanted = _storage(document, [file.name for file in (out / "rtl").glob("*.v")])
        self.settings = [*_kept_kinds(document)]
        self.known: dict[tuple[int, ...], Mapping[str, str] | None] = {}

    def planned(self, sizes: Mapping[str, int], settings: Sequence[str]) -> Mapping[str, str]:
        file = self.out / "design" / next(iter(self.document["inputs"]))
        return self.planner(file, sizes, [*self.document["overrides"], *settings])

    def files(self, sizes: Mapping[str, int]) -> Mapping[str, str] | None:
        """The files of the plan at these sizes; None where it has other storage, or is none."""
        key = tuple(sizes.values())
        if key not in self.known:
            if self.plans == _MOST_PLANS:
                return None
            self.plans += 1
            self.known[key] = self._files(sizes)
        return self.known[key]

    def _files(self, sizes: Mapping[str, int]) -> Mapping[str, str] | None:
        try:
            files = self.planned(sizes, self.settings)
        except HlsmemError:
            return None
        names = [name.removeprefix("rtl/") for name in files if name.startswith("rtl/")]
        own = [name for name in names if name.endswith(".v") and "/" not in name]
        if _storage(json.loads(files["plan.json"]), own) != self.wanted:
            return None
        return files

    def at_least(self, sizes: Mapping[str, int]) -> dict[str, int] | None:
        """The first parameters that the context allows of those that are as large; else None."""
        points = self.context
        for name, size in sizes.items():
            place = points.find_dim_by_name(DimType.param, name)
            points = points.lower_bound_val(DimType.param, place, Val(size))
        given = self.document["params"]
        for name, value in given.items():
            place = points.find_dim_by_name(DimType.param, name)
            points = points.upper_bound_val(DimType.param, place, Val(value))
        if points.is_empty():
            return None
        many = points.dim(DimType.param)
        names = [points.get_dim_name(DimType.param, place) for place in range(many)]
        moved = points.from_params().move_dims(DimType.set, 0, DimType.param, 0, many)
        least = lexmin(moved).sample_point()
        found = {
            name: least.get_coordinate_val(DimType.set, place).to_python()
            for place, name in enumerate(names)
        }
        return {name: found[name] for name in given}

    def shrunk(self, sizes: Mapping[str, int]) -> Frames:
        """The plan with each parameter in turn made as small as the storage stays the same."""
        best = dict(sizes)
        for name in sizes:
            low, high = 1, best[name]
            while low < high:
                middle = (low + high) // 2
                tried = self.at_least({**best, name: middle})
                if tried is not None and tried[name] < best[name] and self._fits(tried, best):
                    best, high = tried, tried[name]
                else:
                    low = middle + 1
        files = self.files(best)
        assert files is not None
        return Frames(sizes=best, files=self._with_library(files))

    def _fits(self, tried: Mapping[str, int], best: Mapping[str, int]) -> bool:
        grown = any(tried[name] > best[name] for name in best)
        return not grown and self.files(tried) is not None

    def _with_library(self, files: Mapping[str, str]) -> dict[str, str]:
        """The files with library modules as they stand in OUT, where they are checked."""
        own = dict(files)
        for name in files:
            if name.startswith("rtl/") and _is_library(name):
                file = self.out / name
                if file.is_file():
                    own[name] = file.read_text(encoding="utf-8")
        return own


def _kept_kinds(document: Mapping[str, Any]) -> Iterator[str]:
    """Settings that ask for the storage that the plan has."""
    for name, array in document["arrays"].items():
        parts = [
            (document["memories"][part["memory"]], part["operands"]) for part in parts_of(array)
        ]
        if len(parts) == 1:
            reads = asked_reads(parts[0][0])
            if reads is not None:
                yield f"arrays.{name}.reads={reads}"
            continue
        texts = [
            f"{{operands: [{', '.join(f'{stream}.{k}' for stream, k in operands)}],"
            f" kind: {asked_kind(memory)}}}"
            for memory, operands in parts
        ]
        yield f"arrays.{name}.parts=[{', '.join(texts)}]"


def _storage(document: Mapping[str, Any], modules: Sequence[str]) -> object:
    """The storage of a plan without its sizes; equal for plans that differ in sizes alone."""
    arrays = {
        name: [_part(part, document["memories"][part["memory"]]) for part in parts_of(array)]
        for name, array in document["arrays"].items()
    }
    streams = [(one["name"], len(one["operands"])) for one in document["streams"]]
    library = sorted({plain(name) for name in modules if _is_library(name)})
    branches = [(one["stream"], one["waits_for"]) for one in document["elastic"]]
    return arrays, streams, library, branches


def _part(part: Mapping[str, Any], memory: Mapping[str, Any]) -> object:
    taps = part["taps"]
    if taps is not None:
        # Without formulas: which operands share a tap, and the order of the others.
        taps = part["taps_expr"] or [sorted(set(taps)).index(tap) for tap in taps]
    return (
        memory["kind"],
        memory["style"],
        memory["copies"],
        memory["banks"],
        part["operands"],
        part["takes"] is None,
        taps,
    )


def with_frames(
    subject: DesignUnderCheck, check: Callable[[DesignUnderCheck], tuple[Verdict, ...]]
) -> tuple[Verdict, ...]:
    """The verdicts on the beginning of a run, where it stops early, and on whole frames."""
    found = check(subject)
    stop = subject.stop()
    if stop is None or not all(verdict.fine for verdict in found):
        return found
    prefix, frames = stop.prefix, stop.frames
    extent = Extent(stream=prefix.stream, beats=prefix.beats, total=prefix.total)
    if isinstance(frames, NoFrames):
        extent = replace(extent, reason=str(frames))
        if isinstance(frames, OtherText) and any(one.check == "rtl" for one in found):
            detail = f"{frames}; a run that stops early does not see its end: `--beats all`"
            first, *others = (replace(one, extent=extent) for one in found)
            return (replace(first, status=Status.FAIL, detail=detail), *others)
        return tuple(replace(one, extent=extent) for one in found)
    extent = replace(extent, sizes=frames.sizes)
    with frames.subject() as smaller:
        whole = check(smaller)
    at = ", ".join(f"{key}={value}" for key, value in frames.sizes.items())
    wrong = {
        one.subject: replace(one, detail=f"whole at {at}: {one.detail}")
        for one in whole
        if not one.fine
    }
    judged = [wrong.pop(one.subject, replace(one, extent=extent)) for one in found]
    return (*judged, *wrong.values())
