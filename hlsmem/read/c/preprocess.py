"""C text after the preprocessor, where every token still knows where the user wrote it.

pcpp does the work. System headers are not read (`headers` knows what they declare); other
includes must lie below the folder of the design.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import pcpp
import pcpp.parser
from pcpp.preprocessor import Action, OutputDirective

from hlsmem.core.data_files import resource_folder
from hlsmem.core.errors import InputError, Problem, Problems
from hlsmem.core.lazy_dataclass import dataclass
from hlsmem.core.source_location import SourceLocation
from hlsmem.core.user_files import read_bytes
from hlsmem.program.model import SourceFile
from hlsmem.read.c import headers
from hlsmem.read.design_folder import Folder

TOKEN_LIMIT = 200_000
# Of the text before macros are expanded, with the blanks between tokens.
LEXED_LIMIT = 500_000
LONGEST_TOKEN = 65_536
EXPANSION_LIMIT = 50_000
INCLUDE_DEPTH_LIMIT = 64


@dataclass(frozen=True, slots=True)
class Token:
    """A token of the preprocessed text, and where its first character was written.

    `line` and `column` count from 1 in the preprocessed text. `source_line`,
    `source_column` and `length` point into `file`; what a macro expanded to points at the
    macro's use. `called` are the calls and instances that led there.
    """

    text: str
    line: int
    column: int
    file: str
    source_line: int
    source_column: int
    length: int
    called: tuple[tuple[str, SourceLocation], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preprocessed:
    """Preprocessed text with its tokens, the files read, and the system headers named.

    `macros` are those parameters that are macros: they were left symbolic. `definitions` are the
    texts of all macros without arguments; `remarks` are on headers that are not read.
    """

    text: str
    tokens: tuple[Token, ...]
    files: tuple[SourceFile, ...]
    headers: tuple[str, ...]
    macros: tuple[str, ...]
    definitions: Mapping[str, str]
    remarks: tuple[Problem, ...] = ()


def preprocess(
    folder: Folder, file: str, *, cflags: tuple[str, ...] = (), symbolic: tuple[str, ...] = ()
) -> Preprocessed:
    """`file` (relative to `folder`) preprocessed; macros named in `symbolic` stay names.

    Of `cflags`, -I, -D and -U are used. Raises InputError for missing files, files outside
    `folder`, #error and malformed directives.
    """
    problems = Problems()
    reader = _Preprocessor(folder, problems, symbolic)
    reader.use_flags(cflags)
    path = Path(file)
    name = folder.name_of(folder / path)
    if name is None:
        raise InputError(
            Problem(f"'{file}' lies outside the folder of the design", "move it below that folder")
        )
    text = reader.load(folder / path, name)
    pieces: list[str] = []
    tokens: list[Token] = []
    try:
        _write(reader.run(text, name), reader, pieces, tokens)
    except (IndexError, AttributeError, ValueError, TypeError, RecursionError, AssertionError):
        # pcpp indexes into directives without checking that anything is there.
        problems.add("malformed preprocessor directive", "correct it", reader.current_place())
    problems.raise_if_any()
    plain = {name: one for name, one in reader.macros.items() if one.arglist is None}
    return Preprocessed(
        text="".join(pieces),
        tokens=tuple(tokens),
        files=tuple(reader.files.values()),
        headers=tuple(reader.headers),
        macros=tuple(name for name in reader.macros if name in reader.symbolic),
        definitions={n: "".join(t.value for t in one.value) for n, one in plain.items()},
    )


def is_header_of_cxx(name: str) -> bool:
    """Return True for a header of HLS libraries that C++ alone reads."""
    folder = resource_folder("hls")
    return (folder / "include" / name).is_file() or (folder / "read" / name).is_file()


@lru_cache(1)
def _lexer() -> Any:
    """pcpp's lexer for texts of any length.

    Its own patterns of comments and literals repeat a group, for each turn of which the matcher
    keeps half a kilobyte; for each character that no pattern knows it copies the rest of the text.
    """
    patterns = {
        "t_CPP_COMMENT1": r"/\*(?s:.*?)\*/",
        "t_CPP_STRING": r"\"[^\\\n\"]*+(?:\\(?s:.)[^\\\n\"]*+)*+\"",
        "t_CPP_CHAR": r"L?'[^\\\n']*+(?:\\(?s:.)[^\\\n']*+)*+'",
        "t_CPP_OTHER": r"[^A-Za-z0-9_ \t\n\\\#+*/%|&~^<>=!?()\[\]{}.,;:'\"-]",
    }
    rules = vars(pcpp.parser) | {"t_CPP_OTHER": _other}
    for name, pattern in patterns.items():
        rules[name] = pcpp.parser.lex.TOKEN(pattern)(_copied(rules[name]))
    rules["tokens"] = (*rules["tokens"], "CPP_OTHER")
    del rules["__package__"]  # where PLY would look for a table of patterns, and write it
    return pcpp.parser.lex.lex(module=SimpleNamespace(**rules), optimize=True, lextab="")


def _other(token: Any) -> Any:
    """A character that C has no use for stands for itself, as where pcpp skips it."""
    token.type = token.value
    return token


def _copied(function: Any) -> Any:
    """A function of its own that does what another does: patterns are kept at functions."""
    return FunctionType(function.__code__, function.__globals__, function.__name__)


class _Source(str):
    """The file name pcpp hands from a macro's use to its expansion, with the use's position."""

    __slots__ = ("length", "offset")

    def __new__(cls, name: str, offset: int = 0, length: int = 1) -> _Source:
        made = super().__new__(cls, name)
        made.offset, made.length = offset, length
        return made

    offset: int
    length: int


class _Preprocessor(pcpp.Preprocessor):  # type: ignore[misc]  # pcpp has no types
    """pcpp with positions, symbolic macros, its own include rules, and problems as values."""

    def __init__(self, folder: Folder, problems: Problems, symbolic: tuple[str, ...]) -> None:
        super().__init__(lexer=_lexer().clone())
        self.folder, self.problems, self.symbolic = folder, problems, frozenset(symbolic)
        self.files: dict[str, SourceFile] = {}
        self.headers: dict[str, None] = {}
        self.search: list[Path] = []
        self.opened: list[Path] = []
        self.once: set[str] = set()
        self.evaluating = False
        self.line_starts: dict[str, list[int]] = {}
        self.fed: dict[str, str] = {}
        self.latest: _Source | None = None
        self.lexed = 0
        self.outermost: list[Any] = []
        self.refused: list[tuple[str, SourceLocation | None]] = []
        self.line_directive = None
        for name in ("__DATE__", "__TIME__", "__PCPP__", "__FILE__"):
            self.macros.pop(name, None)
        self.expand_filemacro = False
        for definition in _PREDEFINED:
            self.define(definition)

    def use_flags(self, cflags: tuple[str, ...]) -> None:
        flags = iter(cflags)
        for flag in flags:
            kind, value = flag[:2], flag[2:]
            if kind not in ("-I", "-D", "-U"):
                continue
            value = value or next(flags, "")
            if kind == "-I":
                self.search.append(self.folder / value)
            elif not value.partition("=")[0].partition("(")[0].isidentifier():
                self.problems.add(
                    f"kernel.cflags has {flag!r} without a macro name", "write -DNAME=VALUE"
                )
            elif kind == "-D":
                name, _, body = value.partition("=")
                self.define(f"{name} {body if '=' in value else 1}")
            else:
                self.undef(value)

    # Files.

    def load(self, path: Path, name: str) -> str:
        """The text of a file below the folder, noted in `files`; InputError if unreadable."""
        try:
            text = read_bytes(path).decode("utf-8-sig")
        except OSError as error:
            reason = f"cannot be read: {error.strerror}"
            if isinstance(error, FileNotFoundError):
                reason = "does not exist"
            problem = Problem(f"C file '{name}' {reason}", "correct kernel.file")
            raise InputError(problem) from None
        except UnicodeDecodeError:
            problem = Problem(f"C file '{name}' is not UTF-8 text", "save it as UTF-8")
            raise InputError(problem) from None
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.files.setdefault(name, SourceFile(name=name, text=text))
        return text

    def run(self, text: str, name: str) -> Iterator[Any]:
        """The tokens of one file; pcpp may ask for more files in between."""
        # pcpp splits lines at every character str.splitlines knows and strips them at the
        # right: positions refer to this text. Trigraphs would shift it.
        lines = [line.translate(_NOT_LINE_ENDS).rstrip() for line in text.split("\n")]
        fed = "\n".join(lines).replace("??", "? ")
        self.fed[name] = fed
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        self.line_starts[name] = starts
        self.opened.append(self.folder / name)
        yield from self.parsegen(fed, name, name)
        self.opened.pop()

    def include(self, tokens: list[Any], _original_line: list[Any]) -> Iterator[Any]:
        """pcpp's hook: the tokens of an included file (none for system headers)."""
        text = "".join(token.value for token in tokens)
        place = self.place_of(tokens[0].source, len(text))
        quoted = text[:1] == '"'
        name, closing, _ = text[1:].partition('"' if quoted else ">")
        if not (name and closing) or text[:1] not in ('"', "<"):
            self.problems.add("malformed #include", 'write #include "file.h"', place)
            return
        found = self.find(name, quoted)
        if found is None:
            if quoted and not headers.is_known(name):
                what = f"'{name}' is neither beside '{tokens[0].source!s}' nor in a -I folder"
                remedy = "correct the name, add -I to kernel.cflags, or say `--include DIR`"
                if is_header_of_cxx(name):
                    what, remedy = f"'{name}' is a header of C++", "give the file a name in .cpp"
                self.problems.add(what, remedy, place)
            self.headers[name] = None
            return
        below = self.folder.name_of(found)
        if below is None:
            what = f"'{name}' lies outside the folder of the design"
            remedy = "copy it below that folder, or include it by its name and say `--include DIR`"
            self.problems.add(what, remedy, place)
        elif len(self.opened) >= INCLUDE_DEPTH_LIMIT:
            what = f"'{name}' is included {INCLUDE_DEPTH_LIMIT} levels deep"
            self.problems.add(what, "give it an include guard", place)
        elif below not in self.once:
            yield from self.read_included(found, below, place)

    def read_included(self, found: Path, name: str, place: SourceLocation | None) -> Iterator[Any]:
        try:
            text = self.load(found, name)
        except InputError as error:
            for problem in error.problems:
                self.problems.add(problem.what, problem.remedy, place)
            return
        yield from self.run(text, name)

    def find(self, name: str, quoted: bool) -> Path | None:
        beside = [self.opened[-1].parent] if quoted else []
        candidates = (folder / name for folder in beside + self.search)
        return next((path for path in candidates if path.is_file()), None)

    # Positions.

    def group_lines(self, input: str, abssource: str) -> Iterator[list[Any]]:
        """pcpp's hook: the tokens of each line; lines of blanks and comments are left out."""
        lexer, line, is_blank = self.lexer.clone(), list[Any](), True
        lexer.input(input)
        lexer.lineno = 1
        for token in iter(lexer.token, None):
            token.source = token.written = _Source(abssource, token.lexpos, len(token.value))
            line.append(token)
            is_blank = is_blank and token.type in _BLANK
            if len(token.value) > LONGEST_TOKEN and token.type not in _BLANK:
                self.latest = token.source
                what = f"a name or literal of more than {LONGEST_TOKEN:,} characters"
                raise InputError(Problem(what, "shorten it", self.current_place()))
            if token.type in self.t_WS and token.value == "\n":
                if not is_blank:
                    yield self.counted(line)
                line, is_blank = [], True
            elif len(line) > LEXED_LIMIT:
                self.counted(line)
        if line:
            end = copy(line[-1])
            end.type, end.value = self.t_NEWLINE, "\n"
            yield self.counted([*line, end])

    def counted(self, line: list[Any]) -> list[Any]:
        """The tokens of a line; InputError where there are too many in all."""
        self.latest = line[0].source
        self.lexed += len(line)
        if self.lexed > LEXED_LIMIT:
            what = f"the C text has more than {LEXED_LIMIT:,} tokens, with the blanks between them"
            raise InputError(Problem(what, "keep only what the kernel needs", self.current_place()))
        return line

    def define(self, tokens: Any) -> None:
        if not isinstance(tokens, str):
            for token in tokens:
                token.written = None
        super().define(tokens)

    def place_of(self, source: _Source, length: int) -> SourceLocation | None:
        starts = self.line_starts.get(source)
        if starts is None:
            return None
        line = bisect_right(starts, source.offset)
        text = self.files[str(source)].text.split("\n")[line - 1]
        return SourceLocation(
            file=str(source),
            line=line,
            column=source.offset - starts[line - 1] + 1,
            length=length,
            text=text,
        )

    def current_place(self) -> SourceLocation | None:
        return self.place_of(self.latest, 1) if self.latest is not None else None

    # Macros.

    def expand_macros(self, tokens: list[Any], expanding_from: Any = ()) -> list[Any]:
        # The names of params are macros to #if and #ifdef, and plain names to the text.
        for token in tokens:
            if token.value in self.symbolic:
                if not self.evaluating:
                    token.expanded_from = [token.value]
                elif token.value in self.macros:
                    self.refuse_decision(token.value)
        if not expanding_from:
            self.outermost = list(tokens)
        before = len(tokens)  # what is in the text is no expansion
        result: list[Any] = super().expand_macros(tokens, list(expanding_from))
        if len(result) > before + EXPANSION_LIMIT:
            problem = Problem(
                f"the macros expand to more than {EXPANSION_LIMIT:,} tokens",
                "simplify them",
                self.place_of_use(),
            )
            raise InputError(problem)
        return result

    def place_of_use(self) -> SourceLocation | None:
        """The first macro in the text of the user that is being expanded."""
        for token in self.outermost:
            written = getattr(token, "written", None)
            if written is not None and token.value in self.macros:
                return self.place_of(written, written.length)
        return self.current_place()

    def refuse_decision(self, name: str) -> None:
        """The text must be the same for all values of a parameter."""
        what = f"the parameter '{name}' decides which text is compiled"
        remedy = f"decide with if in the code, or leave '{name}' out of params"
        place = self.current_place()
        if (what, place) not in self.refused:
            self.refused.append((what, place))
            self.problems.add(what, remedy, place)

    def evalexpr(self, tokens: list[Any]) -> Any:
        self.evaluating = True
        try:
            return super().evalexpr(tokens)
        finally:
            self.evaluating = False

    # Messages.

    def on_directive_handle(
        self, directive: Any, toks: list[Any], ifpassthru: bool, precedingtoks: list[Any]
    ) -> Any:
        if not toks and directive.value in _NEED_ARGUMENT:
            place = self.place_of(precedingtoks[0].source, 1)
            self.problems.add(f"#{directive.value} without an argument", "complete it", place)
            if directive.value not in ("if", "ifdef", "ifndef"):
                raise OutputDirective(Action.IgnoreAndRemove)
        if directive.value == "pragma" and toks and toks[0].value == "once":
            self.once.add(str(directive.source))
            raise OutputDirective(Action.IgnoreAndRemove)
        return super().on_directive_handle(directive, toks, ifpassthru, precedingtoks)

    def on_directive_unknown(
        self, directive: Any, toks: list[Any], _ifpassthru: bool, precedingtoks: list[Any]
    ) -> Any:
        if directive.value == "error":
            text = "".join(token.value for token in toks).strip()
            place = self.place_of(precedingtoks[0].source, len("#error"))
            self.problems.add(f"#error {text}".strip(), "meet its condition", place)
            return True
        ignored = directive.value in ("warning", "ident", "line") or directive.value.isdigit()
        return True if ignored else None

    def on_error(self, file: Any, _line: int, msg: str) -> None:
        place = self.place_of(file, file.length) if isinstance(file, _Source) else None
        what, remedy = _said_of_directive(msg)
        self.problems.add(what, remedy, place or self.current_place())


def _write(
    stream: Iterator[Any], reader: _Preprocessor, pieces: list[str], tokens: list[Token]
) -> None:
    """Join the token values and note where each token stands on both sides."""
    line = column = 1
    for token in stream:
        value = "" if token.type == "CPP_LINECONT" else str(token.value)
        if value.strip():
            made = _token(value, line, column, token, reader)
            if tokens and _continues_number(tokens[-1], made):
                made = _joined(tokens.pop(), made)
            tokens.append(made)
            if len(tokens) > TOKEN_LIMIT:
                what = f"the C text has more than {TOKEN_LIMIT:,} tokens"
                raise InputError(Problem(what, "keep only what the kernel needs"))
        pieces.append(value)
        line += value.count("\n")
        column = len(value) - value.rfind("\n") if "\n" in value else column + len(value)


def _token(value: str, line: int, column: int, token: Any, reader: _Preprocessor) -> Token:
    source: _Source = getattr(token, "written", None) or token.source
    starts = reader.line_starts[source]
    source_line = bisect_right(starts, source.offset)
    source_column = source.offset - starts[source_line - 1] + 1
    return Token(value, line, column, str(source), source_line, source_column, source.length)


def _said_of_directive(message: str) -> tuple[str, str]:
    """Return what is wrong and what to do, from a message of pcpp."""
    unevaluated = re.search(r"passed to evaluator: '(.*)'\)", message, re.DOTALL)
    if unevaluated:
        what = f"the condition '{unevaluated[1].strip()}' cannot be evaluated"
        return what, "write an integer expression of constants and macros"
    what = message[:1].lower() + message[1:].strip()
    if what.startswith("unterminated #if"):
        return what, "end it with #endif"
    return what, "correct the directive or macro"


def _continues_number(before: Token, token: Token) -> bool:
    """pcpp cuts numbers such as 0.5f and .5e-3 into pieces."""
    if (before.line, before.column + len(before.text)) != (token.line, token.column):
        return False
    if before.text == ".":
        return token.text[0].isdigit()
    if not re.match(r"\.?\d", before.text):
        return False
    exponent = before.text[-1] in "eE" and not before.text.lower().startswith("0x")
    return token.text[0] in "._" or token.text[0].isalnum() or (exponent and token.text in "+-")


def _joined(before: Token, token: Token) -> Token:
    same = (before.file, before.source_line, before.source_column + before.length) == (
        (token.file, token.source_line, token.source_column)
    )
    length = before.length + token.length if same else before.length
    return replace(before, text=before.text + token.text, length=length)


_BLANK = ("CPP_WS", "CPP_COMMENT1", "CPP_COMMENT2")
_NEED_ARGUMENT = ("define", "include", "undef", "ifdef", "ifndef", "if", "pragma")
_NOT_LINE_ENDS = {ord(c): " " for c in "\v\f\x1c\x1d\x1e\x85\u2028\u2029"}

# What compilers define and PolyBench-like headers ask for, what HLS tools define for the text that
# becomes hardware, and spellings C99 lacks.
_PREDEFINED = (
    "__SYNTHESIS__ 1",
    "__STDC__ 1",
    "__STDC_VERSION__ 199901L",
    "__restrict restrict",
    "__restrict__ restrict",
    "__const const",
    "__inline inline",
    "__inline__ inline",
    "__extension__ ",
    "__attribute__(x) ",
)
