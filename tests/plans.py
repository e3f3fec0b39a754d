"""Plans that tests share: each is made once a session, by the worker that asks first.

A design is a file of the repository, its parameters and settings. Planning takes up to seconds,
reading what another worker planned some hundredths. Kernels are planned with the loops and the
parameters of their text, unless none of that is to be `kept`. The plans lie in a folder of the
session's own, which ends with it: no session sees what an earlier one planned.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import pickle
import shutil
import tempfile
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from hlsmem.check import load_subject
from hlsmem.core.user_files import to_bytes
from hlsmem.lifetime.storage_problem import Bound
from hlsmem.mapping.storage_mapping import Certificate
from hlsmem.plan import ArrayPlan, FoundOrder, HardwareHolding, Memory, Part, Plan, rules_of
from hlsmem.planner import planning_sequence
from hlsmem.planner.array_folding import Folded, analysed, folded
from hlsmem.planner.hardware.storage_placement import in_rams
from hlsmem.planner.output_files import described_files, is_description, simulated_files
from hlsmem.planner.plan_assembly import Planning, planned
from hlsmem.planner.planning_sequence import plan_design, plan_hardware
from hlsmem.planner.searched_order import orders_of
from hlsmem.polyhedra.limits import Pickler
from hlsmem.program.model import Array, Program
from hlsmem.program.options import Design
from hlsmem.read.design import load
from hlsmem.storage.build import Laid
from hlsmem.storage.part_streams import streams_of
from tests.steps import KEPT

_WORKER_INPUT = "plans"
_PREFIX = "hlsmem-plans-"
_OLD = 24 * 3600.0  # seconds, longer than any session
_NO_PLANNERS = ("hlsmem.cli", "hlsmem.synthesis", "hlsmem.tools", "hlsmem.verbs")
_KEPT = 32  # at hand in one worker; the others are read again
_folder: list[Path] = []


def planning_of(
    file: Path,
    parameters: Mapping[str, int] | None = None,
    settings: Sequence[str] = (),
    *,
    kept: Sequence[str] = KEPT,
) -> Planning:
    """The planning of a design of the repository, with what host C has apart."""
    return _whole(file, tuple((parameters or {}).items()), (*kept, *settings))


def hardware_of(
    file: Path,
    parameters: Mapping[str, int] | None = None,
    settings: Sequence[str] = (),
    *,
    kept: Sequence[str] = KEPT,
) -> Planning:
    """The same for tests that look at hardware alone: what host C has apart is not searched."""
    return _hardware(file, tuple((parameters or {}).items()), (*kept, *settings))


def files_of(
    file: Path,
    parameters: Mapping[str, int] | None = None,
    settings: Sequence[str] = (),
    *,
    kept: Sequence[str] = KEPT,
) -> dict[str, str]:
    """The generated files of a design, as `planning_of`, with what describes its Verilog; a copy,
    which the caller may change."""
    return dict(_files_of(file, tuple((parameters or {}).items()), (*kept, *settings)))


def simulated_of(
    file: Path, parameters: Mapping[str, int] | None = None, settings: Sequence[str] = ()
) -> dict[str, str]:
    """Those of them that `replay`, `rtl` and `formal` look at: no C, no pictures; a copy."""
    return dict(_simulated(file, tuple((parameters or {}).items()), (*KEPT, *settings)))


def put(folder: Path, files: Mapping[str, str]) -> None:
    """Write files of OUT below a folder, as they are."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(to_bytes(text))


def described(out: Path) -> Path:
    """OUT with what describes its Verilog, for those who judge it without planning it."""
    subject = load_subject(out)
    files = simulated_files(plan_hardware(subject.design))
    put(out, {name: text for name, text in files.items() if is_description(name)})
    return out


def folded_for_bits(design: Design) -> Folded:
    """A design in the order in which its cells take fewest bits."""
    text = analysed(design)
    others = (
        analysed(one, FoundOrder(what=what, bits=text.least[1]))
        for one, what in orders_of(text).others
    )
    found = [folded(one) for one in (text, *others)]
    return min(found, key=lambda one: one.size)


def plan_storage(design: Design) -> Planning:
    """A design with every array folded, each in a RAM or a register; no hardware, no C."""
    found = folded_for_bits(design)
    return planned(
        found, in_rams(found, () if found.program is None else streams_of(found.program))
    )


def with_host(planning: Planning) -> Planning:
    """The same planning with what C has apart."""
    return planned(planning.folded, planning.placement, planning_sequence.host_of(planning.folded))


def plan_c(design: Design) -> Planning:
    """A design with its C, for tests that look at C alone: no hardware is chosen."""
    return with_host(plan_storage(design))


def whole_files(planning: Planning) -> dict[str, str]:
    """The files of OUT with C, of a planning that may be without it, and what describes the
    Verilog."""
    return described_files(planning if planning.host is not None else with_host(planning))


def laid(plan: Plan) -> dict[str, Laid]:
    """The arrays of a plan, each in its only part."""
    return {
        name: Laid(
            memory=plan.memories.get(one.hardware.parts[0].memory)
            or Memory(bits=one.bits, words=one.hardware.parts[0].mapping.cells),
            part=one.hardware.parts[0],
            bounds=() if one.hardware.bound is None else (one.hardware.bound,),
            slack=plan.slack,
        )
        for name, one in plan.arrays.items()
    }


def array_plan(array: Array, part: Part, bounds: Sequence[Bound] = ()) -> ArrayPlan:
    """The plan of an array that one part holds."""
    mapping = part.mapping
    words = 1 if mapping is None else mapping.cells
    certificate = Certificate(scope="all-parameters", by="hand")
    of_all = [one for one in bounds if one.kind in ("max-live", "clique")]
    return ArrayPlan(
        name=array.name,
        element=array.element.name,
        bits=array.element.bits,
        index=array.index,
        declared=None,
        declared_cells=None,
        hardware=HardwareHolding(
            parts=(part,),
            words=words,
            bits=words * array.element.bits,
            bound=of_all[0] if of_all else None,
            certificate=certificate if mapping is None else mapping.certificate,
        ),
    )


def plan_of(program: Program, arrays: Mapping[str, Laid], *, slack: int = 0) -> Plan:
    """The plan of a layout."""
    return Plan(
        tool="test",
        design=program.name,
        inputs={},
        overrides=(),
        params=dict(program.values),
        program=rules_of(program, slack=slack),
        memories={name: one.memory for name, one in arrays.items()},
        arrays={
            name: array_plan(program.arrays[name], one.part, one.bounds)
            for name, one in arrays.items()
        },
    )


@dataclass(slots=True)
class Answers:
    """What gives the hardware of designs and the C of foldings in place of the planner, once for
    all tests of a worker that ask for the same.

    Most checks and questions plan the design that OUT holds, which the tests of a file have in
    common. A test that patches what the planner may look at has each made anew.
    """

    work: Callable[[Any], Any]
    key: Callable[[Any], Hashable]
    patch: pytest.MonkeyPatch | None = None
    known: OrderedDict[Hashable, tuple[Any, Any]] = field(default_factory=OrderedDict)

    def __call__(self, asked: Any) -> Any:
        if self.patch is not None and alters_plans(self.patch):
            return self.work(asked)
        key = self.key(asked)
        if key not in self.known:
            self.known[key] = asked, self.work(asked)
        self.known.move_to_end(key)
        if len(self.known) > _KEPT:
            self.known.popitem(last=False)
        return self.known[key][1]


def alters_plans(patch: pytest.MonkeyPatch) -> bool:
    """True if something is patched but the folder to work in and rooms that plan nothing."""
    names = [getattr(one, "__module__", getattr(one, "__name__", "")) for one, *_ in patch._setattr]
    return bool(patch._setitem) or any(not name.startswith(_NO_PLANNERS) for name in names)


def digest(design: Design) -> bytes:
    """What tells designs apart, with all sets and all that comparison leaves out."""
    text = io.BytesIO()
    pickler = Pickler(text)
    pickler.fast = True  # each value as often as it occurs, whatever is one object with another
    pickler.dump(design)
    return hashlib.sha256(text.getbuffer()).digest()


Key = tuple[tuple[str, int], ...]


@lru_cache(_KEPT)
def _hardware(file: Path, parameters: Key, settings: tuple[str, ...]) -> Planning:
    def work() -> Planning:
        return plan_hardware(load(file, parameters=dict(parameters), settings=settings))

    return once(work, "hardware", file, parameters, settings)


@lru_cache(_KEPT)
def _whole(file: Path, parameters: Key, settings: tuple[str, ...]) -> Planning:
    def work() -> Planning:
        if settings[: len(KEPT)] != KEPT:  # as users plan it, with a datapath where there is one
            return plan_design(load(file, parameters=dict(parameters), settings=settings))
        return with_host(_hardware(file, parameters, settings))

    return once(work, "plan", file, parameters, settings)


@lru_cache(_KEPT)
def _simulated(file: Path, parameters: Key, settings: tuple[str, ...]) -> dict[str, str]:
    def work() -> dict[str, str]:
        return simulated_files(_hardware(file, parameters, settings))

    return once(work, "simulated", file, parameters, settings)


@lru_cache(_KEPT)
def _files_of(file: Path, parameters: Key, settings: tuple[str, ...]) -> dict[str, str]:
    def work() -> dict[str, str]:
        return described_files(_whole(file, parameters, settings))

    return once(work, "files", file, parameters, settings)


def once(work: Callable[[], Any], kind: str, file: Path, *asked: object) -> Any:
    """What `work` makes of a file, from the session's folder where a worker has put it there.

    The key has the texts beside the file, as a design may name any of them. Outside of pytest
    there is no folder, and nothing is kept.
    """
    if not _folder:
        return work()
    texts = [one.read_bytes() for one in sorted(file.parent.iterdir()) if one.is_file()]
    key = hashlib.sha256(repr((kind, str(file), asked, texts)).encode()).hexdigest()
    kept = _folder[-1] / key
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # let go as the file is closed
        if not kept.exists():
            made = work()
            with kept.with_suffix(".part").open("wb") as part:
                Pickler(part).dump(made)
            kept.with_suffix(".part").rename(kept)
            return made
    with kept.open("rb") as stored:
        return pickle.load(stored)


def pytest_configure(config: pytest.Config) -> None:
    """A worker of pytest-xdist is told the folder of its session; others make one."""
    given = getattr(config, "workerinput", None)
    if given is None:
        remove_old(Path(tempfile.gettempdir()), time.time())
    _folder.append(Path(given[_WORKER_INPUT] if given else tempfile.mkdtemp(prefix=_PREFIX)))


def folder() -> Path:
    """The folder of the session, where tests of all workers find what one has made."""
    return _folder[-1]


def remove_old(among: Path, now: float) -> None:
    """Remove what sessions left that were killed: nobody put anything there for a day."""
    for one in among.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # another session removes it, or it is another user's
            if now - one.stat().st_mtime > _OLD:
                shutil.rmtree(one)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput[_WORKER_INPUT] = str(_folder[-1])


def pytest_unconfigure(config: pytest.Config) -> None:
    own = _folder.pop()
    if not hasattr(config, "workerinput"):
        shutil.rmtree(own)
