"""Programs of the reference with bounds, so that hardware can be made of them."""

from __future__ import annotations

import re

from tests.studies.dataflow.golden import case_of, design_of

_PLAIN = "type: int16, extents: "


def _bounded(case: str, arrays: dict[str, str], *changes: tuple[str, str]) -> str:
    """The design of a case with these arrays, and other domains."""
    text = design_of(case_of(f"s004-{case}"))
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    start, end = text.index("arrays:\n"), text.index("network:")
    told = "".join(f"  {name}: {{{one}}}\n" for name, one in arrays.items())
    return f"{text[:start]}arrays:\n{told}{text[end:]}"


def listing2(iterations: int) -> str:
    """The radio: an iteration detects or decodes, as T says."""
    return _bounded(
        "listing2",
        {
            "T": f"type: uint1, extents: [{iterations}]",
            "state": _PLAIN + "[]",
            "value0": _PLAIN + "[]",
            "value1": _PLAIN + "[]",
        },
        ("i >= 0", f"0 <= i < {iterations}"),
        ("T[i' = i]", "T[i]"),
    )


def listing3(trips: int) -> str:
    """A loop that goes on as long as T holds, for each of three values."""
    return (
        _bounded(
            "listing3",
            {"T": f"type: uint1, extents: [n, {trips}], storage: external", "s": _PLAIN + "[]"},
            ("x2 >= 0", f"0 <= x2 < {trips}"),
        )
        + f'live_in: ["[n] -> {{ T[x, a] : 0 <= x < n and 0 <= a < {trips} }}"]\n'
    )


# Listing 1: m and n bound the loops around A and H, and n is new for each k.
LISTING1 = """\
hlsmem: 1
name: listing1
params: {}
arrays:
  a: {type: int16, extents: [J, I]}
  m: {type: uint8, extents: [], values: [0, I]}
  n: {type: uint8, extents: [], values: [0, J - 1]}
network:
  line:
    statements:
      N1: {domain: "{ N1[] }", schedule: "{ N1[] -> [0,0,0,0,0,0,0] }", writes: ["{ N1[] -> n[] }"]}
      M:
        domain: "{ M[k] : 0 <= k < K }"
        schedule: "{ M[k] -> [1, k, 0, 0, 0, 0, 0] }"
        writes: ["{ M[k] -> m[] }"]
      A:
        domain: "{ A[k,i,j] : 0 <= k < K and 0 <= i < I and 0 <= j < J }"
        schedule: "{ A[k,i,j] -> [1, k, 1, i, 0, j, 0] }"
        reads: ["{ A[k,i,j] -> n[] }", "{ A[k,i,j] -> m[] }"]
        writes: ["{ A[k,i,j] -> a[j,i] }"]
        filter:
          access: ["{ A[k,i,j] -> m[] }", "{ A[k,i,j] -> n[] }"]
          value: "{ A[k,i,j] -> [m,n] : i < m and j <= n }"
      H:
        domain: "{ H[k,i,j] : 0 <= k < K and 0 <= i < J - 1 and 0 <= j < I }"
        schedule: "{ H[k,i,j] -> [1, k, 2, i, 0, j, 0] }"
        reads: ["{ H[k,i,j] -> n[] }", "{ H[k,i,j] -> m[] }", "{ H[k,i,j] -> a[i + 1,j] }"]
        filter:
          access: ["{ H[k,i,j] -> n[] }", "{ H[k,i,j] -> m[] }"]
          value: "{ H[k,i,j] -> [n,m] : i < n and j < m }"
      N2:
        domain: "{ N2[k] : 0 <= k < K }"
        schedule: "{ N2[k] -> [1, k, 3, 0, 0, 0, 0] }"
        writes: ["{ N2[k] -> n[] }"]
"""


def listing1(k: int, i: int, j: int) -> str:
    """A matrix whose bounds data give: loops of k, i and j iterations at most."""
    found = re.sub(r"\bJ - 1", str(j - 1), LISTING1)
    for name, size in (("K", k), ("I", i), ("J", j)):
        found = re.sub(rf"\b{name}\b", str(size), found)
    return found


def own_hold(n: int) -> str:
    """A value that is held until the next condition."""
    return _at(
        n,
        _bounded(
            "own-hold",
            {"T": "type: uint1, extents: [n], storage: external", "s": _PLAIN + "[]"},
        )
        + 'live_in: ["[n] -> { T[x] : 0 <= x < n }"]\n',
    )


def own_array_guarded(n: int) -> str:
    """Elements of an array that are replaced where a condition holds, before they are read."""
    return _at(
        n,
        _bounded(
            "own-array-guarded",
            {"A": _PLAIN + "[n]", "T": "type: uint1, extents: [n], storage: external"},
        )
        + 'live_in: ["[n] -> { A[x] : 0 <= x < n }", "[n] -> { T[x] : 0 <= x < n }"]\n',
    )


def if_var(n: int) -> str:
    """A variable that two conditions replace, one after the other, read in the end."""
    given = "type: uint1, extents: [n], storage: external"
    text = _bounded("if_var", {"T": given, "U": given, "s": _PLAIN + "[]"})
    return _at(
        n, text + 'live_in: ["[n] -> { T[x] : 0 <= x < n }", "[n] -> { U[x] : 0 <= x < n }"]\n'
    )


def _at(n: int, text: str) -> str:
    return text.replace("params: {n: 3}", f"params: {{n: {n}}}")
