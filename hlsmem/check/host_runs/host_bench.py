"""The bench of the host check: original and generated C compiled alike, run, and compared."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import cycle, islice, product
from math import prod
from pathlib import Path

import numpy as np

from hlsmem.check.c_runs.access_recorder import ASIDE, RECORD, RECORDER, WRAPPED
from hlsmem.check.c_runs.c_building import (
    CALLER_TEXTS,
    FLAGS,
    SECONDS,
    WITH_WORKSPACE,
    Builder,
    FoundDifferent,
    NoOriginal,
    first_message,
)
from hlsmem.check.c_runs.c_harness import UNTOUCHED, harness
from hlsmem.check.c_runs.c_interface import (
    Interface,
    interface_of,
    numpy_type,
    with_inputs,
)
from hlsmem.check.c_runs.c_programs import ending
from hlsmem.check.c_runs.c_trace import Caller
from hlsmem.check.c_runs.run_inputs import inputs_of
from hlsmem.check.host_runs.array_comparison import Column, columns, difference, not_finite
from hlsmem.check.host_runs.host_sizes import sizes_of
from hlsmem.check.host_runs.unfolded_objects import (
    Footprint,
    footprint_of,
    frame_bytes,
    scalar_bytes,
    static_bytes,
)
from hlsmem.check.replayed.replay_check import Given
from hlsmem.core.errors import LimitError
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra.relations import named, sets_of
from hlsmem.polyhedra.sets import fix_parameters, points
from hlsmem.program.model import Storage
from hlsmem.tools.find import Tool, supports
from hlsmem.tools.run import Finished, run

SANITIZERS = (
    "-O1",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-DHLSMEM_GUARD=0",
)
_WARNINGS = ("-Wall", "-Wextra")
_NOT_THE_USERS = ("-Wno-unknown-pragmas", "-Wno-unused-label")
# Each function has a frame of its own, the original too where it stands by.
_LISTING = ("-S", "-fstack-usage", "-fno-inline")
_SMALL = ("-Os", "-fstack-usage", "-c")
# Times that a run of the generated C may take longer than one of the original.
_SLOWER = 100
SEEDS = (1, 2, 3)
SEEDS_OF_CONDITIONS = (1, 2, 3, 4, 5, 6, 7, 8)
_THREAD_KIB = 192
_SMALL_STACK = 'ulimit -s "$0" && exec "$@"'
FILLS = (0x5A, 0xA5)
"""Bytes that fill the workspace before two runs: what is the same behind both was written."""
# Sizes and origins of tiles that are tried, for as many rows as there are.
_TILE_SIZES = ((1, 1), (2, 3), (3, 5), (1, 100), (9, 13))
_TILE_ORIGINS = ((0, 0), (1, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Original and generated C, compiled at one size; `standard` is what the original needs.

    `masks` say which elements of an array must be equal (None: all). `warning` is the first
    one that the generated C drew.
    """

    values: Mapping[str, int] = field(compare=False)
    folder: Path
    interface: Interface
    original: Path
    generated: Path
    standard: str
    masks: Mapping[str, np.ndarray | None] = field(compare=False)
    warning: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench(Builder):
    """One OUT on the bench: what is compiled of it, run and compared."""

    is_tiled: bool = False
    stack_kib: int = 64
    inputs: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)

    @property
    def stack_macro(self) -> str:
        """The macro for the bytes of the workspace that may stand on the stack."""
        return f"{self.function.upper()}_STACK_BYTES"

    @property
    def rows(self) -> int:
        """The rows along which the generated C cuts tiles, by its header; 0 if it does not."""
        if not self.is_tiled:
            return 0
        name = f"{self.function}_tiled_ws"
        found = re.search(rf"\b{name}\([^;]*const long \w+\[(\d+)\]\)?;", self.header())
        if found is None:
            raise FoundDifferent(f"host/{self.program.name}.h has no {name}()")
        return int(found[1])

    def tilings(self) -> list[tuple[int, ...]]:
        """Sizes and origins of the tilings that are tried, one behind the other."""
        if not self.rows:
            return []
        return [
            (*islice(cycle(sizes), self.rows), *islice(cycle(origins), self.rows))
            for sizes in _TILE_SIZES
            for origins in _TILE_ORIGINS
        ]

    def sizes(self) -> list[dict[str, int]]:
        """The plan's parameters, and small ones where the generated C takes any."""
        found = sizes_of(self.program, self.plan)
        if self.tile is not None:
            found += [one for one in self.tile.sizes() if one not in found]
        return found

    def build(
        self, values: Mapping[str, int], flags: Sequence[str] = (), *, like: Pair | None = None
    ) -> Pair:
        """Compile both programs, the generated with more flags; that of a pair `like` it has the
        same original. Raises NoOriginal, FoundDifferent or NotCallable."""
        interface = self.interface(values)
        folder = Path(tempfile.mkdtemp(dir=self.work))
        begins = f"{self.function}_ws_init(" in self.header()
        text = harness(interface, rows=self.rows, begins=begins)
        (folder / "harness.c").write_text(text, encoding="utf-8")
        (folder / "size.c").write_text(self.size_text(values), encoding="utf-8")
        if like is None:
            original = folder / "original"
            standard = self.build_original(folder, interface, values, original)
        else:
            original, standard = like.original, like.standard
        self.compile_caller(folder, standard, values)
        flags = [standard, *FLAGS, *_WARNINGS, *flags]
        finished = self.build_generated(folder, values, flags, folder / "generated")
        return Pair(
            values=values,
            folder=folder,
            interface=interface,
            original=original,
            generated=folder / "generated",
            standard=standard,
            masks={
                column.name: self.compared(column, values)
                for array in interface.arrays
                for column in columns(array)
            },
            warning=_first_warning(finished),
        )

    def sanitized(self, pair: Pair) -> Pair | None:
        """The pair with the generated C and its caller under sanitizers; None without them.

        The stack just holds the workspace.
        """
        target = pair.folder / "sanitized"
        limit = f"-D{self.stack_macro}={len(self.workspace(pair, FILLS[0]))}u"
        flags = [pair.standard, *FLAGS, *SANITIZERS, limit]
        try:
            self.build_generated(pair.folder, pair.values, flags, target, caller=CALLER_TEXTS)
        except FoundDifferent:
            if supports(self.compiler, SANITIZERS):
                raise
            return None
        return replace(pair, generated=target)

    def rebuilt(self, pair: Pair, compiler: Tool, flags: Sequence[str]) -> Pair:
        """The pair with the generated C by another compiler, or with other flags."""
        target = pair.folder / "rebuilt"
        own = replace(self, compiler=compiler)
        own.build_generated(pair.folder, pair.values, [pair.standard, *FLAGS, *flags, "-w"], target)
        return replace(pair, generated=target)

    def accepts(self, pair: Pair, values: Mapping[str, int]) -> bool:
        """True if the generated C compiles at other values than those of the pair."""
        flags = [pair.standard, *FLAGS, "-w", "-fsyntax-only", *self.generated_flags(values)]
        return self.compile([*flags, self.generated], self.out).succeeded

    def with_main(
        self, pair: Pair, main: Path, flags: Sequence[str], target: Path, *, generated: bool
    ) -> Finished:
        """Compile the original or the generated C by these flags alone, with a main function."""
        own = [pair.standard, *flags, "-w", str(main), "-o", str(target), "-lm"]
        if not generated:
            return self.compile_original(pair.values, own)
        files = self.all_generated()
        return self.compile([*self.generated_flags(pair.values), *files, *own], self.out)

    def _contradiction(self, pair: Pair, seed: int, what: str) -> FoundDifferent | NoOriginal:
        """Verdict on a difference of the two: the generated C is wrong, unless the original does
        what C leaves open with the inputs of the seed, by sanitizers."""
        blamed = self._original_under_sanitizers(pair, seed)
        if blamed is None:
            return FoundDifferent(what)
        return NoOriginal(f"{what}; the original is not defined either: {blamed}")

    def _original_under_sanitizers(self, pair: Pair, seed: int) -> str | None:
        """Report of sanitizers on the original with the inputs of a seed; None without one."""
        target = pair.folder / "original_sanitized"
        if self.kernel is None:
            return None
        flags = [pair.standard, *FLAGS, *SANITIZERS, "-w", str(pair.folder / "harness.c")]
        built = self.compile_original(pair.values, [*flags, "-o", str(target), "-lm"])
        if not built.succeeded:
            return None
        finished = self.call(target, [str(pair.folder / "expected"), str(seed)])
        return None if finished.succeeded else ending_of(finished)

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds of inputs: those of more runs where conditions have outcomes."""
        return SEEDS_OF_CONDITIONS if self.program.has_conditions else SEEDS

    def compare(self, pair: Pair, seeds: Sequence[int] | None = None) -> bool:
        """True if the folded code ran; raises FoundDifferent with a witness where bits differ,
        NoOriginal where the original is not defined with inputs that show it.

        Code that never touches its workspace is the original body, which stands by for sizes
        that the plan does not cover; where there is no workspace, the folded code is taken to run.
        """
        found = pair.folder / "found"
        folded = False
        for seed in self.seeds if seeds is None else seeds:
            expected = self.expected(pair, seed)
            before = self._before(pair, seed)
            for entry, tiles in product(("", "ws"), [(), *self.tilings()]):
                arguments = [str(found), str(seed), *([entry] if entry else [])]
                arguments += map(str, tiles)
                name = f"{pair.interface.function}{'_tiled' * bool(tiles)}{'_ws' * bool(entry)}()"
                if tiles:
                    name += f" with tiles {tiles[: self.rows]} from {tiles[self.rows :]}"
                where = " at ".join(filter(None, [name, values_text(pair.values)]))
                try:
                    finished = self.call(pair.generated, arguments, seconds=SECONDS)
                except LimitError:
                    if self._ends_soon(pair, seed):
                        what = f"{where} does not end in {SECONDS:g} s, and the original soon does"
                        raise FoundDifferent(what) from None
                    raise
                if not finished.succeeded:
                    what = f"{where} stops: {ending_of(finished)}"
                    raise self._contradiction(pair, seed, what)
                other = difference(pair.interface, pair.masks, expected, found)
                other = other or _changed(pair, before, found)
                if other:
                    raise self._contradiction(pair, seed, f"{where}, input {seed}: {other}")
                folded |= bool(entry) and UNTOUCHED not in finished.output
        return folded or not self._fills_workspace(pair.values)

    def leaves_the_same(self, pair: Pair, program: Path, seed: int) -> bool:
        """True where a program of the pair, built by other flags, leaves what the original does."""
        found = pair.folder / "found"
        finished = self.call(program, [str(found), str(seed)])
        if not finished.succeeded:
            return False
        expected = self.expected(pair, seed)
        return difference(pair.interface, pair.masks, expected, found) is None

    def expected(self, pair: Pair, seed: int) -> Path:
        """Output of the original for the inputs of a seed; it runs once for all that are compared
        with it. Raises NoOriginal where it stops, or leaves no numbers."""
        expected = pair.original.with_name(f"expected{seed}")
        if expected.exists():
            return expected
        target = expected.with_suffix(".new")
        finished = self.call(pair.original, [str(target), str(seed)])
        if not finished.succeeded:
            raise NoOriginal(f"the original stops: {ending_of(finished)}")
        unknown = not_finite(pair.interface, pair.masks, target)
        if unknown:
            where = ", ".join(filter(None, [values_text(pair.values), f"input {seed}"]))
            raise NoOriginal(
                f"the original gives {unknown} at {where}, which proves nothing; give its"
                ' inputs ranges: host.inputs: {NAME: ["-1", "1"]}'
            )
        return target.rename(expected)

    def _ends_soon(self, pair: Pair, seed: int) -> bool:
        """True if the original ends in so much less time than the generated C may take, that no
        machine and no compiler make up for it."""
        arguments = [str(pair.folder / "expected"), str(seed)]
        try:
            return self.call(pair.original, arguments, seconds=SECONDS / _SLOWER).succeeded
        except LimitError:
            return False

    def _before(self, pair: Pair, seed: int) -> Path | None:
        """Arrays of a tile before a call; None without a tile."""
        if self.tile is None:
            return None
        output = pair.folder / "before"
        self.call(pair.original, [str(output), str(seed), "inputs"])
        return output

    def workspaces(self, pair: Pair) -> tuple[bytes, bytes]:
        """Workspaces after a call, filled before with either of FILLS."""
        return self.workspace(pair, FILLS[0]), self.workspace(pair, FILLS[1])

    def workspace(self, pair: Pair, fill: int) -> bytes:
        """The workspace after a call, filled before with a byte."""
        arguments = [str(pair.folder / "found"), str(SEEDS[0]), "ws"]
        finished = self.call(pair.generated, arguments, {"HLSMEM_FILL": str(fill)})
        if not finished.succeeded:
            raise FoundDifferent(f"{self.function}_ws() stops: {ending_of(finished)}")
        return (pair.folder / "found.ws").read_bytes()

    def followed(self, pair: Pair, seed: int = SEEDS[0]) -> np.ndarray:
        """Every load and store of the generated C in its workspace, in their order.

        uint64, a row each: the byte where it begins, and its bytes twice, with one more for a
        store. The compiler has to be clang.
        """
        folder, target = pair.folder, pair.folder / "followed"
        (folder / "recorder.c").write_text(RECORDER, encoding="utf-8")
        given = self.generated_flags(pair.values)
        aside = [pair.standard, *ASIDE, *given, WITH_WORKSPACE, "-DHLSMEM_FOLLOW=1"]
        objects = []
        for text in (*CALLER_TEXTS, "recorder.c"):
            objects.append(str(folder / f"followed_{text}.o"))
            built = self.compile([*aside, "-c", str(folder / text), "-o", objects[-1]], self.out)
            if not built.succeeded:
                raise FoundDifferent(f"{text} does not compile: {first_message(built)}")
        objects += self.objects(
            folder, "followed", [pair.standard, *RECORD, *given, WITH_WORKSPACE]
        )
        built = self.compile([*WRAPPED, *objects, "-o", str(target), "-lm"], self.out)
        if not built.succeeded:
            raise FoundDifferent(f"{self.generated} does not link: {first_message(built)}")
        record = folder / "followed.record"
        record.unlink(missing_ok=True)
        finished = self.call(
            target, [str(folder / "found"), str(seed), "ws"], {"HLSMEM_RECORD": str(record)}
        )
        if not finished.succeeded:
            raise FoundDifferent(f"{self.function}_ws() recorded stops: {ending_of(finished)}")
        rows = np.fromfile(record, dtype=np.uint64) if record.exists() else np.zeros(0, np.uint64)
        return rows.reshape(-1, 2)

    @property
    def small_stack_kib(self) -> int:
        """The stack in which the generated C has to run: that of a thread, and its workspace."""
        return _THREAD_KIB + self.stack_kib

    def ends_in_small_stack(self, pair: Pair, folded_bytes: int) -> str | None:
        """Outcome of a run of the generated C in a small stack, "" where it ends well.

        None where the original needs more than that besides its arrays that are folded.
        """
        for entry in ("", "ws"):
            arguments = [str(SEEDS[0]), *([entry] if entry else [])]
            finished = self._in_stack(pair.generated, arguments, self.small_stack_kib)
            if not finished.succeeded:
                more = self.small_stack_kib + folded_bytes // 1024 + 1
                other = self._in_stack(pair.original, arguments[:1], more)
                return ending_of(finished) if other.succeeded else None
        return ""

    def _in_stack(self, program: Path, arguments: Sequence[str], kib: int) -> Finished:
        shell = ["/bin/sh", "-c", _SMALL_STACK, str(kib), str(program)]
        return run(
            [*shell, str(program.parent / "small"), *arguments],
            folder=program.parent,
            seconds=SECONDS,
            sandbox=self.sandbox(),
        )

    def footprint(self, pair: Pair, values: Mapping[str, int]) -> Footprint | None:
        """Memory of the generated C besides its workspace; None if the compiler is silent."""
        target = pair.folder / "footprint.s"
        flags = [pair.standard, *FLAGS, *self.generated_flags(values), "-w", *_LISTING]
        finished = self.compile([*flags, self.generated, "-o", str(target)], self.out)
        usage = target.with_suffix(".su")
        return footprint_of(target, usage) if finished.succeeded and usage.is_file() else None

    def kept(self, pair: Pair, size: Tool) -> int | None:
        """The bytes that the generated C keeps, by -Os, with what its workspace takes of malloc;
        None if the compiler is silent. Frames count as far as they are beyond scalars."""
        target = pair.folder / "small.o"
        flags = [pair.standard, *FLAGS, *self.generated_flags(pair.values), "-w", *_SMALL]
        finished = self.compile([*flags, self.generated, "-o", str(target)], self.out)
        usage = target.with_suffix(".su")
        if not finished.succeeded or not usage.is_file():
            return None
        command = [*size.command, str(target)]
        listed = run(command, folder=pair.folder, seconds=SECONDS, sandbox=self.sandbox())
        if not listed.succeeded:
            return None
        text = (self.out / self.generated).read_text(encoding="utf-8")
        asked = re.search(r"malloc\([^;]*?(\+ (\d+)u\))?(\)| :|;)", text)
        heap = 0
        if self.plan.ram is not None and self.plan.ram.where == "heap" and asked is not None:
            heap = len(self.workspace(pair, FILLS[0])) + int(asked[2] or 0)
        frames = frame_bytes(usage, self.scalars(pair))
        return static_bytes(listed.output) + frames + heap

    def scalars(self, pair: Pair) -> int:
        """Number of scalars that a frame may hold: arguments, or operands of one statement."""
        operands = (len(one.reads) for one in self.program.statements)
        return max(len(pair.interface.arguments), *operands, 0)

    def kept_by_the_original(self, pair: Pair) -> int | None:
        """The same of the objects that the kernel declares in its source, tables of constants not
        counted; None where a frame of it has no size, or the compiler is silent."""
        if self.kernel is None or self.tile is not None:
            return None
        target = pair.folder / "original_small.s"
        flags = [pair.standard, *FLAGS, "-w", "-Os", "-S", "-fstack-usage", "-o", str(target)]
        usage = target.with_suffix(".su")
        if not self.compile_original(pair.values, flags).succeeded or not usage.is_file():
            return None
        found = footprint_of(target, usage)
        frame = found.frames.get(self.kernel.name)
        if frame is None:
            return None
        own = {str(one.declaration.name) for one in self.kernel.variables.values()}
        own -= {name for name, one in self.program.arrays.items() if one.storage is Storage.ROM}
        static = sum(size for name, size in found.objects if name in own)
        return static + max(0, frame - scalar_bytes(self.scalars(pair)))

    def objects_of_the_original(
        self, pair: Pair, values: Mapping[str, int]
    ) -> list[tuple[str, int]]:
        """The static objects of the user's file that the generated C may have too."""
        target = pair.folder / "original.s"
        flags = [pair.standard, *FLAGS, "-w", *_LISTING, "-o", str(target)]
        if self.kernel is None or not self.compile_original(values, flags).succeeded:
            return []
        found = footprint_of(target, target.with_suffix(".su")).objects
        return [one for one in found if one[0] not in self.plan.arrays]

    def given(self, pair: Pair, seed: int = SEEDS[0]) -> Given:
        """The inputs of a seed, as `replay` takes them."""
        output = pair.folder / "expected"
        if self.kernel is not None:
            text = harness(pair.interface)
            return Given(caller=Caller(text=text, arguments=("found", str(seed))))
        self.call(pair.original, [str(output), str(seed), "inputs"])
        held, start, contents = output.read_bytes(), 0, {}
        for array in pair.interface.arrays:
            kind = numpy_type(array.type)
            end = start + array.elements * kind.itemsize
            # Patterns as the interpreter has them: integers extended by their sign to 64 bits.
            own = np.frombuffer(held[start:end], dtype=kind)
            if kind.kind == "f":
                own = own.view(f"u{kind.itemsize}")
            own = (
                own.astype(np.int64).view(np.uint64) if kind.kind == "i" else own.astype(np.uint64)
            )
            rank = len(self.program.arrays[array.name].index)
            contents[array.name] = own.reshape(array.extents if rank else ())
            start = end
        return Given(contents=contents)

    def _fills_workspace(self, values: Mapping[str, int]) -> bool:
        """True if any statement writes an array that has more than one cell."""
        return any(
            not fix_parameters(access.relation, values).is_empty()
            for statement in self.program.source.statements
            for access in statement.writes
            if self._cells(access.array) > 1
        )

    def _cells(self, array: str) -> int:
        """The cells of an array in C; 0 of one that is not folded."""
        own = self.plan.arrays.get(array)
        return 0 if own is None or own.host is None else own.host.words

    def interface(self, values: Mapping[str, int]) -> Interface:
        found = interface_of(self.program, values)
        drawn = inputs_of(replace(self.program.source, values=values))
        return with_inputs(found, drawn, self.inputs)

    def call(
        self,
        program: Path,
        arguments: Sequence[str],
        environment: Mapping[str, str] | None = None,
        *,
        seconds: float = SECONDS,
    ) -> Finished:
        """Run a program that was compiled here, in its folder. Raises LimitError."""
        return run(
            [str(program), *arguments],
            folder=program.parent,
            seconds=seconds,
            environment={"ASAN_OPTIONS": "detect_leaks=0", **(environment or {})},
            large_stack=True,
            sandbox=self.sandbox(),
        )

    def compared(self, column: Column, values: Mapping[str, int]) -> np.ndarray | None:
        """Mask of elements that must be equal: None for all; of planned arrays those live after."""
        name = self._array_of(column)
        array = self.program.arrays.get(name)
        if array is None or array.storage not in (Storage.MEMORY, Storage.STREAM):
            return None
        mask = np.zeros(column.extents, dtype=bool)
        for piece in sets_of(named(self.program.live_out, name)):
            found = self._in_c(name, points(fix_parameters(piece, values)), values)
            mask[tuple(found.T) if array.index else (0,)] = True
        return mask.reshape(-1)

    def _in_c(self, name: str, elements: np.ndarray, values: Mapping[str, int]) -> np.ndarray:
        """Elements by the subscripts that C has for them."""
        strides = self.kernel.variables[name].strides if self.kernel is not None else ()
        if not strides:
            return elements
        steps = [stride.evaluate(values) for stride in strides]
        return np.asarray(elements @ np.array([[*steps, 1]]).T)

    def _array_of(self, column: Column) -> str:
        """The array of the program that a column is; "" where it is none."""
        if self.kernel is None:
            return column.name
        variables = self.kernel.variables
        return next(
            (
                name
                for name, one in variables.items()
                if self.program.arrays[name].is_parameter
                and (one.declaration.name, *one.members) == column.path
            ),
            "",
        )

    def original_warns(self, pair: Pair) -> bool:
        if self.kernel is None:
            return False
        target = str(pair.folder / "original.o")
        flags = [pair.standard, *FLAGS, *_WARNINGS, *_NOT_THE_USERS, "-Werror", "-c"]
        return not self.compile_original(pair.values, [*flags, "-o", target]).succeeded


def _changed(pair: Pair, before: Path | None, found: Path) -> str | None:
    """The first element of a planned array that a tile changes and does not leave, in words."""
    if before is None:
        return None
    held = {name: None if mask is None else ~mask for name, mask in pair.masks.items()}
    given = {
        column.name: np.zeros(prod(column.extents), dtype=bool)
        for array in pair.interface.arrays
        for column in columns(array)
    }
    kept = {name: given[name] if mask is None else mask for name, mask in held.items()}
    other = difference(pair.interface, kept, before, found)
    return other and f"{other.partition(',')[0]}, which does not leave the tile and has to stay"


def values_text(values: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def ending_of(finished: Finished) -> str:
    """Outcome of a run, in one line."""
    if finished.status == 3:
        return f"something was written outside {finished.errors.strip()}"
    lines = finished.errors.strip().splitlines()
    telling = [line for line in lines if "ERROR: " in line or "runtime error: " in line]
    return telling[0].strip() if telling else ending(finished)


def _first_warning(finished: Finished) -> str | None:
    """The first warning on the generated files; the harness is no business of theirs."""
    lines = finished.errors.splitlines()
    return next((line for line in lines if re.match(r"host/.*: warning: ", line)), None)
