"""Random kernels as people write them for HLS, in C++: as read, they do what they did.

Stages of dataflow hand pictures on, as streams or as arrays: odd widths, references to arrays and
scalars, casts, rows that are kept, counts where the data say. A kernel runs the programs of some
seeds one after the other, as in `idioms`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

from tests.fuzz.idioms import CHECKS, wrong_in

_STREAM, _ARRAY = "stream", "array"


def kernel_text(seeds: Sequence[int]) -> str:
    """A kernel `top` with two parameters for each seed.

    >>> "void top(" in kernel_text([1])
    True
    """
    texts, parameters, calls = [], [], []
    for seed in seeds:
        text, ends = _program(seed)
        texts.append(text)
        parameters += ends
        calls.append(f"    g_{seed}(in_{seed}, out_{seed});")
    lines = ["#include <ap_int.h>", "#include <hls_stream.h>", *texts]
    return "\n".join([*lines, f"void top({', '.join(parameters)})", "{", *calls, "}", ""])


def _program(seed: int) -> tuple[str, list[str]]:
    """A function `g_SEED` and what it calls, and its two parameters."""
    random = Random(seed)
    count = random.randint(1, 3)
    kinds = [random.choice([_STREAM, _ARRAY]) for _ in range(count + 1)]
    array = random.choice(["{}[H][W]", "(&{})[H][W]"])  # a row is no array that is referred to
    places = ["in", *(f"t{k}" for k in range(1, count)), "out"]
    types = [_type(random) for _ in places]
    style = Random(-seed)  # so that the programs are those that they were as functions
    helpers: list[str] = []
    body = []
    for k, (source, target) in enumerate(pairwise(kinds)):
        stage = random.choice(STAGES[source, target])
        from_, to = (f"type{n}" for n in (k, k + 1))
        ends = [_parameter(kinds[k], from_, array, "a"), _parameter(kinds[k + 1], to, array, "b")]
        lines = stage(random, from_, to)
        if (source, target) == (_STREAM, _STREAM) and style.random() < 0.3:
            lines = _pixels(style, from_, to)
        if style.random() < 0.2:
            lines = _fixed(style, source, target)
        before, call = style.choice(SPELLINGS)(k, ", ".join(ends), lines)
        helpers += before
        body += [line.format(f"{places[k]}, {places[k + 1]}") for line in call]
    declared = [
        f"    hls::stream<type{k}> {places[k]};" if kind == _STREAM else f"    type{k} t{k}[H][W];"
        for k, kind in enumerate(kinds)
        if 0 < k < count
    ]
    parameters = [
        _parameter(kinds[k], f"type{k}", array, place) for k, place in ((0, "in"), (count, "out"))
    ]
    lines = [f"#define H {random.randint(3, 5)}", f"#define W {random.randint(3, 6)}"]
    lines += [f"typedef {one} type{k};" for k, one in enumerate(types)]
    lines += _HELPERS if any("scaled(" in line for line in (*helpers, *body)) else []
    lines += [*helpers, f"static void g({', '.join(parameters)})", "{", *declared, *body, "}", ""]
    own = [_named(text, seed) for text in ("\n".join(lines), *parameters)]
    return own[0], own[1:]


def _named(text: str, seed: int) -> str:
    return re.sub(r"\b(H|W|type\d|stage\d|g|in|out|scaled)\b", rf"\1_{seed}", text)


def _type(random: Random) -> str:
    return f"ap_{random.choice(['', 'u'])}int<{random.choice([5, 8, 9, 12, 16, 20])}>"


def _parameter(kind: str, element: str, array: str, name: str) -> str:
    return (
        f"hls::stream<{element}> &{name}" if kind == _STREAM else f"{element} {array.format(name)}"
    )


def _value(random: Random, x: str, to: str) -> str:
    return random.choice(
        [
            f"{x} * 3 - y",
            f"({x} >> 2) + 1",
            f"static_cast<{to}>({x}) ^ {to}(5)",
            f"{to}({x} + y) << 1",
            f"-{x}",
            f"({x} > 5 ? {to}({x} - 5) : {to}({x}))",
        ]
    )


_HELPERS = [
    "static void scaled(ap_int<6> gain, ap_int<20> x, ap_int<22> &result)",
    "{",
    "    if (gain < 0) { result = 0; return; }",
    "    result = gain * x;",
    "}",
]
_OVER = ["    for (int y = 0; y < H; y++)", "        for (int x = 0; x < W; x++) {"]
Stage = Callable[[Random, str, str], list[str]]


def _mapped(read: str, write: str) -> Stage:
    """Each element by itself; `read` declares v, and `write` takes a value."""

    def stage(random: Random, from_: str, to: str) -> list[str]:
        lines = [*_OVER, "#pragma HLS PIPELINE II=1"]
        lines += [f"            {read.format(from_)}"]
        if random.random() < 0.3:
            lines += ["            ap_int<22> r;", "            scaled(ap_int<6>(3), v, r);"]
            return [*lines, f"            {write.format('r >> 1')}", "        }"]
        return [*lines, f"            {write.format(_value(random, 'v', to))}", "        }"]

    return stage


def _kept_row(random: Random, from_: str, to: str) -> list[str]:
    """The row before, kept as it passes."""
    del from_
    return [
        "    ap_int<18> line[W];",
        "    for (int x = 0; x < W; x++) line[x] = 0;",
        *_OVER,
        "            ap_int<18> v = a.read();",
        f"            b.write({_value(random, '(v - line[x])', to)});",
        "            line[x] = v;",
        "        }",
    ]


def _shifted(random: Random, from_: str, to: str) -> list[str]:
    """The last three, shifted."""
    return [
        f"    {from_} w[3] = {{0}};",
        *_OVER,
        "            for (int k = 2; k > 0; k--) {",
        "#pragma HLS UNROLL",
        "                w[k] = w[k - 1];",
        "            }",
        "            a >> w[0];",
        f"            b << ({_value(random, '(w[0] + w[1] + w[2])', to)});",
        "        }",
    ]


def _counted(random: Random, from_: str, to: str) -> list[str]:
    """A histogram; what counts has as many bits as it needs."""
    del from_, to
    bits = random.choice([2, 3])
    return [
        f"    ap_uint<7> count[{1 << bits}] = {{0}};",
        *_OVER,
        f"            ap_uint<{bits}> at = a[y][x] + {random.randint(0, 3)};",
        "            count[at]++;",
        "        }",
        *_OVER,
        f"            ap_uint<{bits}> at = a[y][x];",
        "            b[y][x] = count[at] + x;",
        "        }",
    ]


def _stencil(random: Random, from_: str, to: str) -> list[str]:
    del from_
    return [
        *_OVER,
        "            if (y == 0 || x == 0) b[y][x] = a[y][x];",
        f"            else b[y][x] = {_value(random, '(a[y][x] + a[y - 1][x - 1])', to)};",
        "        }",
    ]


def _pixels(random: Random, from_: str, to: str) -> list[str]:
    """Structs with an operator, each added to the one before."""
    del from_
    return [
        "    struct pixel {",
        "        ap_int<18> v;",
        "        int at;",
        "        pixel operator+(const pixel &o) const {",
        "            pixel sum = {v + o.v, at - o.at};",
        "            return sum;",
        "        }",
        "    };",
        "    pixel last = {0, 1};",
        *_OVER,
        "            pixel p;",
        "            p.v = a.read();",
        "            p.at = x;",
        "            pixel q = p + last;",
        f"            b.write({_value(random, '(q.v + q.at)', to)});",
        "            last = p;",
        "        }",
    ]


def _fixed(random: Random, source: str, target: str) -> list[str]:
    """A gain and an offset in fixed point, rounded and limited as the type says."""
    rounding = random.choice(["AP_RND", "AP_TRN", "AP_TRN_ZERO", "AP_RND_CONV", "AP_RND_INF"])
    overflow = random.choice(["AP_SAT", "AP_WRAP", "AP_SAT_SYM"])
    integer, fraction = random.randint(6, 10), random.randint(0, 4)
    read = "a.read()" if source == _STREAM else "a[y][x]"
    write = "b.write({});" if target == _STREAM else "b[y][x] = {};"
    return [
        *_OVER,
        f"            ap_fixed<16, 11> v = ap_int<9>({read});",
        f"            ap_fixed<8, 3> gain = {random.randint(-16, 16) / 8};",
        f"            ap_fixed<{integer + fraction}, {integer}, {rounding}, {overflow}> r;",
        f"            r = v * gain + ap_ufixed<4, 2>({random.randint(0, 15) / 4}) - x;",
        f"            {write.format(random.choice(['r.to_int()', 'r', '(r >> 1).to_int() + y']))}",
        "        }",
    ]


Spelling = Callable[[int, str, Sequence[str]], tuple[list[str], list[str]]]


def _function(k: int, ends: str, lines: Sequence[str]) -> tuple[list[str], list[str]]:
    return [f"static void stage{k}({ends})", "{", *lines, "}"], [f"    stage{k}({{}});"]


def _template(k: int, ends: str, lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """With both types as parameters, given at the call."""
    types = {f"type{k}": "A", f"type{k + 1}": "B"}
    text = re.sub(r"\btype\d\b", lambda found: types[found[0]], "\n".join([ends, *lines]))
    own, *rest = text.split("\n")
    head = f"template <typename A, typename B> static void stage{k}({own})"
    return [head, "{", *rest, "}"], [f"    stage{k}<type{k}, type{k + 1}>({{}});"]


def _static_method(k: int, ends: str, lines: Sequence[str]) -> tuple[list[str], list[str]]:
    head = [f"struct stage{k} {{", f"    static void run({ends})", "    {"]
    return [*head, *lines, "    }", "};"], [f"    stage{k}::run({{}});"]


def _functor(k: int, ends: str, lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """An object with a constructor, and a member that its operator changes."""
    head = [f"class stage{k} {{", "    int calls;", "public:", f"    stage{k}() : calls(0) {{}}"]
    head += [f"    void operator()({ends})", "    {"]
    return [*head, *lines, "        calls++;", "    }", "};"], [
        f"    stage{k} object{k};",
        f"    object{k}({{}});",
    ]


def _lambda(k: int, ends: str, lines: Sequence[str]) -> tuple[list[str], list[str]]:
    text = [line.replace("{", "{{").replace("}", "}}") for line in lines]
    return [], [f"    auto lambda{k} = [&]({ends}) {{{{", *text, "    }};", f"    lambda{k}({{}});"]


SPELLINGS: tuple[Spelling, ...] = (_function, _template, _static_method, _functor, _lambda)

STAGES: dict[tuple[str, str], list[Stage]] = {
    (_STREAM, _STREAM): [_mapped("ap_int<20> v = a.read();", "b.write({});"), _kept_row, _shifted],
    (_STREAM, _ARRAY): [
        _mapped("{} v; a.read(v);", "b[y][x] = {};"),
        _mapped("ap_int<17> v = a.read();", "b[H - 1 - y][x] = {};"),
    ],
    (_ARRAY, _STREAM): [_mapped("ap_int<20> v = a[y][W - 1 - x];", "b << ({});")],
    (_ARRAY, _ARRAY): [_mapped("ap_uint<10> v = a[y][x];", "b[y][x] = {};"), _counted, _stencil],
}


def wrong_in_hls(
    seeds: Sequence[int], folder: Path, checks: Sequence[str] = CHECKS
) -> tuple[bool, str]:
    """Whether the kernel of some seeds is read, and what is wrong with it; empty where nothing."""
    return wrong_in(kernel_text(seeds), folder / "hls.cpp", checks)
