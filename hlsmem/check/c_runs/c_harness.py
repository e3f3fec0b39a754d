"""The C program that calls a kernel once with pseudo-random inputs and writes what it leaves.

The same program is linked with the original and with the generated C. It calls both without
their prototypes: arrays go as void *, which every system that compilers here support allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hlsmem.check.c_runs.c_interface import Argument, Interface, Member
from hlsmem.check.c_runs.run_inputs import Inputs
from hlsmem.core.lazy_dataclass import dataclass

UNTOUCHED = "the workspace is untouched"
_LONG = 20.0
"""Number of rounds from which on a first call is long enough to be a measure by itself."""


def harness(interface: Interface, *, rows: int = 0, begins: bool = False) -> str:
    """The text of the program: `program OUTPUT SEED [ws] [SIZE.. ORIGIN..]`.

    It writes the bytes of all arrays, then of the result, to OUTPUT. With `ws` it calls the
    entry with a workspace, and prints UNTOUCHED where that was left as it was; where HLSMEM_FILL
    is set, its bytes are that at first, and OUTPUT.ws gets what it holds at the end. With as many
    sizes and origins as there are `rows` the entry that runs tiles is called, with `inputs` none.
    A function that keeps state `begins` where there is one that puts it into a workspace.
    Exit status 3: something wrote past the ends of what stderr names.
    """
    call = ", ".join(f"given_{argument.name}" for argument in interface.arguments)
    types = ", ".join("void *" if a.is_array else a.type for a in interface.arguments)
    result = interface.result
    back = f"{result} " if result else "void "
    start = f"{result} result = " if result else ""
    entry = f"{interface.function}_ws"
    tiles = _Tiles(interface.function, rows)
    begin = f"{interface.function}_ws_init"
    # State passes from a call to the next: even seeds make two, odd ones show how it begins.
    again = ["for (int i = 0; i < calls; i++)"] if interface.state else []
    comma = ", " if call else ""
    lines = [
        prelude(interface.function),
        *(line for a in interface.arguments if a.members for line in a.definition()),
        f"extern {back}{interface.function}({types or 'void'});",
        "#ifdef HLSMEM_WITH_WORKSPACE",
        f"extern {back}{entry}({types}{', ' if types else ''}void *);",
        *tiles.declared(back, types),
        *([f"extern void {begin}(void *);"] if begins else []),
        "extern size_t hlsmem_workspace_bytes(void);",
        "#endif",
        "",
        "int main(int argc, char **argv)",
        "{",
        "    uint64_t state = 88172645463325252u ^ (uint64_t)strtoul(argv[2], NULL, 10) << 32;",
        *(line for argument in interface.arguments for line in given(argument)),
        f"    {result} result = 0;" if result else "",
        *tiles.arguments(),
        *(["    const int calls = atoi(argv[2]) % 2 ? 1 : 2;"] if again else []),
        '    if (argc > 3 && strcmp(argv[3], "inputs") == 0) {',
        "        /* What the function would be given is all that is asked for. */",
        '    } else if (argc < 4 || strcmp(argv[3], "ws") != 0) {',
        *tiles.call(f"{'result = ' if start else ''}", "", call),
        *(f"            {line}" for line in again),
        f"            {'result = ' if start else ''}{interface.function}({call});",
        "    } else {",
        "#ifdef HLSMEM_WITH_WORKSPACE",
        "        const size_t bytes = hlsmem_workspace_bytes();",
        "        unsigned char *const ws = block(bytes);",
        '        const char *const fill = getenv("HLSMEM_FILL");',
        "        memset(ws, fill ? atoi(fill) : 0xa5, bytes);",
        *([f"        {begin}(ws);"] if begins else []),
        *tiles.call(f"{'result = ' if start else ''}", "_ws", f"{call}{comma}ws"),
        *(f"            {line}" for line in again),
        f"            {'result = ' if start else ''}{entry}({call}{comma}ws);",
        '        inspect("the workspace", ws, bytes);',
        "        size_t same = 0;",
        "        while (same < bytes && ws[same] == 0xa5)",
        "            same++;",
        "        if (bytes > 0 && same == bytes)",
        f'            puts("{UNTOUCHED}");',
        "        if (fill)",
        "            keep_workspace(argv[1], ws, bytes);",
        "#endif",
        "    }",
        '    FILE *const file = fopen(argv[1], "wb");',
        *(line for array in interface.arrays for line in _keep(array)),
        "    fwrite(&result, sizeof result, 1, file);" if result else "",
        "    return fclose(file) != 0;",
        "}",
    ]
    return "\n".join(lines) + "\n"


def timer(interface: Interface, seconds: float) -> str:
    """The text of a program that prints the processor time of a call for every line it reads.

    A round has as many calls as take so many `seconds`, at least one; before it the arrays get
    back what they held at first. How many is not asked of a first call, which meets new pages,
    unless it takes far longer: then it is the first round. Nothing is called before the first line,
    so that programs that take turns do not run beside each other. The clock is the thread's: under
    a limit of processor time, as a sandbox sets, that of the process moves by ticks of the kernel.
    """
    call = ", ".join(f"given_{argument.name}" for argument in interface.arguments)
    types = ", ".join("void *" if a.is_array else a.type for a in interface.arguments)
    call = f"{interface.function}({call});"
    kept = [
        (f"given_{a.name}", f"first_{a.name}", f"{a.elements}u * sizeof({a.type})")
        for a in interface.arrays
    ]
    restored = [f"        memcpy({name}, {first}, {size});" for name, first, size in kept]
    lines = [
        "#define _POSIX_C_SOURCE 199309L",
        "#include <time.h>",
        prelude(interface.function),
        *(line for a in interface.arguments if a.members for line in a.definition()),
        f"extern {interface.result or 'void'} {interface.function}({types or 'void'});",
        "",
        "static double now(void)",
        "{",
        "    struct timespec time;",
        "    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);",
        "    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;",
        "}",
        "",
        "int main(void)",
        "{",
        "    uint64_t state = 88172645463325252u ^ (uint64_t)1 << 32;",
        "    long calls = 1;",
        *(line for argument in interface.arguments for line in given(argument)),
        *(f"    void *const {first} = block({size});" for _, first, size in kept),
        *(f"    memcpy({first}, {name}, {size});" for name, first, size in kept),
        "    int asked = getchar();",
        "    double from = now();",
        f"    {call}",
        "    double took = now() - from;",
        f"    if (took >= {_LONG * seconds!r}) {{",
        '        printf("%.9e\\n", took);',
        "        fflush(stdout);",
        "        asked = getchar();",
        "    }",
        f"    for (; took < {_LONG * seconds!r}; calls *= 2) {{",
        *restored,
        "        from = now();",
        "        for (long i = 0; i < calls; i++)",
        f"            {call}",
        "        took = now() - from;",
        f"        if (took > {seconds / 2!r})",
        "            break;",
        "    }",
        "    for (; asked != EOF; asked = getchar()) {",
        *restored,
        "        const double start = now();",
        "        for (long i = 0; i < calls; i++)",
        f"            {call}",
        '        printf("%.9e\\n", (now() - start) / (double)calls);',
        "        fflush(stdout);",
        "    }",
        "    return 0;",
        "}",
    ]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class _Tiles:
    """The arguments of the entry that runs tiles of a band of so many `rows`."""

    function: str
    rows: int

    def declared(self, back: str, types: str) -> list[str]:
        if not self.rows:
            return []
        comma, tail = ", " if types else "", "const long *, const long *"
        return [
            f"extern {back}{self.function}_tiled({types}{comma}{tail});",
            f"extern {back}{self.function}_tiled_ws({types}{comma}void *, {tail});",
        ]

    def arguments(self) -> list[str]:
        if not self.rows:
            return []
        return [
            "#ifdef HLSMEM_WITH_WORKSPACE",
            f"    long tiles[{2 * self.rows}];",
            f"    const int tiled = argc >= {3 + 2 * self.rows};",
            f"    for (int i = 0; tiled && i < {2 * self.rows}; i++)",
            f"        tiles[i] = strtol(argv[argc - {2 * self.rows} + i], NULL, 10);",
            "#endif",
        ]

    def call(self, start: str, suffix: str, arguments: str) -> list[str]:
        """Lines in front of the other call: `if (tiled) the call; else`."""
        if not self.rows:
            return []
        comma = ", " if arguments else ""
        text = f"{self.function}_tiled{suffix}({arguments}{comma}tiles, tiles + {self.rows})"
        return [
            "#ifdef HLSMEM_WITH_WORKSPACE",
            "        if (tiled)",
            f"            {start}{text};",
            "        else",
            "#endif",
        ]


def given(argument: Argument) -> list[str]:
    """Lines that declare an argument as given_NAME, with pseudo-random values."""
    name, kind = f"given_{argument.name}", argument.type
    if argument.is_array:
        return [
            f"    {kind} *const {name} = block({argument.elements}u * sizeof({kind}));",
            *fill(name, argument),
        ]
    if argument.value is not None:
        return [f"    {kind} {name} = ({kind}){argument.value};"]
    return [f"    {kind} {name};", *fill(name, argument)]


def fill(name: str, argument: Argument) -> list[str]:
    """Lines that give all numbers of an argument, called `name`, random values."""
    extents = (argument.elements,) if argument.is_array else ()
    return _fill(name, argument.type, extents, argument.members, argument.inputs)


def _fill(
    target: str,
    kind: str,
    extents: Sequence[int],
    members: Sequence[Member],
    inputs: Inputs,
) -> list[str]:
    """Lines that give all numbers in an object random values."""
    lines = []
    for extent in extents:
        at = f"i{target.count('[')}"
        lines.append(f"    for (size_t {at} = 0; {at} < {extent}u; {at}++)")
        target += f"[{at}]"
    if not members:
        return [*lines, f"        {target} = {_random(kind, inputs)};"]
    inside = (_fill(f"{target}.{m.name}", m.type, m.extents, m.members, m.inputs) for m in members)
    return [*lines, "    {", *(line for own in inside for line in own), "    }"]


def _random(kind: str, inputs: Inputs) -> str:
    below = "(size_t)small(&state, 0, {})"
    other = _between(kind, inputs.range)
    return inputs.in_c(kind, other, lambda n: below.format(n - 1), "small(&state, 0, 1)")


def _between(kind: str, between: tuple[Fraction, Fraction] | None) -> str:
    """A small value: sums and products of a few stay in range, shifts by it are not asked for."""
    if kind in ("float", "double") and between is not None:
        low, size = float(between[0]), float(between[1] - between[0])
        return f"({kind})({low!r} + {size!r} * (double)small(&state, 0, 1 << 20) / (1 << 20))"
    if kind in ("float", "double"):
        return f"({kind})small(&state, -1000, 1000) / 8"
    if kind == "_Bool":
        return "(_Bool)small(&state, 0, 1)"
    if between is not None:
        return f"({kind})small(&state, {int(between[0])}, {int(between[1])})"
    greatest = 1000 if "8" not in kind else (255 if kind.startswith("u") else 127)
    least = 0 if kind.startswith("u") else -greatest
    return f"({kind})small(&state, {least}, {greatest})"


def _keep(array: Argument) -> list[str]:
    size = f"{array.elements}u * sizeof({array.type})"
    return [
        f'    inspect("{array.name}", given_{array.name}, {size});',
        f"    fwrite(given_{array.name}, 1, {size}, file);",
    ]


def prelude(function: str) -> str:
    """The head of a program that calls a function; C's library may have one of its name.

    >>> print(prelude("random").partition("#include <stddef.h>")[0])  # doctest: +ELLIPSIS
    #undef main
    ...
    #define random hlsmem_of_libc_random
    <BLANKLINE>
    """
    own = f"#define {function} hlsmem_of_libc_{function}\n", f"#undef {function}\n"
    return f"{_PRAGMAS}{own[0]}{_INCLUDES}{own[1]}{_BLOCKS}"


_PRAGMAS = """\
#undef main
/* It runs for a moment; to optimise it takes longer. What it calls is in files of its own. */
#if defined(__clang__)
#pragma clang optimize off
#elif defined(__GNUC__)
#pragma GCC optimize ("O0")
#endif
"""
_INCLUDES = """\
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
"""
_BLOCKS = """
/* Under a sanitizer blocks have their exact size; else bytes around them are watched. */
#ifndef HLSMEM_GUARD
#define HLSMEM_GUARD 512
#endif

#ifdef HLSMEM_RECORDED
void hlsmem_object(void *start, size_t bytes);
#endif

static void *block(size_t bytes)
{
    unsigned char *const start = malloc(bytes + 2 * HLSMEM_GUARD + 1);

    if (start == NULL)
        exit(4);
    memset(start, 0xc3, bytes + 2 * HLSMEM_GUARD);
#ifdef HLSMEM_RECORDED
    hlsmem_object(start + HLSMEM_GUARD, bytes);
#endif
    return start + HLSMEM_GUARD;
}

static void inspect(const char *name, const void *block, size_t bytes)
{
    const unsigned char *const start = block;

    for (size_t i = 0; i < HLSMEM_GUARD; i++) {
        if (start[bytes + i] != 0xc3 || *(start - 1 - i) != 0xc3) {
            fprintf(stderr, "%s\\n", name);
            exit(3);
        }
    }
}

#ifdef HLSMEM_WITH_WORKSPACE
static void keep_workspace(const char *output, const void *start, size_t bytes)
{
    char name[4096];

    snprintf(name, sizeof name, "%s.ws", output);
    FILE *const file = fopen(name, "wb");
    if (file == NULL || fwrite(start, 1, bytes, file) != bytes || fclose(file))
        exit(4);
}
#endif

static int64_t small(uint64_t *state, int64_t least, int64_t greatest)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    const uint64_t drawn = *state * 2685821657736338717u >> 33;
    return least + (int64_t)(drawn % (uint64_t)(greatest - least + 1));
}
"""
