"""The check `host`: original and generated C, compiled alike, leave the same bits in every array.

Both run on the same pseudo-random inputs, at the plan's parameters and, where the plan holds for
all, at small ones; the generated C through both of its entries, with memory around everything
watched, and once more under sanitizers. For a network the original is its unfolded run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hlsmem.options import Design
from hlsmem.order import one_after_the_other
from hlsmem.planfile import Plan
from hlsmem.program import Order, Program
from hlsmem.tools.find import C_COMPILER, find
from hlsmem.verdict import Status, Verdict
from hlsmem.verification.bench import SEEDS, Bench, FoundDifferent, NoOriginal, Pair, values_text
from hlsmem.verification.harness import NotCallable
from hlsmem.watchdog import scratch

_WORKERS = 2


def check_host(
    out: Path, design: Design, program: Program | None, plan: Plan
) -> tuple[Verdict, ...]:
    """Verdicts on OUT/host as it stands on disk, against OUT/design.

    `program` (with streams) is None for a bare conflict set, which has no run. Raises ToolError
    without a C compiler and LimitError where a run takes too long.
    """
    source = design.input
    if program is None or not isinstance(source, Program):
        reason = "a bare conflict set has no program to run"
        return (_verdict(plan, Status.SKIPPED, reason, expected=True),)
    reason = _without_c(program)
    if reason and not (out / "host" / f"{program.name}.c").is_file():
        return (_verdict(plan, Status.SKIPPED, reason, expected=True),)
    compiler = find(C_COMPILER)
    with scratch("hlsmem-host-") as folder:
        bench = Bench(
            compiler=compiler,
            out=out.resolve(),
            work=folder.resolve(),
            program=source,
            plan=plan,
            is_tiled=design.host.tiled,
        )
        try:
            return _judge(bench)
        except (NoOriginal, NotCallable) as error:
            return (_verdict(plan, Status.SKIPPED, str(error)),)
        except FoundDifferent as error:
            return (_verdict(plan, Status.FAIL, str(error)),)


def _without_c(program: Program) -> str:
    """Why there may be no C for a program; empty where there has to be."""
    if program.tile is not None:
        return "a tile is a part of the program, which C for the whole cannot be compared with"
    if one_after_the_other(program) is not program:
        if program.order is Order.ITERATION:
            return (
                "C runs the instances of a step one after the other, which the plan does not"
                " allow; order: sequential makes a plan that does"
            )
        return (
            "C runs instances of equal times one after the other, which the plan does not allow;"
            " plan.strict makes a plan that does"
        )
    return ""


def _judge(bench: Bench) -> tuple[Verdict, ...]:
    sizes = bench.sizes()
    # Compilers take nearly all of the time; they are programs of their own, so threads will do.
    with ThreadPoolExecutor(max_workers=_WORKERS) as pool:
        pairs = list(pool.map(bench.build, sizes))
    folded = [bench.compare(pair) for pair in pairs]
    if not folded[0]:
        reason = f"the folded code does not run at {_sizes_text(sizes[:1])}"
        return (_verdict(bench.plan, Status.SKIPPED, reason),)
    text = _compared_text(sizes, folded)
    if bench.is_tiled:
        text += f"; so is every one of {len(bench.tilings())} tilings"
    verdicts = [_verdict(bench.plan, Status.PASS, text)]
    sanitized = bench.sanitized(pairs[1 % len(pairs)])
    if sanitized is not None:
        verdicts.append(_sanitized(bench, sanitized))
    verdicts.append(_warnings(bench, pairs[0]))
    return tuple(verdicts)


def _compared_text(sizes: Sequence[Mapping[str, int]], folded: Sequence[bool]) -> str:
    """At which sizes the folded code was compared, and at which it was not seen to run."""
    ran = [size for size, by_plan in zip(sizes, folded, strict=True) if by_plan]
    other = [size for size, by_plan in zip(sizes, folded, strict=True) if not by_plan]
    text = (
        f"bit-equal to the original at {_sizes_text(ran)}, {len(SEEDS)} inputs each, both entries"
    )
    if not other:
        return text
    return f"{text}; no cell is used, or the original body runs, at {_sizes_text(other)}"


def _sizes_text(sizes: Sequence[Mapping[str, int]]) -> str:
    return "; ".join(map(values_text, sizes)) or "its fixed sizes"


def _sanitized(bench: Bench, pair: Pair) -> Verdict:
    try:
        bench.compare(pair)
    except FoundDifferent as error:
        blamed = bench.original_under_sanitizers(pair)
        if blamed is None:
            raise
        reason = f"{error}; so does the original: {blamed}"
        return _verdict(bench.plan, Status.SKIPPED, reason, expected=True)
    return _verdict(bench.plan, Status.PASS, "clean under address and undefined sanitizers")


def _warnings(bench: Bench, pair: Pair) -> Verdict:
    if pair.warning is None:
        return _verdict(bench.plan, Status.PASS, "no warnings from -Wall -Wextra")
    if bench.original_warns(pair):
        reason = f"warnings as in the original: {pair.warning}"
        return _verdict(bench.plan, Status.PASS, reason)
    return _verdict(bench.plan, Status.FAIL, f"-Wall -Wextra: {pair.warning}")


def _verdict(plan: Plan, status: Status, detail: str, *, expected: bool = False) -> Verdict:
    return Verdict(
        check="host", subject=plan.design, status=status, detail=detail, expected=expected
    )
