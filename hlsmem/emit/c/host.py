"""Host C of a plan: the parts of the two files, from a kernel, a network or a conflict set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pycparser import c_ast

from hlsmem.emit.c.code import Region
from hlsmem.emit.c.conflicts import conflict_files
from hlsmem.emit.c.files import Function, Parts, is_type, source_files
from hlsmem.emit.c.folds import Fold, fold_of, plans_in_order, storage_bits, workspace
from hlsmem.emit.c.functions import network_functions
from hlsmem.emit.c.guards import plan_test
from hlsmem.emit.c.kernel import Surroundings, parameter_nodes, surroundings_of
from hlsmem.emit.c.scale import Scale, expression_of, scale_of
from hlsmem.emit.c.statements import Writer
from hlsmem.emit.c.syntax import (
    RESERVED,
    C,
    Verbatim,
    free_name,
    identifiers,
    print_external,
    print_tree,
    rewrite,
)
from hlsmem.emit.expression import print_expression
from hlsmem.errors import InputError, Problem
from hlsmem.options import Design
from hlsmem.plan import Plan
from hlsmem.polyhedra.relations import named
from hlsmem.program import Kernel, Program, SourceFile, Statement, Storage


def emit_host(design: Design, program: Program | None, plan: Plan) -> tuple[SourceFile, ...]:
    """host/<name>.c and host/<name>.h, by name relative to OUT; of a conflict set the header.

    `program` has the arrival and departure statements of its streams; it is None for a bare
    conflict set. Raises InputError for what host C is not available for.
    """
    if program is None:
        return conflict_files(plan)
    if program.kernel is not None:
        return source_files(_kernel_parts(design, program, program.kernel, plan))
    return source_files(_network_parts(design, program, plan))


def _scale(program: Program, plan: Plan) -> Scale:
    mappings = [array.mapping for array in plans_in_order(plan, program).values()]
    return scale_of(program.parameters, program.values, program.context, mappings)


def _capacity(folds: Mapping[str, Fold], plan: Plan) -> int:
    """Bytes of the workspace at the plan's parameters."""
    return sum(
        plan.arrays[fold.array.name].mapping.cells * storage_bits(fold.array.element) // 8
        for fold in workspace(folds.values())
    )


def _title(program: Program, plan: Plan, what: str) -> str:
    return f"{what} with its arrays folded; made by {plan.tool} from the design {program.name}"


def _kernel_parts(design: Design, program: Program, kernel: Kernel, plan: Plan) -> Parts:
    around = surroundings_of(program, kernel)
    scale = _scale(program, plan)
    folds: dict[str, Fold] = {}
    kept: set[str] = set()
    given: set[str] = set()
    for name, array_plan in plans_in_order(plan, program).items():
        array = program.arrays[name]
        stays = around.is_used_outside(name)
        if stays and not array.index:
            kept.add(name)
        elif stays:
            given.add(name)
        folds[name] = fold_of(
            program,
            array_plan,
            scale,
            type_name=around.type_text(array),
            variable=f"{RESERVED}{name}_cells" if name in given else name,
            macros=kernel.macros,
        )
    names = _parameter_texts(program, around)
    writer = Writer(
        program=program,
        folds=folds,
        names=names,
        iterators=around.iterators,
        loop_type=_loop_type(program, around),
    )
    removed = _removed(program, around, folds, given | kept)
    region = Region(
        program=program,
        writer=writer,
        folds=folds,
        given=frozenset(given),
        kept=frozenset(kept),
        taken=frozenset(_taken(program, around, removed)),
        workspace_name=free_name("ws", _all_names(kernel, program)),
    )
    return Parts(
        name=program.name,
        title=_title(program, plan, f"{kernel.name}()"),
        function=_kernel_function(program, kernel, removed),
        region=region,
        folds=folds,
        scale=scale,
        test=plan_test(scale, names),
        plan=plan,
        storage=design.host.storage,
        capacity=_capacity(folds, plan),
    )


def _parameter_texts(program: Program, around: Surroundings) -> dict[str, str]:
    """How parameters print in integer expressions: unsigned and wide ones as int64_t."""
    texts = {}
    for name in program.parameters:
        kind = around.parameter_type(name)
        if kind is not None and (kind.bits > 32 or (kind.bits == 32 and not kind.signed)):
            texts[name] = f"(int64_t){name}"
    return texts


def _loop_type(program: Program, around: Surroundings) -> str:
    kinds = [kind for kind, _ in around.iterators.values()]
    kinds += [k for name in program.parameters if (k := around.parameter_type(name)) is not None]
    narrow = all(kind.bits < 32 or (kind.bits == 32 and kind.signed) for kind in kinds)
    small = all(abs(value) < 2**31 for value in program.values.values())
    return "int" if narrow and small else "int64_t"


def _all_names(kernel: Kernel, program: Program) -> set[str]:
    return identifiers([kernel.function]) | set(program.arrays)


def _removed(
    program: Program, around: Surroundings, folds: Mapping[str, Fold], stay: set[str]
) -> set[str]:
    """Variables outside the region that nothing uses any more: folded arrays, loop variables."""
    loops = {name for statement in program.statements for name in statement.iterators}
    gone = {name for name in folds if name not in stay}
    gone |= {n for n in loops if n not in program.arrays and not around.is_used_outside(n)}
    return {name for name in gone if name in around.outside}


def _taken(program: Program, around: Surroundings, removed: set[str]) -> set[str]:
    """Names that loops must not shadow or capture."""
    taken = {*around.parameters, *program.parameters, *program.arrays, "ws"}
    taken |= identifiers(around.outer_nodes()) - removed
    for statement in program.statements:
        taken |= _names_in(statement) - set(statement.iterators)
    return taken


def _names_in(statement: Statement) -> set[str]:
    node = getattr(statement.body, "node", None)
    return identifiers([node]) if node is not None else set()


def _kernel_function(program: Program, kernel: Kernel, removed: set[str]) -> Function:
    parameters = tuple(node.name for node in parameter_nodes(kernel))
    macros = {n: program.values[n] for n in kernel.macros if n in program.values}
    returned = kernel.function.decl.type.type
    is_void = isinstance(returned, c_ast.TypeDecl) and getattr(returned.type, "names", []) == [
        "void"
    ]
    original_name = f"{kernel.name}_original"
    return Function(
        name=kernel.name,
        parameters=parameters,
        signature=lambda name, extra: _signature(kernel, name, extra),
        body=lambda lines: _body(kernel, removed, lines),
        original=tuple(_original(kernel, original_name)),
        original_name=original_name,
        returns_value=not is_void,
        includes=kernel.includes,
        declarations=tuple(print_external(n) for n in kernel.declarations if not is_type(n)),
        types=tuple(print_external(node) for node in kernel.declarations if is_type(node)),
        macros=macros,
    )


def _signature(kernel: Kernel, name: str, extra: str | None) -> str:
    """The head of the function under another name, with one more parameter behind."""
    declaration = kernel.function.decl
    arguments = list(parameter_nodes(kernel))
    if extra is not None:
        arguments.append(Verbatim(extra))
    if not arguments:
        arguments = [Verbatim("void")]

    def replace(node: Any) -> Any | None:
        if node is declaration.type.args:
            return c_ast.ParamList(arguments)
        if isinstance(node, c_ast.TypeDecl) and node.declname == declaration.name:
            return c_ast.TypeDecl(declname=name, quals=node.quals, align=node.align, type=node.type)
        return None

    kind = rewrite(declaration.type, replace)
    if declaration.type.args is None:
        kind.args = c_ast.ParamList(arguments)
    return print_tree(kind)


def _body(kernel: Kernel, removed: set[str], lines: list[str]) -> list[str]:
    """The body of the function, indented by twos, with the region replaced by `lines`."""
    region = {id(node) for node in kernel.region}
    first = kernel.region[0] if kernel.region else None
    replacement = Verbatim("\n".join(lines))

    def replace(node: Any) -> Any | None:
        if id(node) in region:
            return [replacement] if node is first else []
        if isinstance(node, c_ast.Pragma) and _is_scop(node):
            return []
        if isinstance(node, c_ast.Decl) and node.name in removed:
            return []
        return None

    body = rewrite(kernel.function.body, replace)
    text = print_tree(body).strip("\n").split("\n")
    return text[1:-1]


def _is_scop(node: Any) -> bool:
    words = node.string.split() if isinstance(node.string, str) else []
    return words[:1] in (["scop"], ["endscop"])


def _original(kernel: Kernel, name: str) -> list[str]:
    """The unfolded function, static, without what would draw warnings: pragmas, labels."""
    regions = {id(node) for node in kernel.region}

    def replace(node: Any) -> Any | None:
        if isinstance(node, c_ast.Pragma) and _is_scop(node):
            return []
        if isinstance(node, c_ast.Label):
            return rewrite(node.stmt, replace)
        return None

    def outer(node: Any) -> Any | None:
        if id(node) in regions:
            return rewrite(node, replace)
        return [] if isinstance(node, c_ast.Pragma) and _is_scop(node) else None

    body = print_tree(rewrite(kernel.function.body, outer)).strip("\n")
    return [
        "/* The function as it was, for parameters that the plan does not cover */",
        "static " + _signature(kernel, name, None),
        *print_lines(body),
    ]


def print_lines(text: str) -> list[str]:
    return [" " * (len(line) - len(line.lstrip(" "))) + line for line in text.split("\n")]


def _network_parts(design: Design, program: Program, plan: Plan) -> Parts:
    scale = _scale(program, plan)
    given = visible_arrays(program)
    macros = tuple(name for name in program.parameters if name in program.values)
    folds = {
        name: fold_of(
            program,
            array_plan,
            scale,
            type_name=program.arrays[name].element.c_name,
            variable=f"{RESERVED}{name}_cells" if name in given else name,
            macros=macros,
        )
        for name, array_plan in plans_in_order(plan, program).items()
    }
    writer = Writer(program=program, folds=folds, names={})
    region = Region(
        program=program,
        writer=writer,
        folds=folds,
        given=frozenset(given),
        kept=frozenset(),
        taken=frozenset({*program.arrays, *program.parameters, "ws"}),
        workspace_name=free_name("ws", program.arrays),
    )
    return Parts(
        name=program.name,
        title=_title(program, plan, f"The network {program.name}"),
        function=_network_function(program, given, {n: program.values[n] for n in macros}),
        region=region,
        folds=folds,
        scale=scale,
        test=plan_test(scale, {}),
        plan=plan,
        storage=design.host.storage,
        capacity=_capacity(folds, plan),
    )


def visible_arrays(program: Program) -> tuple[str, ...]:
    """The arrays that the function of a network is given, in order of declaration.

    These are all but the memories with nothing live before or after the program.
    """
    live = program.live_in.union(program.live_out)
    return tuple(
        name
        for name, array in program.arrays.items()
        if array.storage is not Storage.MEMORY or not named(live, name).is_empty()
    )


def _network_function(
    program: Program, given: tuple[str, ...], macros: Mapping[str, int]
) -> Function:
    parameters = [_array_parameter(program, name) for name in given]

    def signature(name: str, extra: str | None) -> str:
        listed = [*parameters, *([extra] if extra else [])]
        return f"void {name}({', '.join(listed) or 'void'})"

    return Function(
        name=program.name,
        parameters=given,
        signature=signature,
        body=lambda lines: [f"  {line}" for line in lines],
        original=None,
        original_name="",
        returns_value=False,
        includes=(),
        declarations=(),
        types=(),
        macros=macros,
    )


def _array_parameter(program: Program, name: str) -> str:
    """`const T name[extent]..`; scalars are arrays of one element."""
    array = program.arrays[name]
    if array.extents is None:
        raise InputError(
            Problem(
                f"host C needs the extents of '{name}', which the function is given",
                f"add arrays.{name}.extents",
                array.place,
            )
        )
    written = any(a.array == name for s in program.statements for a in s.writes)
    live = not named(program.live_out, name).is_empty()
    leaves = written and (array.storage is not Storage.STREAM or live)
    extents = [print_expression(expression_of(extent), C) for extent in array.extents] or ["1"]
    sizes = "".join(f"[{extent}]" for extent in extents)
    return f"{'' if leaves else 'const '}{array.element.c_name} {name}{sizes}"


__all__ = ["emit_host", "network_functions", "visible_arrays"]
