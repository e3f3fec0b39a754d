"""Alignment of workspaces to a cache line, which the vectors of a row then cross least."""

from __future__ import annotations

from hlsmem.read.design_names import RESERVED

LINE = 64
"""Bytes of a line, and of the widest vectors."""

ALIGNED = f"{RESERVED.upper()}ALIGNED"
NOT_INLINE = f"{RESERVED.upper()}NOT_INLINE"
FIRST_LINE = f"{RESERVED}first_line"

_MACRO = (
    "/* Of a variable: it starts at a line of the cache. */",
    "#if defined(__GNUC__)",
    f"#define {ALIGNED} __attribute__((aligned({LINE})))",
    "#elif defined(_MSC_VER)",
    f"#define {ALIGNED} __declspec(align({LINE}))",
    "#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L",
    f"#define {ALIGNED} _Alignas({LINE})",
    "#else",
    f"#define {ALIGNED}",
    "#endif",
)
_FRAME = (
    "/* Of a function: it has a frame of its own. */",
    "#if defined(__GNUC__)",
    f"#define {NOT_INLINE} __attribute__((noinline))",
    "#elif defined(_MSC_VER)",
    f"#define {NOT_INLINE} __declspec(noinline)",
    "#else",
    f"#define {NOT_INLINE}",
    "#endif",
)
_FUNCTION = (
    f"/* The first line of the cache that starts in a block, within {LINE - 1} bytes. */",
    f"static inline void *{FIRST_LINE}(void *block)",
    "{",
    f"    return (char *)block + ({LINE - 1}u - (((uintptr_t)block + {LINE - 1}u) & {LINE - 1}u));",
    "}",
)


def alignment_helpers(text: str) -> list[list[str]]:
    """The definitions that `text` needs."""
    wanted = (
        (_MACRO, f"{ALIGNED} "),
        (_FRAME, f"{NOT_INLINE} "),
        (_FUNCTION, f"{FIRST_LINE}("),
    )
    return [list(lines) for lines, name in wanted if name in text]


def asked_of_malloc(size: str) -> str:
    """C for the bytes of a block with so many behind its first line."""
    return f"malloc({size} + {LINE - 1}u)"
