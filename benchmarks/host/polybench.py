"""The kernels of PolyBench/C as functions of plain pointers with flat subscripts, made from a
checkout of the suite, which is no part of this repository."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.host.kernels import Kernel
from hlsmem.core.errors import InputError, Problem

LIST = "utilities/benchmark_list"
"""The file by which a checkout is known: the path of each kernel, a line each."""
_INPUTS = {"kernel_durbin": 'r: ["-1e-4", "1e-4"]', "kernel_trisolv": 'L: ["1", "2"]'}
"""Ranges with which results are finite. A number that is no array is between 1 and 2."""
_MACROS = """\
#include <math.h>
#define SCALAR_VAL(x) x
#define SQRT_FUN(x) sqrt(x)
#define EXP_FUN(x) exp(x)
#define POW_FUN(x, y) pow(x, y)
"""


def suite(checkout: Path) -> dict[str, Kernel]:
    """The kernels of a checkout by the names of the suite. Raises InputError without one."""
    known = checkout / LIST
    if not known.is_file():
        what = f"POLYBENCH: there is no file {known}"
        raise InputError(Problem(what, "name a checkout of PolyBench/C 4.2.1"))
    found = {}
    for line in known.read_text(encoding="utf-8").split():
        file = checkout / line
        texts = (one.read_text(encoding="utf-8") for one in (file, file.with_suffix(".h")))
        found[file.stem] = as_pointers(*texts)
    return found


def as_pointers(text: str, header: str) -> Kernel:
    """The kernel of a file and its header, at the sizes of the medium data set.

    >>> head = '#define MEDIUM_DATASET\\n#ifdef MEDIUM_DATASET\\n#define N 9\\n#endif\\n'
    >>> head += '#define _PB_N POLYBENCH_LOOP_BOUND(N,n)\\n#define DATA_TYPE_IS_DOUBLE'
    >>> made = as_pointers('void kernel_f(int n, DATA_TYPE POLYBENCH_2D(A,N,N,n,n))\\n'
    ...                    '{\\n  A[_PB_N-1][2] = A[0][1];\\n}\\n', head)
    >>> print(made.text.partition("DATA_TYPE double\\n")[2].strip())
    void kernel_f(int n, DATA_TYPE *A)
    {
      A[(n-1) * n + 2] = A[0 * n + 1];
    }
    """
    found = re.search(r"\bvoid (kernel_\w+)\((.*?)\)\s*(\{.*?^\})", text, re.DOTALL | re.MULTILINE)
    if found is None:
        raise ValueError("the file has no function whose name begins with kernel_")
    function, head, body = found.groups()
    bounds = dict(re.findall(r"POLYBENCH_LOOP_BOUND\((\w+),\s*(\w+)\)", header))
    arrays = dict[str, list[str]]()

    def pointer(one: re.Match[str]) -> str:
        name, *words = (word.strip() for word in one[2].split(","))
        arrays[name] = words[int(one[1]) :]
        return f"*{name}"

    head = re.sub(r"POLYBENCH_(\d)D\(([^()]*)\)", pointer, head)
    for macro, size in bounds.items():
        body = re.sub(rf"\b(_PB_)?{macro}\b", size, body)
    own = re.findall(r"^(?:typedef .*|#define .*)$", text[: found.start()], re.MULTILINE)
    (kind,) = re.findall(r"^#\s*define DATA_TYPE_IS_(\w+)", header, re.MULTILINE)
    medium = re.findall(r"ifdef MEDIUM_DATASET(.*?)endif", header, re.DOTALL)[0]
    values = {bounds[name]: int(value) for name, value in re.findall(r"(\w+) (\d+)", medium)}
    sizes = re.findall(r"\bint (\w+)", head)
    numbers = (f'{name}: ["1", "2"]' for name in re.findall(r"\bDATA_TYPE (\w+)", head))
    macros = "\n".join([*own, f"#define DATA_TYPE {kind.lower()}"])
    return Kernel(
        name=function,
        context=" and ".join(f"{name} >= 4" for name in sizes),
        values={name: values[name] for name in sizes},
        inputs=", ".join(numbers) or _INPUTS.get(function, ""),
        text=f"{_MACROS}{macros}\n\nvoid {function}({' '.join(head.split())})\n"
        f"{flat(body, arrays)}\n",
    )


def flat(body: str, arrays: Mapping[str, Sequence[str]]) -> str:
    """C whose elements of arrays, given with their extents, have one subscript.

    >>> flat("t = B[1][i+1][k] + x[B[i][2][j]];", {"B": ["l", "m", "n"], "x": ["n"]})
    't = B[(1 * m + (i+1)) * n + k] + x[B[(i * m + 2) * n + j]];'
    """
    text, rest = "", body
    while found := re.search(r"\b(" + "|".join(arrays) + r")\b\s*(?=\[)", rest):
        text += rest[: found.start()] + found[1]
        rest, place = rest[found.end() :], ""
        for extent in arrays[found[1]]:
            inside, rest = _bracket(rest)
            own = flat(inside, arrays)
            own = own if re.fullmatch(r"\w+", own) or len(arrays[found[1]]) == 1 else f"({own})"
            around = place if re.fullmatch(r"\w*|\([^()]*\)", place) else f"({place})"
            place = f"{around} * {extent} + {own}" if place else own
        text += f"[{place}]"
    return text + rest


def _bracket(text: str) -> tuple[str, str]:
    """What stands in the bracket that a text begins with, and what comes behind it."""
    text = text.lstrip()
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "[") - (character == "]")
        if depth == 0:
            return text[1:at], text[at + 1 :]
    raise ValueError(f"a bracket is not closed: {text[:40]}")
