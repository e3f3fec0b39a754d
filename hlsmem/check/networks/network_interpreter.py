"""The C text of an interpreter for a process network: one function a statement, one table.

Every element has a 64-bit word of its own in `store`; word 0 stands for an operand that is
not read. A row of `table` is one instance: its moment, its statement, the words it reads and
writes, its iterators, where in `looked` its filter is (-1: none). Rows come in schedule order; at
one moment all reads come first. `looked` has a filter as its number, then for each entry how many
elements it looks at and their words; `seen` is the same long and gets whether the instance ran,
for each entry whether it was looked at, and the values found there.
"""

from __future__ import annotations

from collections.abc import Mapping

from hlsmem.check.c_runs.c_programs import NOW, entering
from hlsmem.check.c_trees.clang_file import NotUnderstood
from hlsmem.check.networks.predicate_columns import ARITHMETIC, NO_ARITHMETIC, test_in_c
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.polyhedra import DimType
from hlsmem.program.model import Array, Copy, KernelBody, Mix, NetworkBody, Program, Statement


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns of the table: the most operands read and written, and iterators, of a statement."""

    reads: int
    writes: int
    depth: int

    @property
    def operands(self) -> int:
        return self.reads + self.writes

    @property
    def columns(self) -> int:
        """All columns: moment and statement come first, the place of the filter last."""
        return 3 + self.operands + self.depth


def interpreter(program: Program, layout: Layout) -> str:
    """A program called with the files table and looked, then for each run four files more.

    These are store, forced, patterns and seen; it writes the last two. `patterns` gets the 64-bit
    patterns of all operands of each row, reads before writes. `forced`, where it is not empty,
    says for each operand that a row writes whether something else is written, and what.
    Raises NotUnderstood for a statement that has no body of a network.
    """
    functions = []
    cases, tests, conditions = [], [], list[str]()
    for number, statement in enumerate(program.statements):
        functions.append(_function(program, number, statement, layout))
        for which in range(len(statement.filters)):
            loads = ["store[{}]"] * len(statement.filters[which].accesses)
            name = f"hlsmem_runs_{number}_{which}"
            conditions.append(test_in_c(name, statement.filters[which], program.values, loads))
            call = f"{name}(at, look, saw, store)"
            tests.append(f"            case {number} * 1024 + {which}: saw[0] = {call}; break;")
        at = f"own, own + {layout.reads}, row + {2 + layout.operands}, store, row + 2"
        cases.append(f"            case {number}: hlsmem_{number}({at}); break;")
    main = _MAIN.format(
        columns=layout.columns,
        operands=layout.operands,
        reads=layout.reads,
        cases="\n".join(cases),
        tests="\n".join(tests),
        writes=layout.writes,
        filter=layout.columns - 1,
        at=2 + layout.operands,
        enter=entering("row[1]"),
    )
    code = "\n".join(declared(program, program.values)) + "\n"
    if conditions:
        code = "\n".join([ARITHMETIC, *conditions, NO_ARITHMETIC, code])
    return _PRELUDE + code + NOW + "\n" + "\n".join(functions) + "\n" + main


def declared(program: Program, values: Mapping[str, int]) -> list[str]:
    """C that the bodies of a network count on: the parameters that they name, and its code."""
    bodies = [one.body for one in program.statements if isinstance(one.body, NetworkBody)]
    used = {name for body in bodies for name in body.parameters}
    code = program.code
    used |= set(code.parameters) if code else set()
    lines = [f"enum {{ {name} = {value} }};" for name, value in values.items() if name in used]
    return lines if code is None else [*code.includes, *lines, *code.declarations]


def _function(program: Program, number: int, statement: Statement, layout: Layout) -> str:
    """C function of one instance: from patterns to patterns."""
    match statement.body:
        case NetworkBody() as given:
            lines = _body_lines(program, statement, given)
        case Mix():
            lines = _mix_lines(program, statement)
        case Copy():
            # An arrival writes what its element holds before anything runs.
            lines = [
                f"hlsmem_out[{position}] = hlsmem_store[hlsmem_slots[{layout.reads + position}]];"
                for position in range(len(statement.writes))
            ]
        case KernelBody():
            raise NotUnderstood(f"{statement.name} has a kernel's body in a network")
    arguments = (
        "const uint64_t *hlsmem_in, uint64_t *hlsmem_out, const int64_t *hlsmem_at, "
        "const uint64_t *hlsmem_store, const int64_t *hlsmem_slots"
    )
    body = "\n".join(f"    {line}" for line in lines)
    return f"static void hlsmem_{number}({arguments})\n{{\n{body}\n}}"


def _body_lines(program: Program, statement: Statement, body: NetworkBody) -> list[str]:
    lines = [
        f"const int64_t {name} = hlsmem_at[{statement.iterators.index(name)}];"
        for name in body.iterators
    ]
    for position, access in enumerate(statement.reads):
        element = program.arrays[access.array].element
        value = f"({element.c_name})hlsmem_in[{position}]"
        if element.is_float:
            value = f"hlsmem_{element.name}(hlsmem_in[{position}])"
        lines.append(f"const {element.c_name} a{position} = {value};")
    for name in dict.fromkeys(access.array for access in statement.writes):
        lines.append(f"{program.arrays[name].element.c_name} {name} = 0;")
    lines += ["{", f"{body.text};", "}"]
    for position, access in enumerate(statement.writes):
        pattern = _pattern(program.arrays[access.array], access.array)
        lines.append(f"hlsmem_out[{position}] = {pattern};")
    return lines


def _mix_lines(program: Program, statement: Statement) -> list[str]:
    words = [f"{byte}u" for byte in statement.name.encode()]
    words += [
        f"(uint32_t)hlsmem_at[{position}]" for position in range(statement.domain.dim(DimType.set))
    ]
    for position in range(len(statement.reads)):
        words.append(f"(uint32_t)hlsmem_in[{position}]")
        words.append(f"(uint32_t)(hlsmem_in[{position}] >> 32)")
    lines = ["uint32_t hlsmem_h = 2166136261u;"]
    lines += [f"hlsmem_h = hlsmem_absorb(hlsmem_h, {word});" for word in words]
    for position, access in enumerate(statement.writes):
        array = program.arrays[access.array]
        value = {"float": "hlsmem_h >> 8", "double": "hlsmem_h"}.get(
            array.element.name, "((uint64_t)hlsmem_h << 32 | hlsmem_h)"
        )
        lines.append(f"hlsmem_out[{position}] = {_pattern(array, value)};")
    return lines


def _pattern(array: Array, value: str) -> str:
    """The 64-bit pattern of a C value converted to the array's element type."""
    element = array.element
    if element.is_float:
        return f"hlsmem_of_{element.name}(({element.name})({value}))"
    sign = "signed" if element.is_signed else "unsigned"
    return f"hlsmem_of_{sign}((uint64_t)({value}), {element.bits})"


_PRELUDE = """\
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static float hlsmem_float(uint64_t pattern)
{
    uint32_t low = (uint32_t)pattern;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}
static double hlsmem_double(uint64_t pattern)
{
    double value;
    memcpy(&value, &pattern, sizeof value);
    return value;
}
static uint64_t hlsmem_of_float(float value)
{
    uint32_t low;
    memcpy(&low, &value, sizeof low);
    return low;
}
static uint64_t hlsmem_of_double(double value)
{
    uint64_t pattern;
    memcpy(&pattern, &value, sizeof pattern);
    return pattern;
}
static uint64_t hlsmem_of_unsigned(uint64_t value, int bits)
{
    return bits == 64 ? value : value & (((uint64_t)1 << bits) - 1);
}
static uint64_t hlsmem_of_signed(uint64_t value, int bits)
{
    uint64_t low = hlsmem_of_unsigned(value, bits);
    uint64_t sign = (uint64_t)1 << (bits - 1);
    return bits == 64 ? low : (low ^ sign) - sign;
}
static uint32_t hlsmem_absorb(uint32_t state, uint32_t word)
{
    state = (state ^ word) * 16777619u;
    return state ^ (state >> 15);
}
"""

_MAIN = """\
static void *hlsmem_load(const char *name, size_t *bytes)
{{
    FILE *file = fopen(name, "rb");
    fseek(file, 0, SEEK_END);
    *bytes = (size_t)ftell(file);
    rewind(file);
    void *content = malloc(*bytes + 1);
    if (fread(content, 1, *bytes, file) != *bytes)
        exit(2);
    fclose(file);
    return content;
}}

static int hlsmem_run(
    const int64_t *table, size_t count, const int64_t *looked, size_t looked_bytes, char **names)
{{
    size_t store_bytes, forced_bytes;
    uint64_t *store = hlsmem_load(names[0], &store_bytes);
    int64_t *forced = hlsmem_load(names[1], &forced_bytes);
    uint64_t *patterns = calloc(count * {operands} + 1, sizeof *patterns);
    int64_t *seen = calloc(looked_bytes + 1, 1);
    for (size_t first = 0, end; first < count; first = end) {{
        int64_t moment = table[first * {columns}];
        for (end = first; end < count && table[end * {columns}] == moment; end++) {{
            const int64_t *row = &table[end * {columns}];
            uint64_t *own = &patterns[end * {operands}];
            if (row[{filter}] >= 0) {{
                const int64_t *look = looked + row[{filter}], *at = row + {at};
                int64_t *saw = seen + row[{filter}];
                (void)at;
                switch (row[1] * 1024 + look[0]) {{
{tests}
                }}
                if (!saw[0])
                    continue;
            }}
            for (int k = 0; k < {reads}; k++)
                own[k] = store[row[2 + k]];
            {enter}
            switch (row[1]) {{
{cases}
            }}
            if (forced_bytes)
                for (int k = 0; k < {writes}; k++)
                    if (forced[(end * {writes} + k) * 2])
                        own[{reads} + k] = (uint64_t)forced[(end * {writes} + k) * 2 + 1];
        }}
        for (size_t i = first; i < end; i++)
            for (int k = {reads}; k < {operands}; k++) {{
                const int64_t *row = &table[i * {columns}];
                if (row[2 + k] && (row[{filter}] < 0 || seen[row[{filter}]]))
                    store[row[2 + k]] = patterns[i * {operands} + k];
            }}
    }}
    FILE *file = fopen(names[2], "wb");
    fwrite(patterns, sizeof *patterns, count * {operands}, file);
    fclose(file);
    file = fopen(names[3], "wb");
    fwrite(seen, 1, looked_bytes, file);
    free(store);
    free(forced);
    free(patterns);
    free(seen);
    return fclose(file);
}}

int main(int argc, char **argv)
{{
    size_t table_bytes, looked_bytes;
    const int64_t *table = hlsmem_load(argv[1], &table_bytes);
    const int64_t *looked = hlsmem_load(argv[2], &looked_bytes);
    size_t count = table_bytes / sizeof(int64_t) / {columns};
    int trouble = 0;
    for (int first = 3; first + 3 < argc; first += 4)
        trouble |= hlsmem_run(table, count, looked, looked_bytes, argv + first);
    return trouble;
}}
"""
