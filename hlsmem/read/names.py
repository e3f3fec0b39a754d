"""Which names may be used: they appear in generated C and Verilog."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from hlsmem.errors import Problems
from hlsmem.places import Place
from hlsmem.polyhedra.diagnosis import is_keyword

# C99, section 6.4.1.
C_KEYWORDS = frozenset(
    """
    auto break case char const continue default do double else enum extern float for goto if
    inline int long register restrict return short signed sizeof static struct switch typedef
    union unsigned void volatile while _Bool _Complex _Imaginary
    """.split()  # noqa: SIM905 - a list of quoted words would be harder to read
)

# IEEE 1364-2005, annex B.
VERILOG_KEYWORDS = frozenset(
    """
    always and assign automatic begin buf bufif0 bufif1 case casex casez cell cmos config
    deassign default defparam design disable edge else end endcase endconfig endfunction
    endgenerate endmodule endprimitive endspecify endtable endtask event for force forever fork
    function generate genvar highz0 highz1 if ifnone incdir include initial inout input instance
    integer join large liblist library localparam macromodule medium module nand negedge nmos
    nor noshowcancelled not notif0 notif1 or output parameter pmos posedge primitive pull0
    pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent rcmos real realtime reg release
    repeat rnmos rpmos rtran rtranif0 rtranif1 scalared showcancelled signed small specify
    specparam strong0 strong1 supply0 supply1 table task time tran tranif0 tranif1 tri tri0 tri1
    triand trior trireg unsigned use uwire vectored wait wand weak0 weak1 while wire wor xnor xor
    """.split()  # noqa: SIM905
)

# Names that generated C keeps for itself begin with it.
RESERVED = "hlsmem_"

# What generated C calls by name: variables around it must be called something else.
C_CALLED = frozenset({"NULL", "abort", "free", "malloc", "memcpy"})

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def check_name(
    what: str, name: str, place: Place | None, problems: Problems, *, bare: bool = False
) -> bool:
    """Whether `name` can name a `what`; if not, the reason goes to `problems`.

    A `bare` name appears in Verilog and isl text as it is. The others only appear there with
    something in front or behind, so that an array may well be called `input`.
    """
    remedy = "choose another name"
    if not _IDENTIFIER.fullmatch(name):
        reason, remedy = "is no C identifier", "use letters, digits and _, no digit first"
    elif name.startswith(RESERVED):
        reason = f"starts with {RESERVED!r}, which generated C keeps for itself"
    elif name in C_KEYWORDS:
        reason = "is a keyword of C"
    elif name in C_CALLED:
        reason = "is a name that generated C calls"
    elif bare and name in VERILOG_KEYWORDS:
        reason = "is a keyword of Verilog"
    elif bare and is_keyword(name):
        reason = "is a keyword of isl"
    else:
        return True
    problems.add(f"the {what} name {name!r} {reason}", remedy, place)
    return False


def generated_names(function: str, parameters: Iterable[str]) -> frozenset[str]:
    """The names that the C made from a function defines or calls, those in RESERVED not.

    >>> sorted(generated_names("f", ["N"]) - C_CALLED)
    ['F_N', 'F_RESTRICT', 'F_STACK_BYTES', 'F_WS_BYTES', 'f_original', 'f_ws', 'f_ws_bytes']
    """
    own = (f"{function}_{ending}" for ending in ("ws", "ws_bytes", "original"))
    macros = (
        f"{function.upper()}_{name}"
        for name in ("WS_BYTES", "STACK_BYTES", "RESTRICT", *parameters)
    )
    return C_CALLED.union(own, macros)


def nearest(name: str, known: Sequence[str], otherwise: str) -> str:
    """The remedy for an unknown name: the nearest known one, else `otherwise`."""
    near = get_close_matches(name, known, 1)
    return f"did you mean {near[0]!r}?" if near else otherwise
