"""The design under check: a folder OUT, its plan, and the design that it was made from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlsmem.check.library_versions import Libraries
from hlsmem.core import user_files as files
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.verdict import Kind, Verdict
from hlsmem.core.watchdog import scratch
from hlsmem.plan import Plan, from_json, main_file
from hlsmem.plan.plan_folder import refuse_strange
from hlsmem.plan.plan_json import read_text
from hlsmem.program.model import Program
from hlsmem.program.options import Design

if TYPE_CHECKING:
    from hlsmem.check.rebuilt.run_prefix import Prefix
    from hlsmem.check.rebuilt.whole_frames import Frames, NoFrames


class NoPlan(Exception):
    """The design in OUT has no plan; says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The early stop of a long run, and the whole frames that are simulated besides."""

    prefix: Prefix
    frames: Frames | NoFrames


def _to_the_end() -> Stop | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignUnderCheck:
    """Everything a check may look at, read from OUT.

    `program` has the arrival and departure statements of its streams and is None for a bare
    conflict set; `document` is plan.json as it stands, numbers and formulas. `again` gives the
    files of OUT by planning the design once more, and what describes its Verilog to benches; None
    where nothing plans. `stop` says where a run that is too long to be played ends, None: at its
    end.
    """

    out: Path
    design: Design
    program: Program | None
    plan: Plan
    document: Mapping[str, Any]
    waves: bool = False
    orders: int = 20
    stop: Callable[[], Stop | None] = _to_the_end
    again: Callable[[], Mapping[str, str]] | None = None
    libraries: Libraries = Libraries()
    foreign: bool = False

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of the plan."""
        given = self.design.input
        outside = any(
            one.orders is not None and one.orders.outside for one in self.plan.arrays.values()
        )
        if not isinstance(given, Program):
            own = Kind.CONFLICTS
        else:
            own = Kind.NETWORK if given.kernel is None else Kind.KERNEL
        return frozenset({own, Kind.CLASS} if outside else {own})


def load_subject(out: Path, *, waves: bool = False) -> DesignUnderCheck:
    """The design under check in OUT: the plan, and the design it was made from, read again."""
    from hlsmem.check.rebuilt.rebuilt_program import arranged
    from hlsmem.read.design import load

    refuse_strange(out)
    file = out / "plan.json"
    text = read_text(file, f"run `hlsmem plan DESIGN -o {out}` first")
    plan = from_json(text, str(file))
    document = json.loads(text)
    design = load(main_file(out, plan), settings=plan.overrides)
    program = arranged(design.input) if isinstance(design.input, Program) else None
    return DesignUnderCheck(
        out=out, design=design, program=program, plan=plan, document=document, waves=waves
    )


def read_verdicts(out: Path) -> tuple[Verdict, ...]:
    """The verdicts that `hlsmem check` left in OUT/checks.json; none where it has not run."""
    try:
        document = json.loads(files.read_text(out / "checks.json"))
        return tuple(map(Verdict.of, document["checks"]))
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def changed_files(subject: DesignUnderCheck) -> tuple[str, ...]:
    """Files of OUT/design that are not the ones the plan was made from."""
    found = []
    for name, expected in subject.plan.inputs.items():
        file = subject.out / "design" / name
        try:
            digest = "sha256:" + hashlib.sha256(files.read_bytes(file)).hexdigest()
        except OSError:
            found.append(f"{file} is missing; the plan was made from it")
            continue
        if digest != expected:
            found.append(f"{file} was changed after the plan was made from it")
    return tuple(found)


@contextmanager
def described(subject: DesignUnderCheck) -> Iterator[Path]:
    """A file that describes the Verilog of a design to benches, as planning the design gives it;
    one that is not there where it gives none. Invariants for provers lie beside it. Where nothing
    plans, those of the folder.

    Raises NoPlan where the design has none.
    """
    name = f"sim/{subject.plan.design}.json"
    if subject.again is None:
        yield subject.out / name
        return
    made = subject.again()
    with scratch("hlsmem-described-") as folder:
        for one in {name, "sim/invariants.json"} & made.keys():
            (folder / Path(one).name).write_text(made[one], encoding="utf-8")
        yield folder / Path(name).name
