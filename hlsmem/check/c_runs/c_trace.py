"""The run of the original C at the plan's parameters: compiled by gcc, every access recorded.

Parameters get pseudo-random contents; what the kernel then reads and writes is the truth the
folded memories are compared with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import numpy as np

from hlsmem.check.c_runs.c_programs import compile_c, run_program
from hlsmem.check.c_runs.c_types import Types
from hlsmem.check.c_runs.condition_outcomes import (
    DRAWN,
    FAIL,
    HOLD,
    BrokenPromise,
    Choices,
    Outcome,
)
from hlsmem.check.c_runs.run_inputs import Inputs
from hlsmem.check.c_trees import written_c
from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.c_trees.instrumented_c import (
    BEGIN,
    LOOK,
    RAN,
    WRITE,
    Instrumented,
    instrument,
)
from hlsmem.check.replayed.run_events import Accesses, Run
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.watchdog import scratch
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.generated_loops import condition_in_c
from hlsmem.program.model import Array, Kernel

# Rows of an argument that the program does not access and whose C type gives no size.
_ROWS_OF_NO_SIZE = 1 << 16
# Records of a trace that are read at once.
_RECORDS = 1 << 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """The iterations of a run that are recorded: by statement, in textual order, a set.

    The run ends after `count` of them.
    """

    instances: tuple[Any, ...] = field(compare=False)
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A C program in place of ours that calls the kernel once, and its arguments."""

    text: str
    arguments: tuple[str, ...]


def trace_runs(
    kernel: Kernel,
    *,
    values: Mapping[str, int],
    planned: Sequence[Array],
    rows: Mapping[str, int],
    beginning: Beginning | None = None,
    caller: Caller | None = None,
    before: int = 0,
    looked_up: Sequence[frozenset[str]] = (),
    guarded: frozenset[int] = frozenset(),
    filtered: frozenset[int] = frozenset(),
    outcomes: Sequence[Outcome | None] = (None,),
    choices: Mapping[str, Choices] | None = None,
    inputs: Mapping[str, Inputs] | None = None,
) -> Iterator[Run]:
    """The runs of a kernel, its accesses to the `planned` arrays; of a `beginning`, that alone.

    `before` calls with the same arguments come first, of which nothing is recorded.
    `rows` are the first extents of those parameter arrays whose C type does not say. With a
    `caller` the kernel gets what that gives it, else random contents of ours. Statements
    are numbered in textual order and named by their label, else S<number>; `looked_up` has for
    each the arrays that it reads to find elements, `guarded` are those under an `if` on data, and
    `filtered` those of them with filters. There is a run for each of the `outcomes`, for which
    `choices` has the arrays that filters look at; `inputs` says what arrays hold at first that
    conditions depend on. Raises NotUnderstood, BrokenPromise, or
    ToolError without a compiler.
    """
    choices = choices or {}
    numbers = {name: number for number, name in enumerate(choices)}
    strides = _strides(kernel, planned, values)
    ranks = _ranks(kernel, planned, strides)
    with scratch("hlsmem-replay-") as folder:
        traced = _instrumented(
            kernel,
            folder / "design",
            values=values,
            ranks=ranks,
            looked_up=looked_up,
            guarded=guarded,
            filtered=filtered,
            played=numbers,
        )
        width = max(1, *ranks.values(), *(len(one.iterators) for one in traced.statements))
        contents = _first_contents(kernel, inputs or {}, numbers)
        text = _called_text(traced)
        if caller is None:
            text = _kernel_text(traced, values, rows, contents, before)
        runtime = _RUNTIME.format(
            record=3 + width, wanted=_wanted_text(beginning), choices=_choices_text(choices)
        )
        program, trace = _compiled(folder, text, runtime, caller), folder / "trace"
        names = {number: one.label or f"S{number}" for number, one in enumerate(traced.statements)}
        for outcome in outcomes:
            arguments = [str(trace)] if caller is None else list(caller.arguments)
            if outcome is not None and caller is None:
                arguments += [str(outcome.seed), str(_KINDS[outcome.kind])]
            _run_to_its_end(program, arguments, folder / "broken", names, traced)
            run = _run_of(traced, trace, 3 + width, ranks)
            yield _of_planned(run, planned, kernel, strides, filtered)


def _of_planned(
    run: Run,
    planned: Sequence[Array],
    kernel: Kernel,
    strides: Mapping[str, Sequence[int]],
    filtered: frozenset[int],
) -> Run:
    """A run with the subscripts of the program in its accesses, and which instances ran."""
    accesses, predicate_reads = (
        {one.name: _of_program(one, made[one.name], kernel, run, strides) for one in planned}
        for made in (run.accesses, run.predicate_reads)
    )
    ran = _ran(run.statement, run.ran, filtered)
    return replace(run, ran=ran, accesses=accesses, predicate_reads=predicate_reads)


def _ranks(
    kernel: Kernel, planned: Sequence[Array], strides: Mapping[str, Sequence[int]]
) -> dict[str, int]:
    """The subscripts of an access to each array in the trace; conditions have none."""
    return {
        a.name: 0 if a.name in kernel.conditions else len(a.index) - len(strides.get(a.name, ()))
        for a in planned
    }


def _compiled(folder: Path, text: str, runtime: str, caller: Caller | None) -> Path:
    """The program of a traced text and its runtime, called by a `caller` where there is one."""
    files = {"traced.c": text, "runtime.c": runtime}
    if caller is not None:
        files["caller.c"] = caller.text + _CALLED
    for file, content in files.items():
        (folder / file).write_text(content, encoding="utf-8")
    program = folder / "traced"
    compile_c(folder, list(files), program)
    return program


def _first_contents(
    kernel: Kernel, inputs: Mapping[str, Inputs], numbers: Mapping[str, int]
) -> dict[str, _Contents]:
    """Initial contents of arrays that conditions depend on, by the names that C has for them."""
    return {
        str(variable.declaration.name): _Contents(inputs[name], numbers.get(name))
        for name, variable in kernel.variables.items()
        if name in inputs and not variable.members
    }


def _strides(
    kernel: Kernel, planned: Sequence[Array], values: Mapping[str, int]
) -> dict[str, list[int]]:
    """The strides of arrays whose subscripts in C are sums of several of the program's."""
    return {
        array.name: [stride.evaluate(values) for stride in variable.strides]
        for array in planned
        if (variable := kernel.variables.get(array.name)) is not None
    }


def _instrumented(kernel: Kernel, folder: Path, **asked: Any) -> Instrumented:
    """The kernel as text that records its accesses, with its sources in a new folder.

    What was rewritten is followed in normal form: `reading` compares that with the user's.
    """
    for source in kernel.sources:
        file = folder / source.name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source.text, encoding="utf-8")
    if not (kernel.stages or kernel.others):
        return instrument(folder, kernel.file, kernel.name, cflags=kernel.cflags, **asked)
    (folder / "normal.c").write_text(kernel.normal, encoding="utf-8")
    return instrument(folder, "normal.c", kernel.name, cflags=(), **asked)


def _run_to_its_end(
    program: Path,
    arguments: Sequence[str],
    broken: Path,
    names: Mapping[int, str],
    traced: Instrumented,
) -> None:
    """Run a recording program; in the file `broken` it says which promise did not hold."""
    trouble = run_program(program, arguments)
    if broken.is_file():
        raise BrokenPromise(_broken_text(broken.read_text(encoding="utf-8"), names, traced))
    if trouble:
        raise NotUnderstood(f"running it ended with {trouble}")


def _of_program(
    array: Array, made: Accesses, kernel: Kernel, run: Run, strides: Mapping[str, Sequence[int]]
) -> Accesses:
    """Accesses to an array with the subscripts that the program has, in place of those of C."""
    if array.name in kernel.conditions:  # one variable in C: each turn has its own
        return replace(made, element=run.iterators[made.instance, : len(array.index)])
    return replace(made, element=_in_rows(made.element, strides.get(array.name, ())))


_KINDS = {DRAWN: 0, HOLD: 1, FAIL: 2}


def _ran(
    statement: np.ndarray, ran: np.ndarray | None, filtered: frozenset[int]
) -> np.ndarray | None:
    """Mask of the instances that ran: those without filters, and those recorded as run."""
    if not filtered or ran is None:
        return None
    found: np.ndarray = ~np.isin(statement, sorted(filtered)) | ran
    return found


def _choices_text(choices: Mapping[str, Choices]) -> str:
    """C tables of the values that elements of arrays get, by the arrays' numbers."""
    rows = [
        f'{{ "{name}",'
        f" {_number_of(one.low)}, {_number_of(one.high)}, {len(one.runs)}, {len(one.stays)},"
        f" {{ {', '.join(map(_number_of, [*one.runs, *one.stays, 0]))} }} }}"
        for name, one in choices.items()
    ]
    most = max((len(one.runs) + len(one.stays) for one in choices.values()), default=0)
    empty = '{ "", 0, 0, 0, 0, { 0 } }'
    return _CHOICES.format(most=most + 1, rows=", ".join(rows or [empty]))


def _number_of(value: int) -> str:
    """A literal of type long long, or unsigned beyond it."""
    if value == -(2**63):
        return "(-9223372036854775807LL - 1)"
    return f"{value}LL" if value < 2**63 else "9223372036854775807LL"


def _broken_text(said: str, names: Mapping[int, str], traced: Instrumented) -> str:
    """A broken promise in words, from the output of a run: statement, iteration, and the text."""
    number, *rest = said.split("\n")[0].split()
    iterators = traced.statements[int(number)].iterators
    at = ", ".join(f"{name}={value}" for name, value in zip(iterators, rest, strict=False))
    text = said.partition("\n")[2].strip().removeprefix("!").strip('"')
    return f"{names[int(number)]}({at}): {text}"


def _in_rows(elements: np.ndarray, strides: Sequence[int]) -> np.ndarray:
    """Subscripts of arrays that C has in one dimension, as those of rows and columns."""
    found: list[np.ndarray] = []
    for stride in strides:
        row, rest = np.divmod(elements[:, -1:], stride)
        found, elements = [*found, row], rest
    return np.concatenate([*found, elements], axis=1)


def _run_of(traced: Instrumented, trace: Path, width: int, ranks: Mapping[str, int]) -> Run:
    """The run in a file of records of so many words, read in chunks: records are wide."""
    of_array = {
        array: np.array([access.array == array for access in traced.accesses] + [False])
        for array in ranks
    }
    begun = 0
    statements: list[np.ndarray] = []
    ran: list[np.ndarray] = []
    iterators: list[np.ndarray] = []
    accesses: dict[str, list[Accesses]] = {array: [] for array in ranks}
    predicate_reads: dict[str, list[Accesses]] = {array: [] for array in ranks}
    with trace.open("rb") as file:
        while len(words := np.fromfile(file, dtype=np.int64, count=_RECORDS * width)):
            records = words.reshape(-1, width)
            begins = records[:, 0] == BEGIN
            instance = begun - 1 + np.cumsum(begins)
            begun += int(begins.sum())
            statements.append(records[begins, 1].astype(np.int32))
            ran.append(instance[records[:, 0] == RAN].astype(np.int64))
            iterators.append(records[begins, 3:].astype(np.int32))
            identifier = np.where(begins | (records[:, 0] == RAN), -1, records[:, 1])
            predicate_reading = records[:, 0] == LOOK
            for array, rank in ranks.items():
                own = of_array[array][identifier]
                for kept, chosen in (
                    (accesses, own & ~predicate_reading),
                    (predicate_reads, own & predicate_reading),
                ):
                    kept[array].append(
                        Accesses(
                            instance=instance[chosen].astype(np.int32),
                            write=records[chosen, 0] == WRITE,
                            element=records[chosen, 3 : 3 + rank].astype(np.int32),
                            bits=records[chosen, 2].copy(),
                        )
                    )
    none = np.zeros((0, width - 3), dtype=np.int32)
    told = np.zeros(begun, dtype=bool)
    told[np.concatenate([np.zeros(0, dtype=np.int64), *ran])] = True
    return Run(
        ran=told,
        statements=tuple(
            statement.label or f"S{number}" for number, statement in enumerate(traced.statements)
        ),
        depths=tuple(len(statement.iterators) for statement in traced.statements),
        statement=np.concatenate([none[:, 0], *statements]),
        iterators=np.concatenate([none, *iterators]),
        accesses={array: _all_of(parts, ranks[array]) for array, parts in accesses.items()},
        predicate_reads={
            array: _all_of(parts, ranks[array]) for array, parts in predicate_reads.items()
        },
    )


def _all_of(parts: list[Accesses], rank: int) -> Accesses:
    """The accesses of all parts, column by column, so that no column is there twice for long."""
    none = np.zeros((0, rank), dtype=np.int32)
    return Accesses(
        instance=np.concatenate([none[:, :0].reshape(-1), *(one.instance for one in parts)]),
        write=np.concatenate([np.zeros(0, dtype=bool), *(one.write for one in parts)]),
        element=np.concatenate([none, *(one.element for one in parts)]),
        bits=np.concatenate([np.zeros(0, dtype=np.int64), *(one.bits for one in parts)]),
    )


# The C around the kernel: trace calls in front, a main that makes the arguments behind. The
# kernel's file sees no header it does not include itself; the rest is a file of its own.

_PRELUDE = """\
{includes}

void hlsmem_start(const char *file);
int hlsmem_end(void);
void hlsmem_quiet(int on);
void *hlsmem_make(unsigned long bytes);
unsigned hlsmem_random(void);
void hlsmem_put(long long kind, long long id, const volatile void *at, unsigned long bytes,
                int count, const long long *values);
void *hlsmem_note(long long kind, long long id, const volatile void *at, unsigned long bytes,
                  int count, const long long *values);
long long hlsmem_play(int array, long long own);
long long hlsmem_draw(int array, long long own);
int hlsmem_edge(void);
void hlsmem_broken(const char *text);
#ifdef assert
#undef assert
#define assert(e) ((e) ? (void)0 : hlsmem_broken(#e))
#endif
#define HLSMEM_LIST(...) \\
    (int)(sizeof (long long[]){{ __VA_ARGS__ }} / sizeof(long long)), \\
    (const long long[]){{ __VA_ARGS__ }}
#define HLSMEM_BEGIN(id, ...) hlsmem_put(0, id, 0, 0, HLSMEM_LIST(__VA_ARGS__))
#define HLSMEM_READ(id, e, ...) \\
    (*(__typeof__(&(e)))hlsmem_note(1, id, &(e), sizeof(e), HLSMEM_LIST(__VA_ARGS__)))
#define HLSMEM_LOOK(id, e, ...) \\
    (*(__typeof__(&(e)))hlsmem_note(4, id, &(e), sizeof(e), HLSMEM_LIST(__VA_ARGS__)))
#define HLSMEM_RAN(id, zero, ...) hlsmem_put(3, id, 0, 0, HLSMEM_LIST(zero))
#define HLSMEM_PLAY(id, e) ((e) = (__typeof__(e))hlsmem_play(id, (long long)(e)))
#define HLSMEM_WRITE(id, e, ...) hlsmem_put(2, id, &(e), sizeof(e), HLSMEM_LIST(__VA_ARGS__))

"""

_MAIN = """\

/* Small positive numbers: nothing overflows at once, and no two neighbours are equal. */
#define HLSMEM_VALUE(type) \\
    ((type)0.5 != 0 ? (type)(0.5 + hlsmem_random() / 4294967296.0) \\
                    : (type)(1 + hlsmem_random() % (sizeof(type) == 1 ? 127 : 1000)))

void hlsmem_choose(const char *seed, const char *kind);
int main(int argc, char **argv)
{{
    if (argc < 2)
        return 2;
    hlsmem_start(argv[1]);
    if (argc > 3)
        hlsmem_choose(argv[2], argv[3]);
    {{
{body}
    }}
    return hlsmem_end();
}}
"""

_RUNTIME = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *trace;
static int quiet;
static unsigned state = 2463534242u;

void hlsmem_start(const char *file)
{{
    trace = fopen(file, "wb");
    if (!trace)
        exit(2);
}}
int hlsmem_end(void)
{{
    return fclose(trace) ? 3 : 0;
}}
void hlsmem_quiet(int on)
{{
    quiet = on;
}}
void *hlsmem_make(unsigned long bytes)
{{
    void *made = calloc(bytes + 1, 1);
    if (!made)
        exit(4);
    return made;
}}
unsigned hlsmem_random(void)
{{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}}
{wanted}
{choices}
static long long begun[{record}];
void hlsmem_put(long long kind, long long id, const volatile void *at, unsigned long bytes,
                int count, const long long *values)
{{
    long long record[{record}] = {{ kind, id }};
    if (quiet)
        return;
    if (kind == 0) {{
        begin(id, values + 1);
        begun[0] = id;
        for (int i = 1; i < count; i++)
            begun[i] = values[i];
    }}
    if (!wanted)
        return;
    if (at)
        memcpy(&record[2], (const void *)at, bytes < 8 ? bytes : 8);
    for (int i = 1; i < count; i++)
        record[2 + i] = values[i];
    fwrite(record, sizeof record, 1, trace);
}}
void *hlsmem_note(long long kind, long long id, const volatile void *at, unsigned long bytes,
                  int count, const long long *values)
{{
    hlsmem_put(kind, id, at, bytes, count, values);
    return (void *)at;
}}
/* A promise of the design does not hold; where outcomes are forced, those of loops may not. */
void hlsmem_broken(const char *text)
{{
    if (chosen && text[0] == '!' && text[1] == '"')
        return;
    FILE *file = fopen("broken", "w");
    for (int i = 0; i < {record}; i++)
        fprintf(file, "%lld ", begun[i]);
    fprintf(file, "\\n%s\\n", text);
    fclose(file);
    exit(5);
}}
"""

_CHOICES = """\
/* What elements that filters look at hold: of all values, those that let instances run. */
static const struct {{
    const char *name;
    long long least, most;
    int runs, stays;
    long long of[{most}];
}} choices[] = {{ {rows} }};
static int chosen;
void hlsmem_broken(const char *text);
void hlsmem_choose(const char *seed, const char *kind)
{{
    state = 2463534242u + 2654435761u * (unsigned)atoi(seed);
    chosen = atoi(kind);
}}
static long long one_of(int array)
{{
    int runs = chosen == 2 ? 0 : choices[array].runs;
    int stays = chosen == 1 ? 0 : choices[array].stays;
    if (runs + stays == 0)
        runs = choices[array].runs, stays = choices[array].stays;
    int skipped = runs ? 0 : choices[array].runs;
    return choices[array].of[skipped + (int)(hlsmem_random() % (unsigned)(runs + stays))];
}}
/* What a program writes, or something else where an outcome is forced. */
long long hlsmem_play(int array, long long own)
{{
    if (chosen)
        return one_of(array);
    if (own < choices[array].least || own > choices[array].most) {{
        char text[200];
        snprintf(text, sizeof text, "%lld is written to %s, which is promised %lld to %lld", own,
                 choices[array].name, choices[array].least, choices[array].most);
        hlsmem_broken(text);
    }}
    return own;
}}
/* What an input holds where an outcome is forced; else one that is drawn. */
long long hlsmem_draw(int array, long long own)
{{
    return chosen ? one_of(array) : own;
}}
/* Whether an input is beside a value at which conditions change: every second one is. */
int hlsmem_edge(void)
{{
    return !chosen && hlsmem_random() % 2;
}}
"""


_CALLED = """
void hlsmem_start(const char *file);
int hlsmem_end(void);
__attribute__((constructor)) static void open_trace(void) { hlsmem_start("trace"); }
__attribute__((destructor)) static void close_trace(void) { hlsmem_end(); }
"""

_EVERYTHING = """\
static const int wanted = 1;
static void begin(long long id, const long long *at) { }
"""

_BEGINNING = """\
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
static int wanted;
static long long left = %d;

/* Whether this instance is recorded; the run ends behind the last one that is. */
static void begin(long long id, const long long *at)
{
    if (!left)
        exit(hlsmem_end());
    wanted = 0;
    switch (id) {
%s
    }
    left -= wanted;
}
"""


def _wanted_text(beginning: Beginning | None) -> str:
    """C that says of each instance whether it is recorded."""
    if beginning is None:
        return _EVERYTHING
    cases = []
    for number, points in enumerate(beginning.instances):
        names = [f"i{k}" for k in range(points.dim(DimType.set))]
        declared = "".join(f" const long long {name} = at[{k}];" for k, name in enumerate(names))
        condition = condition_in_c(points, names)
        cases.append(f"    case {number}: {{{declared} wanted = {condition}; break; }}")
    return _BEGINNING % (beginning.count, "\n".join(cases))


def _kernel_text(
    traced: Instrumented,
    values: Mapping[str, int],
    rows: Mapping[str, int],
    contents: Mapping[str, _Contents],
    before: int,
) -> str:
    prelude = _PRELUDE.format(includes="\n".join(traced.includes))
    types = Types(traced.tree)
    lines = []
    for variable in traced.globals:  # file-level variables get contents like parameters
        lines += _drawn(types.fill(variable.name, variable.type), contents.get(variable.name))
    *given, call = _argument_lines(traced.function, types, values, rows, contents)
    lines += given
    if before:
        lines += ["hlsmem_quiet(1);", *[call] * before, "hlsmem_quiet(0);"]
    lines.append(call)
    body = "\n".join(f"        {line}" for line in lines)
    return prelude + traced.text + _MAIN.format(body=body)


@dataclass(frozen=True, slots=True)
class _Contents:
    """Initial contents of an array; `number` is its own where filters read it."""

    inputs: Inputs
    number: int | None

    def value(self, kind: str, own: str) -> str:
        """C for an element; `own` is C for one of its type."""
        if self.inputs.range is not None:
            low, high = map(int, self.inputs.range)
            many = f"({_number_of(high)} - {_number_of(low)} + 1ULL)"
            own = f"({_number_of(low)} + (long long)(hlsmem_random() % {many}))"
        text = self.inputs.in_c(
            kind, own, lambda many: f"hlsmem_random() % {many}u", "hlsmem_edge()"
        )
        return text if self.number is None else f"hlsmem_draw({self.number}, {text})"


def _drawn(lines: list[str], contents: _Contents | None) -> list[str]:
    """Lines that give the elements of an array values, of one that conditions need its own."""
    if contents is None:
        return lines
    found = []
    for line in lines:
        own = re.search(r"= (HLSMEM_VALUE\((.*)\));$", line)
        found.append(f"{line[: own.start()]}= {contents.value(own[2], own[1])};" if own else line)
    return found


def _called_text(traced: Instrumented) -> str:
    """The kernel alone, to be called from elsewhere."""
    return _PRELUDE.format(includes="\n".join(traced.includes)) + traced.text


def _argument_lines(
    function: Any,
    types: Types,
    values: Mapping[str, int],
    rows: Mapping[str, int],
    contents: Mapping[str, _Contents],
) -> list[str]:
    """Declarations of the arguments, scalars first since sizes may use them, and the call."""
    parameters = function.decl.type.args.params if function.decl.type.args else []
    parameters = [parameter for parameter in parameters if isinstance(parameter, written_c.Decl)]
    scalars, arrays = [], []
    for parameter in parameters:
        element, extents = types.unfolded(parameter.type)
        base, name = types.text(element), parameter.name
        if base is None:
            raise NotUnderstood(f"{parameter.place}: parameter {name!r} has no plain type")
        if not extents:
            scalars.append(f"{base} {name};")
            own = _drawn(types.fill(name, element), contents.get(name))
            scalars += [f"{name} = {values[name]};"] if name in values else own
            continue
        count = _elements_text(parameter, extents, rows)
        base = "char" if base == "void" else base
        arrays += [
            f"{base} *{name} = hlsmem_make(sizeof({base}) * (unsigned long)({count}));",
            f"for (unsigned long hlsmem_i = 0; hlsmem_i < (unsigned long)({count}); hlsmem_i++) {{",
            *_drawn(types.fill(f"{name}[hlsmem_i]", element), contents.get(name)),
            "}",
        ]
    names = ", ".join(
        f"(void *){p.name}" if types.unfolded(p.type)[1] else p.name for p in parameters
    )
    return [*scalars, *arrays, f"{function.decl.name}({names});"]


def _elements_text(parameter: Any, extents: Sequence[str | None], rows: Mapping[str, int]) -> str:
    """The elements of an array argument as C text.

    What the program does not access has no size there, but code around it may use it.
    """
    known = [f"({extent})" for extent in extents if extent is not None]
    if None not in extents:
        return " * ".join(known)
    if len(known) + 1 < len(extents):
        raise NotUnderstood(f"{parameter.place}: parameter {parameter.name!r} has no size")
    return " * ".join([str(rows.get(parameter.name, _ROWS_OF_NO_SIZE)), *known])
