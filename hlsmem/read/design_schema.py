"""The keys of design.yaml, their types, defaults and descriptions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from hlsmem.core.wording import listed
from hlsmem.devices import FAMILIES
from hlsmem.program.model import ElementType
from hlsmem.program.options import CLOCK_MHZ
from hlsmem.read.c.dialect import all_dialects

if TYPE_CHECKING:
    _Dialect = str
else:
    _Dialect = Literal["auto", *all_dialects()]

ISL_SET = 'an isl set, such as "[N] -> { A[i] : 0 <= i < N }"'
ISL_MAP = 'an isl map, such as "[N] -> { S[i] -> A[i + 1] : 0 <= i < N }"'


def _element_type(value: Any) -> str:
    try:
        return ElementType(value if isinstance(value, str) else repr(value)).name
    except ValueError:
        raise PydanticCustomError(
            "expected", "a type", {"remedy": "use int1 to int64, uint1 to uint64, float or double"}
        ) from None


def _extent(value: Any) -> int | str:
    if isinstance(value, (int, str)) and not isinstance(value, bool):
        return value
    raise PydanticCustomError(
        "expected", "an integer or an expression", {"remedy": 'write it like 8 or "N/2 + 1"'}
    )


TypeName = Annotated[
    str,
    PlainValidator(_element_type),
    WithJsonSchema(
        {"type": "string", "pattern": "^(u?int([1-9]|[1-5][0-9]|6[0-4])|float|double)$"}
    ),
]
# What a design may say to a compiler: nothing here names a program or a file to write.
_FLAGS = (
    r"-D[A-Za-z_]\w*(\([\w\s,.]*\))?(=.*)?",
    r"-U[A-Za-z_]\w*",
    r"-std=[a-z0-9:+]+",
    r"-O[0-3]",
    r"-W[a-z][^,]*",
    r"-f(wrapv|no-strict-aliasing|(un)?signed-char)",
    r"-ffp-contract=(off|on|fast)",
    r"-m(32|64)",
)


FLAGS_REMEDY = (
    "use -DNAME=VALUE, -UNAME, -I with a folder below the design, -std=, -O0 to -O3, -W with"
    " a name, -fwrapv, -fno-strict-aliasing, -fsigned-char, -funsigned-char, -ffp-contract=,"
    " -m32 or -m64"
)


def is_flag(flag: str) -> bool:
    """True if a design may give a compiler a flag.

    >>> is_flag("-Iinc"), is_flag("-I../inc"), is_flag("-DN=4"), is_flag("-o")
    (True, False, True, False)
    """
    if flag.startswith("-I"):
        folder = flag.removeprefix("-I")
        return bool(folder) and folder[0] != "/" and ".." not in folder.split("/")
    return any(re.fullmatch(one, flag, re.DOTALL) for one in _FLAGS)


def _flag(value: Any) -> str:
    flag = value if isinstance(value, str) else repr(value)
    if is_flag(flag):
        return flag
    raise PydanticCustomError("expected", "one of the flags of C here", {"remedy": FLAGS_REMEDY})


Streams = Annotated[tuple[str, ...], Field(strict=False)]
Flag = Annotated[str, PlainValidator(_flag), WithJsonSchema({"type": "string"})]
Extent = Annotated[
    int | str,
    PlainValidator(_extent),
    WithJsonSchema({"type": ["integer", "string"]}),
]


def _bounds(value: Any) -> tuple[int | str, int | str]:
    if isinstance(value, (list, tuple)) and len(value) == 2:
        return _extent(value[0]), _extent(value[1])
    remedy = "write the least and the greatest, as [0, 255]"
    raise PydanticCustomError("expected", "two numbers or expressions", {"remedy": remedy})


Bounds = Annotated[
    tuple[int | str, int | str],
    PlainValidator(_bounds),
    WithJsonSchema(
        {"type": "array", "items": {"type": ["integer", "string"]}, "minItems": 2, "maxItems": 2}
    ),
]


class Keys(BaseModel):
    """A mapping that takes no other keys than those it names."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class CallKeys(Keys):
    """A function that runs in its turn."""

    call: str = Field(description='the call, such as "hblur(in, t)"')


class KernelKeys(Keys):
    """A C function: what is planned is its `#pragma scop` region, else its body."""

    file: str = Field(description="C file, in the folder of the design or below it")
    sources: tuple[str, ...] = Field(
        default=(),
        strict=False,
        description="further C files, with functions that the kernel's file calls",
    )
    function: str | None = Field(
        default=None,
        description="name of the function; default: the one that a pragma marks as top, else that a"
        " project of Vitis beside the file names, else the one that has a scop, else the only one"
        " that nothing but main calls",
    )
    functions: tuple[CallKeys, ...] = Field(
        default=(),
        strict=False,
        description="functions that run one after the other in place of one; an array that one"
        " writes and a later one reads is on chip, unless arrays.X.storage says otherwise",
    )
    trips: dict[str, Extent] = Field(
        default={},
        description="the most turns of loops that data end, by the labels in front of them, as"
        ' numbers or sums of parameters such as "2*W - 1"; host C asserts them',
    )
    macros: Literal["numbers", "parameters"] | None = Field(
        default=None,
        description="parameters: integer macros that are a whole extent or bound are parameters"
        " with their numbers as values, where the kernel can be read and analysed so; the default"
        " is parameters for a C file by itself, else numbers",
    )
    pragmas: Literal["judge", "obey", "ignore"] = Field(
        default="judge",
        description="#pragma HLS: PIPELINE, UNROLL, INTERFACE and BIND_STORAGE say what the design"
        " does not, DATAFLOW is plan.capacity: selftimed; judge: ARRAY_PARTITION and STREAM are"
        " held against the plan; obey: ARRAY_PARTITION is followed, and the plan fails where a"
        " STREAM is too shallow; ignore: none is read",
    )
    loops: Literal["written", "pipelined"] | None = Field(
        default=None,
        description="pipelined: sums are collected in variables; of each nest the outermost loop"
        " whose inner ones have at most 64 constant turns together, and store nothing by their"
        " variables, else the innermost one, is read as if #pragma HLS PIPELINE stood in it, unless"
        " a pragma says how its loops run; variables of one nest are kept by the datapath. The"
        " default is pipelined where the design leaves times, steps and mappings to the plan, else"
        " written",
    )
    parameters: Literal["external", "auto"] | Streams | None = Field(
        default=None,
        description="auto: an array parameter that is only read is a stream where it is legal and"
        " its cells are at most half of its elements, one that is only written where it holds one"
        " word; arrays.X.storage and INTERFACE say otherwise. C has these streams as arrays of its"
        " caller. A list: auto, and these are such streams. The default is auto where that of loops"
        " is pipelined, else external",
    )
    windows: Literal["written", "zero"] | None = Field(
        default=None,
        description="what windows and line buffers that are shifted by hand hold at first; zero: 0,"
        " your promise that no output needs it; written: what C gives them. The default is zero"
        " where no output is seen to need it, and they are then read where values come from",
    )
    cflags: tuple[Flag, ...] = Field(
        default=(),
        strict=False,
        description="flags for the preprocessor and the compilers of `check`, of a list: -D, -U,"
        " -I below the design, -std=, -O, -W, what integers and floats mean, -m32, -m64",
    )


class PartKeys(Keys):
    """Some operands of an array and the kind of storage for them."""

    operands: tuple[Annotated[str, Field(pattern=r"^m_\w+\.[0-9]+$")], ...] = Field(
        strict=False,
        min_length=1,
        description="read stream and number of the operand, such as m_t_A.0; one at least",
    )
    kind: Literal["wire", "registers", "chain", "fifo", "banked", "ram"] = Field(
        description="what holds the elements that they read"
    )


PartsName = Literal["auto", "one", "streams", "operands"]


class ArrayKeys(Keys):
    """Storage of one array, and its properties that nothing else declares."""

    storage: Literal["external", "memory", "stream", "rom", "state", "datapath"] | None = Field(
        default=None,
        description=(
            "external: no hardware is made (default for parameters of a kernel); memory: on chip"
            " (default otherwise); stream: elements enter or leave once, in an order; rom:"
            " constant content; datapath: no memory and no stream, for variables of one loop nest"
            " of a kernel whose subscripts are numbers"
        ),
    )
    type: TypeName | None = Field(
        default=None,
        description="int1 to int64, uint1 to uint64, float or double; default: as in C, else int32",
    )
    extents: tuple[Extent, ...] | None = Field(
        default=None,
        strict=False,
        description="size in every dimension: integers or expressions over the parameters",
    )
    index: tuple[str, ...] | None = Field(
        default=None,
        strict=False,
        description="names of the coordinates; default: as in the isl text, else i0, i1, ..",
    )
    elements: str | None = Field(
        default=None, description=f"of a conflict set: the elements that exist, {ISL_SET}"
    )
    arrival: str | None = Field(
        default=None,
        description="of a stream: an isl map from element to the time at which it enters",
    )
    departure: str | None = Field(
        default=None,
        description="of a stream: an isl map from element to the time at which it leaves",
    )
    values: Bounds | None = Field(
        default=None,
        description="least and greatest value of every element, affine in the parameters;"
        " default: the range of the type",
    )
    style: Literal["auto", "block", "distributed", "registers", "large"] = Field(
        default="auto",
        description="kind of memory on the chip; large: UltraRAM, where the device has it",
    )
    reads: Literal["auto", "copies", "banks", "chain", "fifo"] = Field(
        default="auto",
        description=(
            "what serves the reads: copies of a RAM, banks that the reads of a beat are apart in,"
            " a reuse chain, or a FIFO; auto: what plan.objective makes least"
        ),
    )
    parts: PartsName | Annotated[tuple[PartKeys, ...], Field(strict=False, min_length=1)] = Field(
        default="auto",
        description=(
            "which reads have storage of their own: one for all, one for each read stream, one for"
            " each operand, or a list; auto: what plan.objective makes least"
        ),
    )
    max_banks: int | None = Field(
        default=None,
        ge=1,
        description="most banks that the array may be split into; 1: none, copies serve its reads",
    )
    word: int = Field(
        default=1,
        ge=1,
        le=64,
        description="elements of the last dimension that come in one beat, the first in the lowest"
        " bits; a whole accelerator finds those of which each beat reads all",
    )
    transfer: Literal["auto", "used", "whole"] = Field(
        default="auto",
        description=(
            "the elements of a stream: those that are read, or written, or all that are declared;"
            " auto: all of those of a whole accelerator. Memories alone let no others out"
        ),
    )


class FilterKeys(Keys):
    """A condition known at run time: an instance that it keeps from running touches nothing."""

    access: tuple[str, ...] = Field(
        strict=False,
        description=f"the elements that it looks at, each {ISL_MAP}, to one element or to several",
    )
    value: str = Field(
        description='the values with which an instance runs, such as "{ S[i] -> [1] }", an entry'
        " for each access; instances outside of the map's domain run always",
    )
    loops: int | None = Field(
        default=None,
        ge=0,
        description="loops around the innermost condition; default: all loops around the statement",
    )


def _filters(value: Any) -> str:
    return "several" if isinstance(value, (list, tuple)) else "one"


class StatementKeys(Keys):
    """A family of instances with their times and accesses."""

    domain: str = Field(description=f"the instances: {ISL_SET}, with the statement's name")
    schedule: str = Field(
        description='their times: an isl map, such as "{ S[i,j] -> [i,j,0] }"; all schedules of'
        " a design have the same number of dimensions"
    )
    reads: tuple[str, ...] = Field(
        default=(),
        strict=False,
        description=f"operands a0, a1, .. in order, each {ISL_MAP}; an instance outside of the"
        " map's domain does not read",
    )
    writes: tuple[str, ...] = Field(
        default=(), strict=False, description=f"at most one for an array, each {ISL_MAP}"
    )
    body: str | None = Field(
        default=None,
        description='C text, such as "o = (a0 + a1) / 2": operands are a0, a1, .., the result is'
        " the name of the written array; iterators, parameters and what code declares may stand in"
        " it; default: an uninterpreted mix of the operands",
    )
    latency: int | None = Field(
        default=None, ge=0, description="cycles from operands to result; default: the process's"
    )
    filter: Annotated[
        Annotated[FilterKeys, Tag("one")]
        | Annotated[tuple[FilterKeys, ...], Field(strict=False), Tag("several")],
        Discriminator(_filters),
    ] = Field(
        default=(),
        description="conditions on the values of elements; of a list, for disjoint instances",
    )


class ProcessKeys(Keys):
    """A named set of statements."""

    statements: dict[str, StatementKeys] = Field(description="the statements by name")
    latency: int = Field(
        default=1, ge=0, description="cycles from operands to result, for every statement"
    )


class CodeKeys(Keys):
    """A C file with what the bodies of a network need: types, constants, static functions."""

    file: str = Field(description="C file, in the folder of the design or below it")
    cflags: tuple[Flag, ...] = Field(
        default=(),
        strict=False,
        description="flags for the preprocessor, such as -DFAST=1, of the list of kernel.cflags",
    )


class ConflictKeys(Keys):
    """Elements of an array that are live together: one of the two keys."""

    differences: str | None = Field(
        default=None,
        description='differences of conflicting elements: an isl set, such as "{ [0,1]; [1,0] }";'
        " closed under sign, 0 added",
    )
    pairs: str | None = Field(
        default=None, description='conflicting elements: an isl map "{ A[..] -> A[..] : .. }"'
    )


class PipelineKeys(Keys):
    """Overlap of iterations."""

    level: int | None = Field(
        default=None,
        ge=1,
        description="loops whose iteration is one step: default the deepest nest; for a network"
        " and with `schedule` the number of leading schedule dimensions, default all but the last"
        " with order iteration, else all but slots",
    )
    interval: int | None = Field(
        default=None,
        ge=1,
        description="a step starts every so many cycles, or more often; refused where it cannot",
    )
    unroll: dict[str, Annotated[int, Field(ge=1)]] = Field(
        default={},
        description="iterations of a loop that make one step, side by side, by loop name;"
        " with order iteration",
    )
    latency: dict[str, Annotated[int, Field(ge=0)]] = Field(
        default={}, description="cycles from operands to result, by statement"
    )
    recurrence: dict[str, Annotated[int, Field(ge=1)]] = Field(
        default={},
        description="cycles from a beat to the next one that needs what the datapath keeps of it,"
        " by statement; default: its latency",
    )
    together: tuple[Annotated[tuple[str, ...], Field(strict=False, min_length=2)], ...] = Field(
        default=(),
        strict=False,
        description="lists of statements of one loop body that make one beat, at the times of the"
        " first: one stream has all that they read of an array; a whole accelerator finds them",
    )


class SourceKeys(Keys):
    write: Literal["auto", "none"] = Field(
        default="auto",
        description="auto: OUT/source has each file of the user that changes, with its patch; none:"
        " nothing of it is made",
    )
    dialect: _Dialect = Field(
        default="auto",
        description="pragmas in loops that change: those of a tool; auto: as the user's",
    )
    lines: Literal["auto", "rows", "ring"] = Field(
        default="auto",
        description="rows: lines as long as the inner loop, indexed by its variable; ring: as few"
        " words as can be, with a counter; auto: rows where they have at most a tenth or 16 words"
        " more",
    )


class FunctionKeys(Keys):
    """A module of the user's that computes a function: clk, ce, a0, a1, .. and q."""

    module: str | None = Field(
        default=None, description="its name; one result a cycle, without a reset; has to be there"
    )
    file: str | None = Field(
        default=None, description="the Verilog it stands in, beside the design; has to be there"
    )
    latency: int | None = Field(
        default=None,
        ge=1,
        description="enabled clock edges from operands to the result; has to be there",
    )


class AcceleratorKeys(Keys):
    """What is generated beside the memories."""

    functions: dict[str, FunctionKeys] = Field(
        default={},
        description="modules of the user's, by the C function that they compute, or by the operator"
        " of floats: f+ f- f* f/ f< f<= f==, and d+ .. of doubles",
    )

    build: Literal["auto", "whole", "memories"] = Field(
        default="auto",
        description="memories: the datapath is the user's; whole: datapath and top, refused where"
        " a statement has no circuit; auto: whole where that can be, else memories",
    )


class BandKeys(Keys):
    """Rows of loops that are run together."""

    kind: Literal["tiled", "sequential"] = Field(
        description="tiled: in tiles of any sizes and origins; sequential: one after the other"
    )
    rows: str | Annotated[tuple[str, ...], Field(strict=False)] = Field(
        description='expressions in the loops, such as [t, "t + i"]; for several statements an isl'
        ' union map "{ S1[t,i] -> [t, t + i]; S2[t,i] -> [t, t + i + 1] }"',
    )


class SearchKeys(Keys):
    """Search for other orders of the statements."""

    order: Literal["kept", "any"] = Field(
        default="kept",
        description="kept: every statement that touches a stream or an external array runs its"
        " instances in their old order; any: such arrays may be read and written by columns",
    )
    strips: tuple[Annotated[int, Field(ge=1)], ...] = Field(
        default=(32, 64, 128),
        strict=False,
        description="widths of strips that the innermost common loop is cut into, with order any",
    )


class PlanKeys(Keys):
    """Options of the planner, and its objective."""

    method: str = Field(default="auto", description="a mapping method, or auto for the best")
    strict: bool = Field(
        default=False,
        description="forbid to read and overwrite a cell at the same schedule time; for the same"
        " clock cycle of the hardware use slack",
    )
    slack: int = Field(
        default=0, ge=0, description="beats by which every live interval is made longer"
    )
    round: Literal["none", "pow2"] = Field(
        default="none", description="pow2: every modulus a power of two, so that bits are cut off"
    )
    dimensions: int | None = Field(
        default=None, ge=1, description="most components of a mapping; 1: one modulus; null: any"
    )
    budget: int = Field(
        default=1_000_000, ge=1, description="work a search may spend on an array, in steps"
    )
    tile: str | None = Field(
        default=None,
        description="an isl set of times (all entries, or the first ones): only instances inside"
        " are planned; what they make and others read is live after them, memories do not hold"
        " what others make",
    )
    schedules: Literal["given", "sequential", "tiled", "affine", "any", "before"] = Field(
        default="given",
        description="the orders that the cells have to be right for: the design's own; all that"
        " keep its bands in sequence; all tilings of its bands; all affine schedules in one"
        " dimension; all that keep the dependences; all that keep plan.before",
    )
    bands: tuple[BandKeys, ...] | None = Field(
        default=None,
        strict=False,
        description="of sequential and tiled: the bands, outermost first; default: all of the"
        " design's times, or one band of the loops that all statements of a nest share",
    )
    before: str | None = Field(
        default=None,
        description='of before: an isl union map "{ S[i] -> S[j] : .. }" of instances that run in'
        " this order, or at once, in every order",
    )
    affine: Literal["fixed", "symbolic"] = Field(
        default="fixed",
        description="of affine: schedules at the plan's sizes, or affine in sizes without end",
    )
    expand: tuple[str, ...] = Field(
        default=(),
        strict=False,
        description="arrays that C writes in place and that are put into single assignment: the"
        " values of A become the array A_v, with the index [writing statement, its loops]",
    )
    search: SearchKeys = Field(
        default=SearchKeys(), description="orders for schedule: auto, and for `hlsmem what-if`"
    )
    reuse: str | None = Field(
        default=None,
        description="a plan.json whose mappings are taken over for this design's schedule, such as"
        " ../tiled/plan.json: they are proved again, at the sizes of this design, not searched",
    )
    split: Literal["none", "auto"] = Field(
        default="none",
        description="auto: elements at the borders of an array that live longer than the others"
        " have cells of their own, where that takes fewer in all",
    )
    channels: Literal["auto", "memory", "dedicated"] = Field(
        default="auto",
        description="storage that is left out where an array's own reads and parts leave it to the"
        " plan: memory: wires, chains and FIFOs; dedicated: memories that several operands read,"
        " and those of operands that something else serves",
    )
    capacity: Literal["schedule", "selftimed"] = Field(
        default="schedule",
        description="words of FIFOs, and of windows in place of RAMs: those that wait at once in"
        " the order of the schedule, or as few as processes need that each run as far ahead as"
        " they can; of a kernel where that costs no cycles, or plan.objective is words",
    )
    control: Literal["auto", "skip", "predicate"] = Field(
        default="auto",
        description="streams of statements with filters: skip: beats of those instances alone that"
        " run; predicate: a beat for every instance, and tuser of what is written says whether it"
        " runs; auto: skip, and predicate with a remark where that cannot be or takes fewer cycles",
    )
    share: bool = Field(default=False, description="let several arrays share one memory")
    objective: Literal["auto", "cells", "words", "blocks", "cycles", "delay"] = Field(
        default="auto",
        description="what the hardware makes small: LUTs and block RAMs of the target at the"
        " family's rate, words without a target (auto), or cells, words, blocks alone; cycles: as"
        " auto, and schedule: auto gives no cycles for words, which words alone always does",
    )


class TargetKeys(Keys):
    """The device the hardware is for."""

    device: str | None = Field(
        default=None,
        description=f"such as ecp5-25k; families are {listed(tuple(FAMILIES))}",
    )
    block_rams: int | None = Field(
        default=None,
        ge=0,
        description="block RAMs that may be used, in the family's smallest (of RAMB36 a half);"
        " default: those of the device",
    )
    output_register: Literal["auto", "yes", "no"] = Field(
        default="auto",
        description="use the output register of block RAMs: a cycle later, a faster clock on ECP5;"
        " auto: there, where it costs neither blocks nor cycles between steps",
    )
    clock_mhz: int = Field(
        default=CLOCK_MHZ,
        ge=1,
        le=180,
        description="the clock that stages of datapaths are made for, with the delays of an ECP5;"
        " above 180 MHz no sum of 64 bits fits a cycle",
    )


class NestKeys(Keys):
    """A nest of a multifor block."""

    label: str = Field(description="a statement in the nest, by its label")
    grain: Annotated[tuple[int, ...], Field(strict=False)] = Field(
        default=(),
        description="ticks from one iteration to the next, for each loop, outermost first; 1",
    )
    offset: Annotated[tuple[int, ...], Field(strict=False)] = Field(
        default=(), description="the tick of the first iteration, for each loop; 0"
    )


class MultiforKeys(Keys):
    """Nests of a kernel that run side by side."""

    mode: Literal["sequence", "parallel"] = Field(
        default="sequence",
        description="sequence: in one tick nests run in their order; parallel: at once",
    )
    nests: Annotated[tuple[NestKeys, ...], Field(strict=False, min_length=1)] = Field(
        description="the nests in their order"
    )


class ArrayLimitKeys(Keys):
    """Limits of one array."""

    cells: int | None = Field(default=None, ge=0, description="most cells of the mapping")
    words: int | None = Field(
        default=None, ge=0, description="most words, with copies and what is left over"
    )
    bits: int | None = Field(default=None, ge=0, description="most bits: cells times element bits")
    blocks: int | None = Field(
        default=None, ge=0, description="most block RAMs of the target's device"
    )
    standing: Literal["optimal", "modular"] | None = Field(
        default=None,
        description="optimal: no mapping of any kind has fewer cells; modular: no modular one",
    )


class LimitKeys(ArrayLimitKeys):
    """Limits of the plan: `plan` writes it, names those not met, and exits with 1."""

    cycles: int | None = Field(default=None, ge=0, description="most cycles of a run")
    arrays: dict[str, ArrayLimitKeys] = Field(default={}, description="limits of arrays by name")


class HostChoiceKeys(Keys):
    """The cells that the generated C takes for an array, of those that are right for it."""

    method: str | None = Field(default=None, description="the method that finds the mapping")
    shape: Literal["straight", "rows", "segments", "remainders"] | None = Field(
        default=None,
        description="what loops do: straight, without a remainder anywhere; rows, which wrap beside"
        " loops; segments, cut where a row wraps; remainders, one in every iteration",
    )


class HostKeys(Keys):
    """The generated C."""

    storage: Literal["auto", "stack", "static", "malloc"] = Field(
        default="auto",
        description="where the wrapper keeps its workspace; auto: static where an array of the"
        " source is, else the stack up to stack_kib, else malloc",
    )
    stack_kib: int = Field(
        default=64, ge=1, description="the most of the stack that the wrapper takes, in KiB"
    )
    tiled: bool = Field(
        default=False,
        description="with plan.schedules: tiled, add a function that runs the program tile by"
        " tile, for tiles of any size and origin of the outermost tiled band",
    )
    order: Literal["auto", "given"] = Field(
        default="auto",
        description="auto: C may run statements in loops apart, loops inside of others and in"
        " strips where more of its innermost loops are vectors then; with objective: plan and with"
        " host.choice it keeps the given order",
    )
    objective: Literal["plan", "speed", "ram"] = Field(
        default="speed",
        description="speed: the mappings with which C is fastest by a score, right for its own"
        " order; plan: the plan's, renumbered where loops then walk over neighbours; ram: the order"
        " and the mappings that take fewest bytes",
    )
    extra_cells: int = Field(
        default=35,
        ge=0,
        le=1000,
        description="cells in percent that objective: speed may take more than the plan; one row"
        " more is always allowed",
    )
    sizes: list[dict[str, int]] = Field(
        default=[],
        description="values of parameters that the score is summed over; those that one does not"
        " name are the plan's. Default: the plan's values, and 16 times them",
    )
    choice: dict[str, HostChoiceKeys] = Field(
        default={},
        description="what C takes for arrays by name, whatever it scores and however many cells",
    )
    inputs: dict[str, Annotated[tuple[str, str], Field(strict=False)]] = Field(
        default={},
        description="least and greatest value that checks give a parameter, such as {r:"
        ' ["-1e-4", "1e-4"], gain: ["1", "9"]}; default: -125 and 125 for floats, integers up to'
        " 1000. Results have to be finite",
    )
    alias: Literal["auto", "check", "stop", "refuse"] = Field(
        default="auto",
        description="what C does where arguments overlap, and its order needs them apart: check"
        " runs the order of the text, in the same workspace; stop calls NAME_OVERLAP(), a macro,"
        " by default abort(); auto is check, but stop where that needs less than half of the"
        " bytes; refuse is as auto, and refuses plain pointers, one of them written",
    )
    specialise: Literal["none", "auto"] | dict[str, list[int]] = Field(
        default="none",
        description="parameters that get their values in place of their names, where only then all"
        " is affine: auto takes the fewest, at the values of params, as is done by default where"
        " the kernel is refused; {s: [1, 2]} makes a version of the C for each value of s. Other"
        " values run the function as it was",
    )
    profile: bool = Field(
        default=False,
        description="the C has a counting build: compiled with -DNAME_PROFILE='\"FILE\"' it adds a"
        " line with the values of the parameters to FILE at every call, for plan --profile FILE",
    )
    tile: Literal["auto", "none", "sica", "sica-min", "sica-max"] | dict[str, list[int]] = Field(
        default="auto",
        description="tiles of C's loops where it may have an order of its own. auto: blocks of a"
        " serial loop where what is swept inside is more than the second cache; sica: the vector"
        " loop by the first cache, the outermost by the second; sica-min, sica-max: the least or"
        " the greatest of these for all vector loops; {M: [2048, 32]}: these two, by statement",
    )
    jam: Literal["auto", "none"] = Field(
        default="auto",
        description="auto: a serial loop just outside of a vector loop runs four iterations in one,"
        " in their order, where C may have an order of its own",
    )
    l1_kib: Annotated[int, Field(ge=1)] | Literal["machine"] = Field(
        default=32,
        description="first-level data cache in KiB; machine: of the one that plans, recorded in"
        " plan.json",
    )
    l2_kib: Annotated[int, Field(ge=1)] | Literal["machine"] = Field(
        default=256, description="second-level cache in KiB, or machine"
    )
    simd_bits: Annotated[int, Field(ge=8)] | Literal["machine"] = Field(
        default=256, description="width of vector registers in bits, or machine"
    )
    rho: float | str = Field(
        default="9/10", description="share of the first cache that tiles may fill, in (0, 10]"
    )


class DesignKeys(Keys):
    """A design for hlsmem: a C kernel, a process network or a conflict set, and what to plan."""

    hlsmem: Literal[1] = Field(description="version of this format")
    name: str = Field(description="name of the design: a C identifier")
    params: dict[str, int | None] = Field(
        default={}, description="the parameters and their values; null where none is needed"
    )
    context: str | None = Field(
        default=None,
        description='parameters the design is for: an isl set, such as "[N] -> { : N >= 3 }";'
        " default: every parameter at least 1, and with kernel.macros: parameters at least so large"
        " that all that runs at its values does. Every array has to have elements in any case",
    )
    kernel: KernelKeys | None = Field(default=None, description="a C kernel")
    network: dict[str, ProcessKeys] | None = Field(
        default=None, description="a process network: processes by name"
    )
    conflicts: dict[str, ConflictKeys] | None = Field(
        default=None, description="conflict sets by array, instead of a program"
    )
    code: CodeKeys | None = Field(
        default=None, description="types, constants and functions for the bodies of a network"
    )
    arrays: dict[str, ArrayKeys] = Field(default={}, description="settings of arrays by name")
    schedule: str | None = Field(
        default=None,
        description="the times of all statements, instead of the order of the program: an isl union"
        " map or a schedule tree; refused where it violates a dependence. auto: a legal order in"
        " which arrays take fewer bits, where it is worth its cycles (the default of C); text: that"
        " of the program (the default of networks)",
    )
    multifor: tuple[MultiforKeys, ...] = Field(
        default=(),
        strict=False,
        description="nests of a kernel that run side by side, in place of multifor pragmas",
    )
    order: Literal["sequential", "iteration"] = Field(
        default="sequential",
        description="sequential: one statement instance after the other; iteration: all"
        " instances of a step of the pipeline at once",
    )
    live_in: tuple[str, ...] | None = Field(
        default=None,
        strict=False,
        description="elements with a value before the start: isl sets; default: what is read of"
        " the kernel's parameters (network: of external arrays and streams)",
    )
    live_out: tuple[str, ...] | None = Field(
        default=None,
        strict=False,
        description="elements needed after the end: isl sets; default: what is written of the"
        " kernel's parameters (network: of external arrays and streams)",
    )
    pipeline: PipelineKeys = Field(default=PipelineKeys(), description="overlap of iterations")
    plan: PlanKeys = Field(default=PlanKeys(), description="options of the planner")
    target: TargetKeys = Field(default=TargetKeys(), description="device of the hardware")
    accelerator: AcceleratorKeys = Field(
        default=AcceleratorKeys(), description="the datapath around the memories"
    )
    source: SourceKeys = Field(
        default=SourceKeys(), description="the user's text, as it comes back with the storage"
    )
    host: HostKeys = Field(default=HostKeys(), description="options of the generated C")
    limits: LimitKeys = Field(default=LimitKeys(), description="what the plan may take at most")


def json_schema() -> dict[str, Any]:
    """The JSON Schema of design.yaml, with a description on every key."""
    schema = DesignKeys.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "design.yaml of hlsmem",
        "oneOf": [{"required": [kind]} for kind in ("kernel", "network", "conflicts")],
    }
