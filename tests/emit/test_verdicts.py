"""What the report says of checks, and of how its numbers are known."""

from dataclasses import replace
from pathlib import Path

import pytest

from hlsmem.core.verdict import Status, Verdict
from hlsmem.emit.report import report
from hlsmem.emit.verdicts import checks_section, summary
from tests.check.subjects import others_than
from tests.plans import planning_of

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.mark.parametrize(
    ("rtl", "told"),
    [
        (Status.PASS, f"Passed: proof, rtl; not run: {others_than('proof', 'rtl')}."),
        (
            Status.SKIPPED,
            f"Passed: proof (1 does not apply); not run: {others_than('proof', 'rtl')}.",
        ),
        (
            Status.NOT_JUDGED,
            f"Passed: proof; not judged: rtl; not run: {others_than('proof', 'rtl')}.",
        ),
        (Status.FAIL, "FAILED: rtl."),
    ],
)
def test_what_does_not_apply_has_not_passed(rtl: Status, told: str) -> None:
    verdicts = [
        Verdict(check="proof", subject="a", status=Status.PASS, detail=""),
        Verdict(check="rtl", subject="a", status=rtl, detail=""),
    ]
    assert summary(verdicts) == told


def _verdict(check: str, status: Status) -> Verdict:
    return Verdict(check=check, subject="blur", status=status, detail="")


def test_every_kind_of_number_says_how_it_is_known() -> None:
    plan = planning_of(EXAMPLES / "blur" / "design.yaml").plan

    def known(*verdicts: Verdict) -> list[str]:
        section = report(plan, verdicts).split("## How the numbers are known")[1]
        return [line.split("|")[2].strip() for line in section.splitlines() if "|" in line][2:]

    assert known() == [*["as planned"] * 3, "not checked"]
    passed = [_verdict(check, Status.PASS) for check in ("proof", "rtl")]
    assert known(*passed) == [*["proved by proof"] * 2, "measured by rtl", "not checked"]
    assert known(_verdict("proof", Status.SKIPPED)) == known()
    assert known(_verdict("generated", Status.FAIL)) == known()
    assert known(_verdict("generated", Status.PASS)) == [*["as planned"] * 3, "as generated"]
    # One subject of several that fails refutes them.
    failed = [*passed, _verdict("rtl", Status.FAIL)]
    assert known(*failed)[2] == "refuted: rtl failed"


def test_what_nobody_judged_is_named_below_the_table() -> None:
    one = _verdict("host", Status.PASS)
    lacking = _verdict("reading", Status.SKIPPED)
    verdicts = [
        one,
        replace(one, status=Status.NOT_JUDGED, detail="the workspace is not followed"),
        replace(lacking, detail="needs clang", remedy="apt-get install clang"),
        replace(lacking, check="host", detail="needs clang too", remedy="apt-get install clang"),
    ]
    text = checks_section(verdicts)
    assert text.split("|\n\n")[-1].splitlines() == [
        "Not judged: host of blur.",
        "",
        "Not checked: reading of blur and host of blur; `apt-get install clang` brings what they"
        " need.",
    ]
    assert f"\nPassed: host; not run: {others_than('host')}.\n" in text


def test_figures_of_what_was_not_taken_are_marked_until_they_are_held() -> None:
    plan = planning_of(EXAMPLES / "blur" / "design.yaml").plan
    text = report(plan, [_verdict("proof", Status.PASS)])
    marked = [line for line in text.splitlines() if "(not checked)" in line]
    beginnings = [*["- not taken: "] * 2, "- fifo not possible: "]
    assert len(marked) == len(beginnings)
    for line, beginning in zip(marked, beginnings, strict=True):
        assert line.startswith(beginning)
    assert "(not checked)" not in report(plan, [_verdict("generated", Status.PASS)])
