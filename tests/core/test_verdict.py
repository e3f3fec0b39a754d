"""What an exit code says of verdicts."""

from dataclasses import replace

import pytest

from hlsmem.core.verdict import Status, Verdict, exit_code

PASSED = Verdict(check="host", subject="k", status=Status.PASS, detail="")
FAILED = replace(PASSED, status=Status.FAIL)
UNJUDGED = replace(PASSED, status=Status.NOT_JUDGED)
LACKING = replace(PASSED, status=Status.SKIPPED, remedy="install gcc")
OTHER_ISL = replace(UNJUDGED, remedy="install isl")
NOTHING = replace(PASSED, status=Status.SKIPPED)
OTHER = replace(PASSED, check="rtl")


@pytest.mark.parametrize(
    ("verdicts", "asked", "code"),
    [
        ([], (), 0),
        ([PASSED, NOTHING], (), 0),
        ([NOTHING], ("host",), 0),
        ([FAILED, UNJUDGED], (), 1),
        ([replace(UNJUDGED, check="rtl"), FAILED], (), 1),
        # Judged in part is judged, which the report qualifies; another check is no judge of it.
        ([UNJUDGED, PASSED], ("host",), 0),
        ([UNJUDGED, OTHER], (), 3),
        # What is missing here is owed only where it was asked for by name.
        ([LACKING, OTHER], (), 0),
        ([LACKING, OTHER], ("rtl",), 0),
        ([LACKING, OTHER], ("host", "rtl"), 3),
        ([LACKING, PASSED], ("host",), 0),
        ([OTHER_ISL], (), 0),
        ([OTHER_ISL], ("host",), 3),
    ],
)
def test_a_check_that_judged_nothing_is_no_pass(
    verdicts: list[Verdict], asked: tuple[str, ...], code: int
) -> None:
    assert exit_code(verdicts, asked) == code
