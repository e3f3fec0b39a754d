from __future__ import annotations

import pytest

from hlsmem.core.errors import InputError, Problems
from hlsmem.read.design_names import C_KEYWORDS, check_name, nearest

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


@pytest.mark.parametrize("name", ["a", "_", "A1", "in", "x_y", "int32", "div", "INT_T"])
def test_good_names(name: str) -> None:
    problems = Problems()
    assert check_name("array", name, None, problems, bare=True)
    assert not problems


@pytest.mark.parametrize(
    ("name", "bare", "message"),
    [
        ("2a", False, "the array name '2a' is no C identifier; use letters, digits and _,"
         " no digit first"),
        ("x" * 81, False, f"the array name that begins with {'x' * 20!r} has 81 characters,"
         " 80 at most; choose a shorter one"),
        ("", False, "the array name '' is no C identifier; use letters, digits and _,"
         " no digit first"),
        ("a-b", False, "the array name 'a-b' is no C identifier; use letters, digits and _,"
         " no digit first"),
        ("ä", False, "the array name 'ä' is no C identifier; use letters, digits and _,"
         " no digit first"),
        ("int", False, "the array name 'int' is a keyword of C; choose another name"),
        ("int32_t", False,
         "the array name 'int32_t' is of a header that generated C includes; choose another name"),
        ("mod", True, "the array name 'mod' is a keyword of isl; choose another name"),
        ("MAX", True, "the array name 'MAX' is a keyword of isl; choose another name"),
        ("Infinity", True, "the array name 'Infinity' is a keyword of isl; choose another name"),
    ],
)  # fmt: skip
def test_bad_names(name: str, bare: bool, message: str) -> None:
    problems = Problems()
    assert not check_name("array", name, None, problems, bare=bare)
    with pytest.raises(InputError) as caught:
        problems.raise_if_any()
    assert str(caught.value) == message


@pytest.mark.parametrize("name", ["input", "reg", "mod", "begin"])
def test_keywords_of_verilog_do_with_something_around_them(name: str) -> None:
    bare = name != "mod"
    assert check_name("array", name, None, Problems(), bare=bare)


def test_no_keyword_of_verilog_is_one_with_our_additions() -> None:
    for name in VERILOG_KEYWORDS:
        assert not {f"{name}_mem", f"s_{name}_S_tdata", f"m_{name}_S_tdata"} & VERILOG_KEYWORDS


def test_the_lists_have_what_people_trip_over() -> None:
    assert {"inline", "_Bool", "restrict"} <= C_KEYWORDS
    assert len(C_KEYWORDS) == 37
    assert {"wire", "begin", "endmodule", "generate", "localparam"} <= VERILOG_KEYWORDS
    # 102 of 1364-1995, 21 of 1364-2001, and uwire.
    assert len(VERILOG_KEYWORDS) == 102 + 21 + 1


def test_nearest() -> None:
    assert nearest("blury", ["blurx", "in"], "add it") == "did you mean 'blurx'?"
    assert nearest("zzz", ["blurx", "in"], "add it") == "add it"
