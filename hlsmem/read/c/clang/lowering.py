"""The state of a lowering: functions, structs and variables in C so far, and problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from typing import Any

from hlsmem.core.errors import Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.rewrites import Inlined
from hlsmem.read.c import tree
from hlsmem.read.c.clang import clang_types
from hlsmem.read.c.clang.library import library
from hlsmem.read.c.clang.lowered_types import text_in_c
from hlsmem.read.c.clang.parsed_sources import Source
from hlsmem.read.c.tree import SourceRange, Through
from hlsmem.read.design_names import C_KEYWORDS, numbered

MOST_NESTED = 2000
"""Expressions inside of each other. ctypes goes on without the children of a cursor where Python
has no room for further calls: there has to be some in the deepest."""
NESTING = 64
"""Calls inside of one another, beyond which a recursion does not end."""


class Refused(Exception):
    """A construct that is not read, and what to do; `through` are the calls that led there."""

    def __init__(self, cursor: Any, what: str, remedy: str) -> None:
        super().__init__(what)
        self.cursor, self.what, self.remedy = cursor, what, remedy
        self.through: Through | None = None


class Unread(Refused):
    """A use of a variable that is not read, which is said where that is declared."""

    def __init__(self, cursor: Any) -> None:
        super().__init__(cursor, f"'{cursor.spelling}' is not read", "read where it is declared")


@dataclass(slots=True, kw_only=True)
class Lowering:
    """A file being lowered; what it has found grows in the order in which C has to declare it."""

    source: Source
    symbolic: frozenset[str]
    problems: Problems
    structs: dict[str, tree.Struct] = field(default_factory=dict)
    variables: dict[Any, tree.Decl] = field(default_factory=dict)
    copies: dict[int, dict[int, Any]] = field(default_factory=dict)
    used_parameters: dict[str, list[int]] = field(default_factory=dict)
    kept_structs: set[Any] = field(default_factory=set)
    objects: dict[str, Any] = field(default_factory=dict)
    opened: set[str] = field(default_factory=set)
    functions: dict[Any, tree.FuncDef] = field(default_factory=dict)
    names: dict[Any, str] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    headers: set[str] = field(default_factory=set)
    under_way: list[Any] = field(default_factory=list)
    refused: set[tuple[str, str, Any]] = field(default_factory=set)
    unread: set[int] = field(default_factory=set)
    environments: dict[str, Mapping[str, tree.Expression]] = field(default_factory=dict)
    reserved: frozenset[str] = frozenset()
    outside: dict[str, SourceRange] = field(default_factory=dict)
    of_headers: set[str] = field(default_factory=set)
    nested: int = 0

    def name_for(self, key: Any, wanted: str) -> str:
        """Return the name in C of a thing of the file, the same for the same key."""
        if key not in self.names:
            name = wanted
            if name in self.taken or name in C_KEYWORDS:
                name = numbered(wanted, self.taken | set(C_KEYWORDS))
            self.taken.add(name)
            self.names[key] = name
        return self.names[key]

    def type_of(self, kind: Any, cursor: Any) -> tree.Type:
        """Return the type in the tree; Refused with the place of `cursor` where there is none."""
        own = clang_types.referred(kind)
        number = clang_types.number_kind(own)
        if number is not None:
            return number
        canonical = own.get_canonical()
        match clang_types.kind_name(canonical):
            case "VOID":
                return tree.Void()
            case "CONSTANTARRAY":
                element = self.type_of(canonical.get_array_element_type(), cursor)
                extent = self.integer(canonical.get_array_size(), cursor)
                return tree.Array(element, extent)
            case "INCOMPLETEARRAY" | "VARIABLEARRAY":
                return tree.Array(self.type_of(canonical.get_array_element_type(), cursor), None)
            case "POINTER":
                is_plain = clang_types.kind_name(own) == "POINTER"
                pointee = (own if is_plain else canonical).get_pointee()
                element = self.type_of(pointee, cursor)
                restrict = canonical.is_restrict_qualified()
                return tree.Pointer(element, restrict, pointee.is_const_qualified())
            case "RECORD":
                return self.class_of(canonical, cursor)
            case _:
                what = f"the type {clang_types.name_of_type(kind)} is not read"
                raise Refused(cursor, what, "take a number, an array, a struct or a stream")

    def class_of(self, canonical: Any, cursor: Any) -> tree.Type:
        stream = clang_types.stream_of(canonical)
        if stream is not None:
            element, depth = stream
            return tree.Stream(self.type_of(element, cursor), depth)
        if clang_types.intrinsic_of(canonical) in clang_types.CHANNELS:
            what = "a channel that splits or merges streams is read as a variable alone"
            raise Refused(cursor, what, "declare it in the function that passes its streams on")
        if clang_types.intrinsic_of(canonical):
            what = f"the type {clang_types.name_of_type(canonical)} has no variables of its own"
            raise Refused(cursor, what, "assign the value to a number")
        return self.struct_of(canonical.get_declaration().type.get_canonical(), cursor)

    def struct_of(
        self, canonical: Any, cursor: Any, environment: Mapping[str, tree.Expression] | None = None
    ) -> tree.Struct:
        """Return the struct of C that has the members of a class.

        `environment` has what template parameters stand for that are sizes with names.
        """
        from hlsmem.read.c.clang.declared import array_type

        declaration = canonical.get_declaration()
        bound = tuple(sorted((k, text_in_c(v)) for k, v in (environment or {}).items()))
        key = canonical.spelling + (repr(bound) if bound else "")
        if key in self.structs:
            return self.structs[key]
        if clang_types.kind_name(canonical) != "RECORD" or declaration.kind.name == "UNION_DECL":
            what = f"the union {declaration.spelling or 'without a name'} is not read"
            raise Refused(cursor, what, "take a struct, or a number and slices of it")
        name = self.name_for(
            ("struct", key), clang_types.c_name(clang_types.name_of_type(canonical))
        )
        place = self.place(declaration)
        members: list[tree.Member] = []
        written = library().template_of(declaration) or declaration
        if any(map(clang_types.is_intrinsic_number, self.bases_of(written))):
            what = f"the class {clang_types.name_of_type(canonical)} derives from a number"
            raise Refused(declaration, what, "make the number a member of it")
        for base in self.bases_of(declaration):
            members += self.struct_of(base.get_canonical(), cursor).members
        frame = FunctionFrame(lowering=self, function=None, environment=environment or {})
        for one in canonical.get_fields():
            own = clang_types.referred(one.type).get_canonical()
            if clang_types.is_reference(one.type) and own.spelling.endswith(canonical.spelling):
                what = f"the member '{one.spelling}' refers to another one of its class"
                raise Refused(one, what, "pass what it refers to where it is used")
            if one.is_bitfield():
                what = f"the member '{one.spelling}' is a bit-field"
                raise Refused(one, what, "give it a type of as many bits")
            members.append(tree.Member(one.spelling, array_type(frame, one)))
        seen: set[str] = set()
        for one in members:
            if one.name in seen:
                what = f"'{one.name}' is a member of the class and of its base"
                raise Refused(declaration, what, "give the members names of their own")
            seen.add(one.name)
        made = tree.Struct(name, tuple(members), place)
        self.structs[key] = made
        if environment:
            self.environments[name] = environment
        return made

    def named_instance(self, frame: FunctionFrame, cursor: Any, kind: tree.Struct) -> tree.Struct:
        """Return the struct of an instance some of whose arguments are sizes with names."""
        from hlsmem.read.c.clang.declared import mentions
        from hlsmem.read.c.clang.expressions import expression

        canonical = clang_types.referred(cursor.type)
        while clang_types.kind_name(canonical) in ("CONSTANTARRAY", "INCOMPLETEARRAY"):
            canonical = canonical.get_array_element_type()
        canonical = canonical.get_canonical().get_declaration().type.get_canonical()
        template = library().template_of(canonical.get_declaration())
        if template is None:
            return kind
        wanted = [
            one.spelling
            for one in template.get_children()
            if one.kind.name == "TEMPLATE_NON_TYPE_PARAMETER"
        ]
        given = [
            one
            for one in cursor.get_children()
            if one.kind.is_expression() and one.location.offset < cursor.location.offset
        ]
        environment = {
            name: expression(frame, one)
            for name, one in zip(wanted, given, strict=False)
            if mentions(frame, one)
        }
        return self.struct_of(canonical, cursor, environment) if environment else kind

    def bases_of(self, declaration: Any) -> list[Any]:
        """Return the types of the bases of a class that is no template."""
        return [
            one.type for one in declaration.get_children() if one.kind.name == "CXX_BASE_SPECIFIER"
        ]

    def integer(self, value: int, cursor: Any) -> tree.Constant:
        kind = tree.INT if value.bit_length() < 32 else tree.LONG
        suffix = "" if kind is tree.INT else "l"
        if value.bit_length() > 63:
            kind, suffix = tree.UNSIGNED_LONG, "ul"
        return tree.Constant(f"{value}{suffix}", kind, self.place(cursor))

    def place(self, cursor: Any, through: Through = ()) -> SourceRange:
        return self.source.place(cursor, through)

    def refuse(self, error: Refused, through: Through) -> None:
        """Note a problem once, with the calls that led to it; none that follows from another."""
        if isinstance(error, Unread):
            return
        through = through if error.through is None else error.through
        place = self.source.place(error.cursor, through)
        calls = tuple((str(one), str(one.at)) for one in through if isinstance(one, Inlined))
        if (error.what, str(place), calls) in self.refused:
            return
        self.refused.add((error.what, str(place), calls))
        self.problems.add(error.what, error.remedy, self.source.location(place))


@dataclass(slots=True, kw_only=True)
class FunctionFrame:
    """A function being lowered.

    `bound` has what variables of C++ stand for in C, by their declarations: expressions. `front`
    are statements that have to run before the one that is being lowered. `receiver` is the object
    of a method, `result` that which a function returns. `through` are the calls that led here.
    `steady` has the values of variables that keep one where the statement stands, `reached` the
    numbers of others in front of statements, and `numbers` those here. `statement` is the one
    that is being lowered, of those in it the innermost. `sliced` are the
    variables of which parts are assigned. `polls` are calls that a loop repeats until they give
    true, and `waits` is True in what stands in place of one.
    """

    lowering: Lowering
    function: Any
    through: Through = ()
    bound: dict[int, Any] = field(default_factory=dict)
    statement: Any = None
    front: list[tree.Statement] = field(default_factory=list)
    receiver: Any = None
    result: Any = None
    locals: set[str] = field(default_factory=set)
    returns: tree.Type = field(default_factory=tree.Void)
    environment: Mapping[str, tree.Expression] = field(default_factory=dict)
    streams: dict[str, Any] = field(default_factory=dict)
    counters: set[str] = field(default_factory=set)
    sliced: set[str] = field(default_factory=set)
    steady: Mapping[str, tree.Expression] = field(default_factory=dict)
    reached: dict[int, dict[str, frozenset[int]]] = field(default_factory=dict)
    numbers: Mapping[str, frozenset[int]] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()
    changes: Counter[int] | None = None
    untaken: dict[int, tuple[int, ...]] = field(default_factory=dict)
    polls: set[int] = field(default_factory=set)
    waits: bool = False

    def place(self, cursor: Any) -> SourceRange:
        return self.lowering.place(cursor, self.through)

    def type_of(self, kind: Any, cursor: Any) -> tree.Type:
        return self.lowering.type_of(kind, cursor)

    def new_name(self, wanted: str) -> str:
        """Return a name that no variable of the function has."""
        name = (
            numbered(wanted, self.locals | self.lowering.taken)
            if (wanted in self.locals or wanted in self.lowering.taken)
            else wanted
        )
        self.locals.add(name)
        return name
