"""Calls of host C that take paths which ordinary calls do not: the workspace from malloc, no memory
for it, and arguments that overlap.

The workspace comes from malloc where the macro for the stack is 0. Loops that are there twice, as
vectors and for arguments that overlap, ask one variable, which a copy of the C gives a value: so
the second one runs on arguments that are apart, where the original says what is right, and the
first one, compiled without vectors, says what is right of arguments that overlap.
"""

from __future__ import annotations

import re
import shutil
import signal
import tempfile
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path

from hlsmem.check.c_runs.c_building import (
    CALLER_TEXTS,
    FLAGS,
    WITH_WORKSPACE,
    FoundDifferent,
    NoOriginal,
    first_message,
)
from hlsmem.check.host_runs.host_bench import SANITIZERS, SEEDS, Bench, Pair, ending_of
from hlsmem.check.host_runs.host_sizes import is_light
from hlsmem.check.host_runs.overlapping_calls import (
    arena_bytes,
    arguments_of,
    crossings_of,
    differing,
    moved_pairs,
    overlapping,
    pairs_of,
    placements,
    reached,
    wrong_answer,
)
from hlsmem.program.model import Program, Storage
from hlsmem.tools.find import supports

_ASKED = "hlsmem_apart"
_ASKS = re.compile(rf"\b(const int {_ASKED} =)[^;]*;")
_VECTORS = ("-O3", "-march=native")
# Blocks begin where 48 bytes lie in front of the next line of a cache, the most that malloc leaves,
# and end where they end: what is behind is not the program's.
_MALLOC = r"""
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *block, *start;

void *hlsmem_malloc(size_t bytes)
{
    if (getenv("HLSMEM_NO_MEMORY")) {
        fputs("hlsmem: no memory\n", stderr);
        return NULL;
    }
    for (size_t before = 0; before <= 48; before += 16) {
        block = malloc(before + bytes);
        start = (char *)block + before;
        if (((uintptr_t)start & 63) == 16)
            break;
        if (before < 48)
            free(block);
    }
    return start;
}

void hlsmem_free(void *given)
{
    if (given != NULL && given != start) {
        fputs("ERROR: free() of what malloc() did not give\n", stderr);
        exit(5);
    }
    if (given != NULL)
        free(block);
    if (given != NULL)
        start = NULL;
}

__attribute__((destructor)) static void left(void)
{
    if (start != NULL) {
        fputs("ERROR: the workspace from malloc() is not freed\n", stderr);
        _Exit(5);
    }
}
"""
_OWN_MALLOC = ("-Dmalloc=hlsmem_malloc", "-Dfree=hlsmem_free")
_NO_MEMORY = "hlsmem: no memory"


def light_pair(bench: Bench, pairs: Sequence[Pair]) -> Pair:
    """The first of the sizes at which arrays are small, else the last."""
    return next((one for one in pairs if is_light(bench.program, one.values)), pairs[-1])


def allocates(bench: Bench) -> bool:
    """True if the generated C calls malloc."""
    return any(re.search(r"\bmalloc\(", text) for text in _texts(bench).values())


def asks(bench: Bench) -> bool:
    """True if loops of the generated C test that arguments are apart."""
    return any(_ASKED in text for text in _texts(bench).values())


def _texts(bench: Bench) -> dict[str, str]:
    return {name: (bench.out / name).read_text(encoding="utf-8") for name in bench.all_generated()}


def answered(bench: Bench, answer: int) -> Bench:
    """The bench of a copy of OUT in which loops are told whether arguments are apart.

    Raises FoundDifferent where they ask otherwise than generated C does.
    """
    out = Path(tempfile.mkdtemp(dir=bench.work))
    for part in ("design", "host"):
        shutil.copytree(bench.out / part, out / part)
    for name, text in _texts(bench).items():
        new, count = _ASKS.subn(rf"\g<1> {answer};", text)
        if _ASKED in text and count == 0:
            raise FoundDifferent(f"{name} does not set {_ASKED} as generated C does")
        (out / name).write_text(new, encoding="utf-8")
    return replace(bench, out=out)


def compare_with_malloc(bench: Bench, pair: Pair) -> bool:
    """True if the workspace came from malloc, in calls that have no room for it on the stack.

    They leave what the original leaves, free it, and abort where there is none. Raises
    FoundDifferent, and NoOriginal where the original is not defined.
    """
    target = pair.folder / "allocated"
    (pair.folder / "malloc.c").write_text(_MALLOC, encoding="utf-8")
    flags = [pair.standard, *FLAGS, *_sanitizers(bench), *bench.generated_flags(pair.values)]
    flags += [WITH_WORKSPACE, "-w", f"-D{bench.stack_macro}=0u"]
    objects = bench.objects(pair.folder, "allocated", [*flags, *_OWN_MALLOC])
    texts = [str(pair.folder / name) for name in (*CALLER_TEXTS, "malloc.c")]
    built = bench.compile([*flags, *objects, *texts, "-o", str(target), "-lm"], bench.out)
    if not built.succeeded:
        raise FoundDifferent(f"{bench.generated} does not link: {first_message(built)}")
    seeds = bench.seeds if bench.program.has_conditions else SEEDS[:2]
    try:
        bench.compare(replace(pair, generated=target), seeds)
    except FoundDifferent as error:
        raise FoundDifferent(f"on paths that ordinary calls do not take {error}") from None
    arguments = [str(pair.folder / "found"), str(SEEDS[0])]
    without = bench.call(target, arguments, {"HLSMEM_NO_MEMORY": "1"})
    was_asked = _NO_MEMORY in without.errors
    if was_asked and without.status != -signal.SIGABRT:
        raise FoundDifferent(f"{bench.function}() does not abort where malloc() has no memory")
    return was_asked


def compare_overlapped(bench: Bench, pair: Pair) -> int:
    """Compare loops for arguments that overlap with those that are vectors, on such arguments.

    In how many calls. Raises FoundDifferent, and NoOriginal where a call stops.
    """
    runs = _Runs(bench, pair, tested=False)
    expected = runs.left(answered(bench, 1), "serial", ("-O0",), is_right=True)
    return sum(
        runs.compare(expected, runs.left(bench, name, flags), f"its loops by {flags[0]} are")
        for name, flags in _ways(bench).items()
    )


def tests_arguments(bench: Bench) -> bool:
    """True if the generated C tests at its entry that arguments lie apart."""
    return f" {bench.function}_apart(" in bench.header()


def stops(bench: Bench) -> bool:
    """True if the generated C stops where arguments overlap that have to lie apart."""
    return f"define {_overlap_macro(bench)}()" in bench.header()


def _overlap_macro(bench: Bench) -> str:
    return f"{bench.function.upper()}_OVERLAP"


def compare_tested(bench: Bench, pair: Pair, own: Program | None) -> int:
    """Compare calls whose arguments overlap with those of the original, where the C tests that
    some lie apart, and see that the test is right, and that C stops if it says so.

    `own` is the program in C's order, None where that is not known. In how many calls, 0 where
    nothing is tested. Raises FoundDifferent, and NoOriginal where the original stops.
    """
    if bench.kernel is None or not tests_arguments(bench) or bench.tile is not None:
        return 0
    runs = _Runs(bench, pair, tested=True, own=own)
    if len(runs.made) == 1:
        return 0
    found = {name: runs.left(bench, name, flags) for name, flags in _ways(bench).items()}
    if any(one.storage is Storage.STATE for one in bench.program.arrays.values()):
        # A call that stops leaves state as it was: the original makes those alone that go on.
        runs = runs.going_on()
        found = {name: runs.left(bench, name, flags) for name, flags in _ways(bench).items()}
    expected = runs.left(None, "original", (), is_right=True)
    return sum(runs.compare(expected, left, f"{bench.function}() is") for left in found.values())


def _ways(bench: Bench) -> dict[str, Sequence[str]]:
    return {"vectors": _VECTORS, "sanitized": _sanitizers(bench)}


def _sanitizers(bench: Bench) -> Sequence[str]:
    return SANITIZERS if supports(bench.compiler, SANITIZERS) else ("-O1",)


class _Runs:
    """Programs that call a function with arguments at places where they meet, at one size.

    Compiled without the rule that objects of two types are apart, which callers then break.
    """

    def __init__(
        self, bench: Bench, pair: Pair, *, tested: bool, own: Program | None = None
    ) -> None:
        self.bench, self.pair, self.tested = bench, pair, tested
        self.stops = tested and stops(bench)
        self.stopped = dict[Path, frozenset[int]]()
        self.found = reached(bench.program, bench.kernel, pair.interface, pair.values)
        pairs = pairs_of(self.found)
        met = crossings_of(bench.program, bench.kernel, self.found, pairs, pair.values)
        moved: tuple[tuple[int, int], ...] = ()
        if own is not None:
            at = replace(own, values=pair.values)
            moved = moved_pairs(at, bench.kernel, self.found, pairs)
        self.made = placements(self.found, pairs, met, moved)

    def going_on(self) -> _Runs:
        """The same without the calls in which the generated C stopped."""
        stopped = frozenset[int]().union(*self.stopped.values())
        own = copy(self)
        own.made = tuple(one for k, one in enumerate(self.made) if k not in stopped)
        own.stopped = {}
        return own

    def left(
        self, bench: Bench | None, name: str, flags: Sequence[str], *, is_right: bool = False
    ) -> Path:
        """Output of calls of a generated C, or of the original; `is_right` makes it the reference
        for others."""
        own = self.bench if bench is None else bench
        size = arena_bytes(self.found, self.made)
        main = self.pair.folder / f"overlapping_{name}.c"
        asks = self.tested and bench is not None
        text = overlapping(self.pair.interface, size, tested=asks, stops=asks and self.stops)
        main.write_text(text, encoding="utf-8")
        target, output = main.with_suffix(""), main.with_suffix(".out")
        flags = [*FLAGS, *flags, "-fno-strict-aliasing"]
        built = own.with_main(self.pair, main, flags, target, generated=bench is not None)
        wrong = NoOriginal if is_right else FoundDifferent
        if not built.succeeded:
            raise wrong(f"no calls with arguments that overlap: {first_message(built)}")
        finished = own.call(target, [str(output), *arguments_of(self.made)])
        if not finished.succeeded:
            by = "the original" if bench is None else f"{own.function}()"
            raise wrong(f"where arguments overlap {by} stops: {ending_of(finished)}")
        if asks:
            said = finished.output.split()
            fault = wrong_answer(own.function, self.made, said)
            if fault:
                raise FoundDifferent(fault)
            if self.stops:
                self.stopped[output] = frozenset(k for k, one in enumerate(said) if one == "0")
                self._check_stop(own, target, output)
        return output

    def _check_stop(self, bench: Bench, target: Path, output: Path) -> None:
        """Raises FoundDifferent where a call whose arguments overlap goes on."""
        for number in sorted(self.stopped[output])[:1]:
            one = self.made[number]
            other = output.with_suffix(".stopped")
            arguments = [str(other), *arguments_of([one])]
            finished = bench.call(target, arguments, {"HLSMEM_CALL": "1"})
            if finished.status != -signal.SIGABRT:
                what = f"{bench.function}() does not stop where arguments overlap: {one.text}"
                raise FoundDifferent(what)

    def compare(self, expected: Path, found: Path, what: str) -> int:
        """Number of calls that left the same; those that leave no numbers prove nothing."""
        left_out = self.stopped.get(found, frozenset())
        compared, place = differing(self.found, self.made, expected, found, left_out)
        if place:
            raise FoundDifferent(f"{what} not right with {place}")
        return compared
