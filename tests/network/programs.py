"""The networks of the reference as programs: times are those that it states."""

from __future__ import annotations

from collections.abc import Mapping

from hlsmem.network.channels import Channel, channels_of
from hlsmem.network.processes import Process
from hlsmem.program.model import Program
from tests.programs import make_program

# By case: sizes by name, statements (domain, time), reads, writes; then the rows of the case, each
# a channel by the array that is read, its writer and its reader, and the operand.
Row = tuple[str, str, int]
Net = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[Row, ...]]

SOBEL = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]

NETS: Mapping[str, Net] = {
    "s004-net-blur": (
        ("{ B[y,x] : 0 <= y,x < N }", "{ C[y,x] : 2 <= y < N and 0 <= x < N }"),
        ("{ B[y,x] -> [y,x,0]; C[y,x] -> [y,x,1] }",),
        (
            "{ C[y,x] -> b[y-2,x] }",
            "{ C[y,x] -> b[y-1,x] }",
            "{ C[y,x] -> b[y,x] }",
            "{ B[y,x] -> b[y,x] }",
        ),
        (("B", "C", 0), ("B", "C", 1), ("B", "C", 2)),
    ),
    "s004-net-blur-seq": (
        ("{ B[y,x] : 0 <= y,x < N }", "{ C[y,x] : 2 <= y < N and 0 <= x < N }"),
        ("{ B[y,x] -> [0,y,x,0]; C[y,x] -> [1,y,x,0] }",),
        (
            "{ C[y,x] -> b[y-2,x] }",
            "{ C[y,x] -> b[y-1,x] }",
            "{ C[y,x] -> b[y,x] }",
            "{ B[y,x] -> b[y,x] }",
        ),
        (("B", "C", 0), ("B", "C", 1), ("B", "C", 2)),
    ),
    "s004-net-fir4": (
        ("{ X[n] : 0 <= n < N }", "{ Y[n] : 3 <= n < N }"),
        ("{ X[n] -> [n,0]; Y[n] -> [n,1] }",),
        (*(f"{{ Y[n] -> x[n-{k}] }}" for k in range(4)), "{ X[n] -> x[n] }"),
        tuple(("X", "Y", k) for k in range(4)),
    ),
    "s004-net-fir-loop": (
        (
            "{ H[k] : 0 <= k < 4 }",
            "{ X[n] : 0 <= n < N }",
            "{ Y[n,k] : 3 <= n < N and 0 <= k < 4 }",
        ),
        ("{ H[k] -> [0,0,k,0]; X[n] -> [1,n,0,0]; Y[n,k] -> [1,n,k,1] }",),
        (
            "{ Y[n,k] -> x[n-k] }",
            "{ Y[n,k] -> h[k] }",
            "{ Y[n,k] -> acc[n] : k > 0 }",
            "{ X[n] -> x[n] }",
            "{ H[k] -> h[k] }",
            "{ Y[n,k] -> acc[n] }",
        ),
        (("X", "Y", 0), ("H", "Y", 1), ("Y", "Y", 2)),
    ),
    "s004-net-matmul": (
        (
            "{ PB[k,j] : 0 <= k,j < N }",
            "{ PA[i,k] : 0 <= i,k < N }",
            "{ M[i,j,k] : 0 <= i,j,k < N }",
        ),
        ("{ PB[k,j] -> [0,k,j,0,0]; PA[i,k] -> [1,i,0,k,0]; M[i,j,k] -> [1,i,j,k,1] }",),
        (
            "{ M[i,j,k] -> a[i,k] }",
            "{ M[i,j,k] -> b[k,j] }",
            "{ M[i,j,k] -> c[i,j] : k > 0 }",
            "{ PA[i,k] -> a[i,k] }",
            "{ PB[k,j] -> b[k,j] }",
            "{ M[i,j,k] -> c[i,j] }",
        ),
        (("PA", "M", 0), ("PB", "M", 1), ("M", "M", 2)),
    ),
    "s004-net-transpose": (
        ("{ W[i,j] : 0 <= i,j < N }", "{ C[j,i] : 0 <= i,j < N }"),
        ("{ W[i,j] -> [0,i,j,0]; C[j,i] -> [1,j,i,0] }",),
        ("{ C[j,i] -> a[i,j] }", "{ W[i,j] -> a[i,j] }"),
        (("W", "C", 0),),
    ),
    "s004-net-downsample2": (
        ("{ X[i] : 0 <= i < 2N }", "{ D[j] : 0 <= j < N }"),
        ("{ X[i] -> [i,0]; D[j] -> [2j,1] }",),
        ("{ D[j] -> x[2j] }", "{ X[i] -> x[i] }"),
        (("X", "D", 0),),
    ),
    "s004-net-downsample2-late": (
        ("{ X[i] : 0 <= i < 2N }", "{ D[j] : 0 <= j < N }"),
        ("{ X[i] -> [i,0]; D[j] -> [2j+1,1] }",),
        ("{ D[j] -> x[2j] }", "{ X[i] -> x[i] }"),
        (("X", "D", 0),),
    ),
    "s004-net-pairs": (
        ("{ X[i] : 0 <= i < 2N }", "{ D[j] : 0 <= j < N }"),
        ("{ X[i] -> [i,0]; D[j] -> [2j+1,1] }",),
        ("{ D[j] -> x[2j] }", "{ D[j] -> x[2j+1] }", "{ X[i] -> x[i] }"),
        (("X", "D", 0), ("X", "D", 1)),
    ),
    "s004-net-upsample2": (
        ("{ X[i] : 0 <= i < N }", "{ U[i] : 0 <= i < 2N }"),
        ("{ X[i] -> [2i,0]; U[i] -> [i,1] }",),
        ("{ U[i] -> x[floor(i/2)] }", "{ X[i] -> x[i] }"),
        (("X", "U", 0),),
    ),
    "s004-net-gain": (
        ("{ G[] }", "{ Y[n] : 0 <= n < N }"),
        ("{ G[] -> [0,0,0]; Y[n] -> [1,n,0] }",),
        ("{ Y[n] -> g[] }", "{ G[] -> g[] }"),
        (("G", "Y", 0),),
    ),
    "s004-net-triangle-same": (
        ("{ T[i,j] : 0 <= j <= i < N }", "{ C[i,j] : 0 <= j <= i < N }"),
        ("{ T[i,j] -> [i,j,0]; C[i,j] -> [i,j,1] }",),
        ("{ C[i,j] -> t[i,j] }", "{ T[i,j] -> t[i,j] }"),
        (("T", "C", 0),),
    ),
    "s004-net-triangle-transposed": (
        ("{ T[i,j] : 0 <= j <= i < N }", "{ C[j,i] : 0 <= j <= i < N }"),
        ("{ T[i,j] -> [0,i,j,0]; C[j,i] -> [1,j,i,0] }",),
        ("{ C[j,i] -> t[i,j] }", "{ T[i,j] -> t[i,j] }"),
        (("T", "C", 0),),
    ),
    "s004-net-triangle-diagonal": (
        ("{ T[i,j] : 0 <= j <= i < N }", "{ C[i,j] : 0 <= j <= i < N }"),
        ("{ T[i,j] -> [0,i,j,0]; C[i,j] -> [1,i,j,0] }",),
        ("{ C[i,j] -> t[i,i] }", "{ T[i,j] -> t[i,j] }"),
        (("T", "C", 0),),
    ),
    "s004-net-raster-to-tiles": (
        ("{ X[y,x] : 0 <= y,x < N }", "{ C[Y,Z,y,x] : 0 <= BY,BZ < N and 0 <= y,x < B }"),
        ("{ X[y,x] -> [0,y,x,0,0,0]; C[Y,Z,y,x] -> [1,Y,Z,y,x,0] }",),
        ("{ C[Y,Z,y,x] -> p[BY+y,BZ+x] }", "{ X[y,x] -> p[y,x] }"),
        (("X", "C", 0),),
    ),
    "s004-net-sobel": (
        ("{ R[i,j] : 0 <= i < K and 0 <= j < N }", "{ S[i,j] : 1 <= i < K-1 and 1 <= j < N-1 }"),
        ("{ R[i,j] -> [i,j,0]; S[i,j] -> [i+1,j+1,1] }",),
        (*(f"{{ S[i,j] -> a[i+{a},j+{b}] }}" for a, b in SOBEL), "{ R[i,j] -> a[i,j] }"),
        tuple(("R", "S", k) for k in range(9)),
    ),
    "s004-net-reconvergent": (
        ("{ X[i] : 0 <= i < N }", "{ A[i] : 0 <= i < N }", "{ C[i] : 0 <= i < N }"),
        ("{ X[i] -> [0,i,0]; A[i] -> [1,i,0]; C[i] -> [2,i,0] }",),
        (
            "{ A[i] -> x[i] }",
            "{ A[i] -> s[] : i > 0 }",
            "{ C[i] -> x[i] }",
            "{ C[i] -> s[] }",
            "{ X[i] -> x[i] }",
            "{ A[i] -> s[] }",
        ),
        (("X", "A", 0), ("A", "A", 1), ("X", "C", 0), ("A", "C", 1)),
    ),
    "s004-net-lookahead": (
        ("{ X[i] : 0 <= i < N }", "{ F[i] : 0 <= i < N }", "{ C[i] : 0 <= i < N-2 }"),
        ("{ X[i] -> [i,0]; F[i] -> [i,1]; C[i] -> [i+2,2] }",),
        (
            "{ F[i] -> x[i] }",
            "{ C[i] -> f[i+2] }",
            "{ C[i] -> x[i] }",
            "{ X[i] -> x[i] }",
            "{ F[i] -> f[i] }",
        ),
        (("X", "F", 0), ("F", "C", 0), ("X", "C", 1)),
    ),
    "s004-net-tradeoff": (
        (
            "{ X[i] : 0 <= i < N }",
            "{ A[i] : 0 <= i < N }",
            "{ C0[i] : 0 <= i < N }",
            "{ C1[i] : 0 <= i < N }",
        ),
        ("{ X[i] -> [0,i,0]; A[i] -> [0,i,1]; C0[i] -> [1,i,0]; C1[i] -> [2,i,0] }",),
        (
            "{ A[i] -> x[i] }",
            "{ C0[i] -> x[i] }",
            "{ C1[i] -> a[i] }",
            "{ X[i] -> x[i] }",
            "{ A[i] -> a[i] }",
        ),
        (("X", "A", 0), ("X", "C0", 0), ("A", "C1", 0)),
    ),
}


def program_of(case: str, sizes: Mapping[str, int]) -> Program:
    """A network at some sizes, which stay parameters but for the side of tiles."""
    domains, times, accesses, _ = NETS[case]
    values = {name: value for name, value in sizes.items() if name != "B"}

    def spelled(text: str) -> str:
        text = f"[{', '.join(values)}] -> {text}"
        return text.replace("B", f"{sizes['B']}") if "B" in sizes else text

    reads = [one for one in accesses if one not in _writes(case)]
    return make_program(
        values=values,
        domains=[spelled(one) for one in domains],
        schedules=[spelled(one) for one in times],
        reads=[spelled(one) for one in reads],
        writes=[spelled(one) for one in _writes(case)],
        planned=tuple({one.split("->")[1].strip().split("[")[0] for one in accesses}),
    )


def _writes(case: str) -> tuple[str, ...]:
    """The accesses behind the reads: one for each array."""
    accesses = NETS[case][2]
    arrays = {one.split("->")[1].strip().split("[")[0] for one in accesses}
    return accesses[-len(arrays) :]


def rows_of(case: str, program: Program) -> list[Channel]:
    """The channels in the order of the rows of the reference."""
    found = {(one.source.name, one.sink.name, one.operand): one for one in channels_of(program)}
    return [found.pop(row) for row in NETS[case][3]]


def processes_of_case(case: str, program: Program) -> tuple[Process, ...]:
    """Each statement a process of its own, but for those that the reference joins."""
    names = [one.name for one in program.statements]
    groups = [[name] for name in names]
    if case == "s004-net-tradeoff":
        groups = [["X"], ["A"], ["C0", "C1"]]
    return tuple(Process(name="_".join(one), statements=tuple(one)) for one in groups)
