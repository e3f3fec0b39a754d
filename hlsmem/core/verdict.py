"""Checks, and their verdicts: pass, fail with a witness, not judged or skipped with a reason."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, field
from enum import Enum
from types import MappingProxyType
from typing import Any

from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.registry import Registry

# The beats of the longest stream after which `replay` and `rtl` stop, if not told otherwise.
BEATS = 500_000


class Status(Enum):
    PASS = "pass"
    FAIL = "fail"
    NOT_JUDGED = "not judged"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """Part of a long run that a check saw: the first `beats` of the `total` of its longest stream.

    Whole frames were played at the parameters `sizes`; None where none was, and `reason` says why.
    """

    stream: str
    beats: int
    total: int
    sizes: Mapping[str, int] | None = field(default=None, hash=False)
    reason: str = ""

    def text(self) -> str:
        """
        >>> Extent(stream="s_a_S", beats=500000, total=2073600, sizes={"W": 12, "H": 8}).text()
        'first 500000 of 2073600 beats; whole at W=12, H=8'
        """
        first = f"first {self.beats} of {self.total} beats"
        if self.sizes is None:
            return f"{first}; no whole frame: {self.reason}"
        return f"{first}; whole at {', '.join(f'{k}={v}' for k, v in self.sizes.items())}"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Verdict:
    """Verdict of one check on one subject (an array, or the whole design).

    `detail` is one line: what was proved or compared, the witness of a failure, or why there is
    no verdict. It is skipped where this kind of input has nothing for the check, or a tool is
    missing; not judged where the check ran and could not tell. `remedy` says what to install
    where that would have helped. `extent` is there where a check stopped before the end of the
    run. `outcomes` are the seeds of the outcomes of conditions that were run. `recorded` are files
    of words that a simulation had, by name, for the bench in OUT/sim.
    """

    check: str
    subject: str
    status: Status
    detail: str
    remedy: str = ""
    extent: Extent | None = None
    outcomes: tuple[int, ...] = ()
    recorded: Mapping[str, str] = field(
        default_factory=lambda: MappingProxyType({}), compare=False, repr=False
    )

    def __repr__(self) -> str:
        return f"<{self.check} of {self.subject}: {self.status.value}>"

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Verdict:
        """The verdict of a `document`. Raises KeyError, TypeError or ValueError if it is none."""
        return cls(
            check=document["check"],
            subject=document["of"],
            status=Status(document["verdict"]),
            detail=document["detail"],
            remedy=document.get("remedy", ""),
            extent=Extent(**document["extent"]) if "extent" in document else None,
            outcomes=tuple(document.get("outcomes", ())),
        )

    def document(self) -> dict[str, Any]:
        """The verdict as it stands in checks.json.

        >>> one = Verdict(check="host", subject="k", status=Status.PASS, detail="bit-equal")
        >>> Verdict.of(one.document()) == one
        True
        """
        found = {"check": self.check, "of": self.subject, "verdict": self.status.value}
        return {
            **found,
            "detail": self.detail,
            "fine": self.fine,
            **({"remedy": self.remedy} if self.remedy else {}),
            **({} if self.extent is None else {"extent": asdict(self.extent)}),
            **({"outcomes": self.outcomes} if self.outcomes else {}),
        }

    @property
    def said(self) -> str:
        """The verdict in words, with how much of the run it speaks of."""
        if self.extent is None or self.status is not Status.PASS:
            return self.status.value
        return f"{self.status.value} ({self.extent.text()})"

    @property
    def fine(self) -> bool:
        """True if nothing contradicts the plan, or is left open by what this machine has."""
        return self.status in (Status.PASS, Status.SKIPPED)


class Kind(Enum):
    """A kind of plan, whose value says why a check that is not for it has nothing to judge."""

    KERNEL = "a kernel has C of its own"
    NETWORK = "no C was read"
    CONFLICTS = "a conflict set has no order in which it could run"
    # Of a class of orders in which the design's own schedule is not; beside one of the others.
    CLASS = "the design's own schedule is not in the class that the plan is for"


PROGRAMS = frozenset({Kind.KERNEL, Kind.NETWORK})


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A way to judge a folder OUT by its files.

    Checks run in their `order`; one that is no `default` where it is asked for by name. `proves`
    says what holds where it passes, `on_whose_word` what is taken as it is. Without the tools that
    it `needs` it does not run, those that it `uses` do part of its work: names as `hlsmem doctor`
    has them, or of programs. `run` gives verdicts on a `hlsmem.check.DesignUnderCheck` whose kinds
    are all among `for_kinds`; it may raise LimitError where there is too much to do, and ToolError.
    One that `compares_files` is given all files of OUT by planning again; others those of hardware,
    as host C is dear.
    """

    name: str
    order: int
    proves: str
    on_whose_word: str
    run: Callable[[Any], Iterable[Verdict]]
    needs: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    default: bool = True
    compares_files: bool = False
    for_kinds: Collection[Kind] = frozenset(Kind)


# The checks, in the order they run.
CHECKS: Registry[Check] = Registry(
    kind="check",
    package="hlsmem.check.checks",
    constant="CHECK",
    group="hlsmem.checks",
    rank=lambda check: (check.order, check.name),
)


def exit_code(verdicts: Iterable[Verdict], asked: Collection[str] = ()) -> int:
    """1 where a check failed, 3 where one judged nothing, else 0; `asked` are the checks by name.

    What a tool or a version is missing for counts where the check was asked for by name.

    >>> from dataclasses import replace
    >>> one = Verdict(check="host", subject="k", status=Status.NOT_JUDGED, detail="it does not end")
    >>> exit_code([one]), exit_code([one, replace(one, status=Status.PASS)])
    (3, 0)
    >>> lacking = replace(one, status=Status.SKIPPED, remedy="install gcc")
    >>> exit_code([lacking]), exit_code([lacking], ["host"])
    (0, 3)
    """
    found = tuple(verdicts)
    if any(one.status is Status.FAIL for one in found):
        return 1
    judged = {one.check for one in found if one.status is Status.PASS}
    left = (one for one in found if one.check not in judged)
    return 3 if any(_matters(one, asked) for one in left) else 0


def _matters(one: Verdict, asked: Collection[str]) -> bool:
    """True if a verdict of a check that judged nothing is an answer that is owed."""
    return one.check in asked if one.remedy else one.status is Status.NOT_JUDGED
