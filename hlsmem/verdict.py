"""The verdict of a check: pass, fail with a witness, or skipped with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from hlsmem.values import dataclass

# The checks in the order they run.
CHECKS = ("source", "proof", "reading", "exact", "replay", "host", "rtl", "formal")
# The beats of the longest stream after which `replay` and `rtl` stop, if not told otherwise.
BEATS = 500_000
# Those that some designs have nothing for; that they did not run says nothing.
NOT_FOR_ALL = frozenset({"reading"})


class Status(Enum):
    PASS = "pass"
    FAIL = "fail"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much of a long run a check saw: the first `beats` of the `total` of its longest stream.

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
    """What one check says of one subject (an array, or the whole design).

    `detail` is one line: what was proved or compared, the witness of a failure, or why the
    check was skipped. `expected` marks a skip that this kind of input always has; any other
    skip counts as not passed. `extent` is there where a check stopped before the end of the run.
    `unsafe` marks one that was skipped as it runs programs of the design, for want of a sandbox.
    `outcomes` are the seeds of the outcomes of conditions that were run.
    """

    check: str
    subject: str
    status: Status
    detail: str
    expected: bool = False
    extent: Extent | None = None
    unsafe: bool = False
    outcomes: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<{self.check} of {self.subject}: {self.status.value}>"

    @property
    def said(self) -> str:
        """The verdict in words, with how much of the run it speaks of."""
        if self.extent is None or self.status is not Status.PASS:
            return self.status.value
        return f"{self.status.value} ({self.extent.text()})"

    @property
    def fine(self) -> bool:
        return self.status is Status.PASS or (self.status is Status.SKIPPED and self.expected)
