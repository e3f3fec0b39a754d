"""A program written out as a process network: design.yaml with isl, and a C file for its bodies.

The network plans to what the design plans to: statements, arrays and times keep their names.
Bodies keep their C, with operands a0, a1, .. in the place of what they read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.quasi_polynomial import QuasiPolynomial
from hlsmem.emit.c.c_syntax import print_external, print_tree
from hlsmem.network.processes import Process
from hlsmem.polyhedra import DimType
from hlsmem.polyhedra.enclosing_instances import bind
from hlsmem.polyhedra.quantities import quantity_of
from hlsmem.polyhedra.relations import sets_of, with_names
from hlsmem.polyhedra.sets import parameter_names
from hlsmem.program.model import (
    Access,
    Filter,
    Kernel,
    KernelBody,
    NetworkBody,
    Program,
    Statement,
    Storage,
)
from hlsmem.program.options import Design
from hlsmem.read.c import headers, tree
from hlsmem.read.c.c_text import base_name
from hlsmem.read.c.expression_parser import number_named
from hlsmem.read.c.names import declared_names, identifiers, needed
from hlsmem.read.c.tree import INT, Float, Number, Type, element_of
from hlsmem.read.c.trees import assigned_value, changed, is_constant, rewrite, used_names
from hlsmem.read.schedule import is_given, time_names
from hlsmem.read.writing import written

_HEAD = "written by `hlsmem network`"


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkFiles:
    """The texts of NET.yaml and NET.c, "" where bodies need no C of their own."""

    yaml: str
    code: str


def network_files(
    design: Design, program: Program, processes: Sequence[Process], *, code_file: str
) -> NetworkFiles:
    """The design as a network of `processes`; `code_file` is what NET.yaml calls NET.c.

    `program` is the one of the source. Raises InputError with all that a network cannot say.
    """
    problems = Problems()
    bodies = {one.name: _body(program, one) for one in program.statements}
    code = _code(program, bodies, problems)
    content = _content(design)
    if content.get("plan", {}).get("expand"):
        what = "plan.expand is for C kernels, and a network has its own arrays"
        problems.add(what, "leave it out: --set 'plan.expand=[]'")
    _check_decided(program, problems)
    _put_arrays(content, program, problems)
    _put_network(content, program, processes, bodies)
    if code:
        content["code"] = {"file": code_file}
    problems.raise_if_any()
    head = f"# The design {program.name} as a network of processes, {_HEAD}\n"
    return NetworkFiles(yaml=head + _yaml_text(content), code=code)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Body:
    """The C text of a body, None without one, and the names in it that are not of the network."""

    text: str | None
    names: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()


def _body(program: Program, statement: Statement) -> _Body:
    match statement.body:
        case KernelBody() as body:
            return _kernel_body(program, statement, body)
        case NetworkBody(text):
            return _Body(text=text)
        case _:
            return _Body(text=None)


def _kernel_body(program: Program, statement: Statement, body: KernelBody) -> _Body:
    """`o = (a0 + a1) / 2` of a statement in C; loop variables keep the types they have there."""
    operands = {
        id(access.node): tree.ID(f"a{position}")
        for position, access in enumerate(_operands(program, statement))
    }
    counters = dict(zip(statement.iterators, body.types, strict=False))
    result = statement.writes[0].array
    taken = {result, *(one.name for one in operands.values())}

    def replace(node: Any) -> Any | None:
        if id(node) in operands:
            return operands[id(node)]
        match node:
            case tree.ID(name=name) if name in counters and name not in taken:
                return _cast(number_named([counters[name].c_name]), node)
            case tree.ID(name=name) if name in program.parameters:
                kind = _parameter_type(program, name)
                return node if kind is None else _cast(kind, node)
        return None

    value = rewrite(_value(body.node), replace)
    own = {*taken, *counters, *program.parameters}
    return _Body(
        text=f"{result} = {print_tree(value)}",
        names=frozenset(_names(value) - own),
        known=frozenset(taken),
    )


def _names(root: Any) -> set[str]:
    """Variables, functions and types that an expression names."""
    found = set(used_names(root))
    pending = [root]
    while pending:
        node = pending.pop()
        pending.extend(node)
        if isinstance(node, (Number, Float)):
            found.update(base_name(node).split())
    return found - _BASIC


_BASIC = {"int", "char", "short", "long", "unsigned", "signed", "float", "double", "void", "_Bool"}


def _value(node: Any) -> Any:
    """Value that a statement assigns, with compound assignments spelled out; filters say when."""
    match node:
        case tree.If():
            return _value(node.iftrue)
        case tree.Compound(block_items=[inner]):
            return _value(inner)
        case _:
            return assigned_value(node)


def _cast(kind: Type, node: Any) -> Any:
    """`(int)i`: iterators and parameters are wider in a network."""
    return tree.Cast(node, INT if kind == INT else kind)


def _parameter_type(program: Program, name: str) -> Type | None:
    """The type that an integer parameter of the function has; None for macros."""
    assert program.kernel is not None
    for node in program.kernel.function.parameters:
        if node.name == name:
            return element_of(node.type)
    return None


def _is_operand(program: Program, access: Access) -> bool:
    """True if a network can have the array; constants stay in C."""
    return program.arrays[access.array].storage is not Storage.ROM


def _operands(program: Program, statement: Statement) -> list[Access]:
    return [access for access in statement.reads if _is_operand(program, access)]


def _code(program: Program, bodies: Mapping[str, _Body], problems: Problems) -> str:
    """The text of NET.c, "" where no body needs one."""
    if program.code is not None:
        return _file(program, program.code.includes, program.code.declarations, frozenset())
    kernel = program.kernel
    wanted = {name for body in bodies.values() for name in body.names}
    if kernel is None or not wanted:
        return ""
    local = [one for one in _locals(kernel) if wanted & set(declared_names(one))]
    names = {*wanted, *(name for one in local for name in identifiers(one))}
    nodes = needed(kernel.declarations, names)
    known = {name for one in [*local, *nodes] for name in declared_names(one)}
    for statement in program.statements:
        body = bodies[statement.name]
        for name in sorted(known & body.known & set(names)):
            what = f"{statement.name}: {name!r} names C of the file and an operand or a result"
            problems.add(what, "rename it in the C file", statement.source_location)
        for name in sorted(body.names - known):
            if not _of_a_header(name, kernel):
                what = f"{statement.name}: a network does not know {name!r}"
                remedy = "make it a constant, an array, or a static function of the file"
                problems.add(what, remedy, statement.source_location)
    texts = [*map(print_external, nodes), *(print_external(_static(one)) for one in local)]
    return _file(program, kernel.includes, texts, frozenset(kernel.macros))


def _file(
    program: Program, includes: Sequence[str], texts: Sequence[str], macros: frozenset[str]
) -> str:
    lines = [f"/* C for the bodies of the network {program.name}, {_HEAD} */", *includes]
    text = "\n".join(texts)
    used = [n for n in program.parameters if n in macros and n in text]
    code = program.code
    used += [n for n in program.parameters if code is not None and n in code.parameters]
    for name in used:
        lines += [f"#ifndef {name}", f"#define {name} {program.values[name]}", "#endif"]
    return "\n".join([*lines, *texts]) + "\n"


def _locals(kernel: Kernel) -> list[Any]:
    """Constants that the function declares around the region."""
    return [
        node
        for node in kernel.function.body.block_items
        if isinstance(node, tree.Decl) and is_constant(node)
    ]


def _static(node: Any) -> Any:
    if "static" in node.storage:
        return node
    return changed(node, storage=["static", *node.storage])


def _of_a_header(name: str, kernel: Kernel) -> bool:
    files = [line.partition("<")[2].rstrip(">") for line in kernel.includes]
    # Casts are to types of <stdint.h>, which C of networks includes.
    known = headers.types_of(["stdint.h", *files])
    return name in known or name in headers.PURE_FUNCTIONS


def _content(design: Design) -> Any:
    from ruamel.yaml import YAML

    first, _, rest = (text := written(design, [])).partition("\n")
    return YAML().load(rest if _HEAD in first else text)


def _check_decided(program: Program, problems: Problems) -> None:
    """Data may decide by filters alone what a statement of a network writes, and which element.

    A read that the body does not use under some data is one all the same.
    """
    for statement in program.statements:
        for touched, accesses in (("read", statement.reads), ("written", statement.writes)):
            for access in accesses:
                is_certain = access.must or touched == "read" or statement.filters
                if access.chosen or not is_certain:
                    which = "which element is" if access.chosen else "whether it is"
                    what = f"{statement.name}: data decide {which} {touched}: {access.array!r}"
                    remedy = "a network has filters for whole instances: plan the kernel as it is"
                    problems.add(what, remedy, access.source_location or statement.source_location)


def _put_arrays(content: Any, program: Program, problems: Problems) -> None:
    """Arrays with all that the C said of them, in their order; other settings stay."""
    given = content.get("arrays") or {}
    arrays = {}
    for name, array in program.arrays.items():
        if array.storage is Storage.ROM:
            continue
        keys: dict[str, Any] = {"type": array.element.name}
        extents = array.extents
        if extents is None:
            extents = _reached(program, name)
        if extents is not None:
            keys["extents"] = _in_line(map(_extent, extents))
        elif array.storage is not Storage.MEMORY or array.is_parameter:
            what = f"a network needs the extents of {name!r}"
            problems.add(what, f"add arrays.{name}.extents", array.source_location)
        if array.index:
            keys["index"] = _in_line(array.index)
        keys["storage"] = array.storage.value
        if array.values is not None:
            keys["values"] = _in_line(map(_extent, array.values))
        rest = dict(given.get(name) or {})
        arrays[name] = {**keys, **{k: v for k, v in rest.items() if k not in keys}}
    content["arrays"] = arrays


def _reached(program: Program, name: str) -> tuple[QuasiPolynomial, ...] | None:
    """Extents with room for all accesses; None where no formula gives the greatest subscript."""
    touched = None
    for statement in program.statements:
        for access in (*statement.sees, *statement.writes):
            if access.array == name:
                own = access.relation.intersect_domain(statement.domain).range()
                touched = own if touched is None else touched.union(own)
    if touched is None:
        return None
    touched = touched.intersect_params(program.context)
    tops = [touched.dim_max(position) for position in range(touched.dim(DimType.set))]
    found = [quantity_of(top, program.context) for top in tops]
    known = [one + 1 for one in found if one is not None]
    return tuple(known) if len(known) == len(found) else None


def _in_line(entries: Iterable[Any]) -> Any:
    """A list that YAML writes on one line."""
    from ruamel.yaml.comments import CommentedSeq

    found = CommentedSeq(entries)
    found.fa.set_flow_style()
    return found


def _extent(extent: QuasiPolynomial) -> int | str:
    value = extent.constant_value()
    return str(extent) if value is None else int(value)


def _put_network(
    content: Any,
    program: Program,
    processes: Sequence[Process],
    bodies: Mapping[str, _Body],
) -> None:
    from ruamel.yaml.comments import CommentedMap

    content.pop("kernel", None)
    content.pop("code", None)
    content.pop("multifor", None)
    statements = {one.name: one for one in program.statements}
    content["network"] = {
        process.name: {
            "statements": {
                name: _statement(program, statements[name], bodies[name].text)
                for name in process.statements
            }
        }
        for process in processes
    }
    for key in ("live_in", "live_out"):
        live = sets_of(getattr(program, key))
        content[key] = [
            _set_text(one, program)
            for name, array in program.arrays.items()
            for one in live
            if one.get_tuple_name() == name and array.storage is not Storage.ROM
        ]
    if not is_given(content.get("schedule")):
        pipeline = content.setdefault("pipeline", CommentedMap())
        pipeline["level"] = program.step_dimensions
    unroll = (content.get("pipeline") or {}).get("unroll")
    if unroll:
        taken = {*program.parameters, *program.arrays}
        names = time_names(program.time_dimensions, taken)
        content["pipeline"]["unroll"] = {names[k]: v for k, v in program.unroll.items()}


def _statement(program: Program, statement: Statement, body: str | None) -> dict[str, Any]:
    domain = statement.domain.intersect_params(program.context)
    found: dict[str, Any] = {
        "domain": _domain_text(statement, program),
        "schedule": _map_text(statement.schedule, domain, statement),
    }
    reads = [_map_text(one.relation, domain, statement) for one in _operands(program, statement)]
    if reads:
        found["reads"] = reads
    if statement.writes:
        found["writes"] = [_map_text(one.relation, domain, statement) for one in statement.writes]
    if statement.filters:
        found["filter"] = [_filter(one, domain, statement) for one in statement.filters]
    if body is not None:
        found["body"] = body
    if statement.latency != 1:
        found["latency"] = statement.latency
    return found


def _filter(given: Filter, domain: Any, statement: Statement) -> dict[str, Any]:
    found: dict[str, Any] = {
        "access": [_map_text(one.relation, domain, statement) for one in given.accesses],
        "value": _map_text(given.value, domain, statement),
    }
    return found if given.loops is None else {**found, "loops": given.loops}


def _domain_text(statement: Statement, program: Program) -> str:
    """{ S[y,x] : .. } with plain names, whatever is fixed."""
    parameters = parameter_names(statement.domain)
    domain = statement.domain.gist_params(program.context).coalesce()
    condition = str(bind(domain, statement.iterators)).partition("{")[2].rpartition("}")[0]
    condition = condition.strip().removeprefix(":").strip() or "true"
    at = ",".join(statement.iterators)
    return f"[{', '.join(parameters)}] -> {{ {statement.name}[{at}] : {condition} }}"


def _map_text(relation: Any, domain: Any, statement: Statement) -> str:
    relation = relation.gist_domain(domain).coalesce()
    return str(with_names(relation, DimType.in_, statement.iterators))


def _set_text(elements: Any, program: Program) -> str:
    index = program.arrays[elements.get_tuple_name()].index
    elements = with_names(elements, DimType.set, index)
    return str(elements.gist_params(program.context).coalesce())


def _yaml_text(content: Any) -> str:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096
    yaml.indent(mapping=2, sequence=4, offset=2)
    stream = StringIO()
    yaml.dump(content, stream)
    return stream.getvalue()


__all__ = ["NetworkFiles", "network_files"]
