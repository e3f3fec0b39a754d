"""The verdict of a check: pass, fail with a witness, or skipped with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

# The checks in the order they run.
CHECKS = ("reading", "exact", "replay", "host", "rtl", "formal")
# Those that some designs have nothing for; that they did not run says nothing.
NOT_FOR_ALL = frozenset({"reading"})


class Status(Enum):
    PASS = "pass"
    FAIL = "fail"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one check says of one subject (an array, or the whole design).

    `detail` is one line: what was proved or compared, the witness of a failure, or why the
    check was skipped. `expected` marks a skip that this kind of input always has; any other
    skip counts as not passed.
    """

    check: str
    subject: str
    status: Status
    detail: str
    expected: bool = False

    @property
    def fine(self) -> bool:
        return self.status is Status.PASS or (self.status is Status.SKIPPED and self.expected)
