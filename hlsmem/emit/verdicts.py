"""The verdicts of checks in the memory report, and what is known of each kind of number by them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from hlsmem.core.verdict import CHECKS, Status, Verdict
from hlsmem.core.wording import listed
from hlsmem.emit.markdown_table import Column, table
from hlsmem.plan import Plan


def checks_section(verdicts: Sequence[Verdict]) -> str:
    """One sentence over all verdicts, a table of them, and what was not judged below it."""
    if not verdicts:
        return "## Checks\n\nNot checked yet: run `hlsmem check` on this folder."
    rows = [[v.check, v.subject, v.said, v.detail] for v in verdicts]
    body = table([Column("check"), Column("of"), Column("verdict"), Column("what")], rows)
    return "\n\n".join(["## Checks", summary(verdicts), body, *_left_open(verdicts)])


def _left_open(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Claims that no check judged: a line for those, and one for each thing to install."""
    unjudged = [one for one in verdicts if one.status is Status.NOT_JUDGED and not one.remedy]
    if unjudged:
        yield f"Not judged: {_named(unjudged)}."
    for remedy in dict.fromkeys(one.remedy for one in verdicts if one.remedy):
        wanting = [one for one in verdicts if one.remedy == remedy]
        yield f"Not checked: {_named(wanting)}; `{remedy}` brings what they need."


def _named(verdicts: Iterable[Verdict]) -> str:
    """Each check with what it would have judged; the table says why it did not."""
    return listed(list(dict.fromkeys(f"{one.check} of {one.subject}" for one in verdicts)))


def is_as_generated(verdicts: Iterable[Verdict]) -> bool:
    """True if every leaf of plan.json is as this version writes it for the design."""
    return any(one.check == "generated" and one.status is Status.PASS for one in verdicts)


def known_section(plan: Plan, verdicts: Sequence[Verdict], *, is_synthesised: bool) -> str:
    """Standing of each kind of number: proved, measured, or as planned."""
    passed = {one.check for one in verdicts if one.status is Status.PASS}
    partly = {one.check for one in verdicts if one.extent is not None}
    failed = {one.check for one in verdicts if one.status is Status.FAIL}

    def known(check: str, word: str) -> str:
        if check in failed:
            return f"refuted: {check} failed"
        if check not in passed:
            return "as planned"
        return f"{word} by {check}{', for the beats it ran' if check in partly else ''}"

    rows = [["cells, bounds, moduli, words, banks, taps, beats", known("proof", "proved")]]
    if any(array.host is not None for array in plan.arrays.values()):
        rows.append(["cells of C and their bytes", known("proof", "proved")])
    if plan.timing is not None and plan.timing.cycles is not None:
        rows.append(["cycles, cycles per step", known("rtl", "measured")])
    if plan.target is not None:
        synthesised = "measured by synth, where its table has them"
        kinds = "blocks, LUTs, flip-flops, primitives"
        rows.append([kinds, synthesised if is_synthesised else "as planned"])
    others = "as generated" if is_as_generated(verdicts) else "not checked"
    rows.append(["what other storage would take", others])
    body = table([Column("numbers"), Column("known")], rows)
    return f"## How the numbers are known\n\n{body}"


def summary(verdicts: Sequence[Verdict]) -> str:
    """One sentence over all verdicts."""
    passed, failed, unjudged = (
        {one.check for one in verdicts if one.status is status}
        for status in (Status.PASS, Status.FAIL, Status.NOT_JUDGED)
    )
    wanting = {one.check for one in verdicts if one.remedy} - passed - failed
    unjudged -= passed | failed | wanting
    left = {*CHECKS.names()} - {one.check for one in verdicts} | wanting
    nothing = sum(one.status is Status.SKIPPED and not one.remedy for one in verdicts)
    note = f" ({nothing} {'does' if nothing == 1 else 'do'} not apply)" if nothing else ""
    others = f"; not judged: {_listed(unjudged)}" if unjudged else ""
    if failed:
        return f"FAILED: {_listed(failed)}{others}."
    if not left and not unjudged:
        return f"All checks passed{note}."
    others += f"; not run: {_listed(left)}" if left else ""
    return f"Passed: {_listed(passed) or 'none'}{note}{others}."


def _listed(checks: Collection[str]) -> str:
    """In the order that they run in; those that nobody knows any more come last."""
    known = [name for name in CHECKS.names() if name in checks]
    return ", ".join([*known, *sorted({*checks} - {*known})])
