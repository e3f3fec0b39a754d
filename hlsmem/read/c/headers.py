"""The known part of system headers, which are not read: types, constants, pure functions."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product


def _words(text: str) -> list[str]:
    return text.split()


_EXACT_TYPES = {
    f"{'u' * unsigned}int{bits}_t": f"{'unsigned ' * unsigned}{base}"
    for unsigned, (bits, base) in product(
        (False, True), ((8, "signed char"), (16, "short"), (32, "int"), (64, "long"))
    )
}
_EXACT_TYPES["uint8_t"] = "unsigned char"
_WIDE_TYPES = {
    "intptr_t": "long",
    "uintptr_t": "unsigned long",
    "intmax_t": "long",
    "uintmax_t": "unsigned long",
    "int_fast8_t": "signed char",
    "uint_fast8_t": "unsigned char",
    "int_fast16_t": "long",
    "uint_fast16_t": "unsigned long",
    "int_fast32_t": "long",
    "uint_fast32_t": "unsigned long",
    "int_fast64_t": "long",
    "uint_fast64_t": "unsigned long",
    "int_least8_t": "signed char",
    "uint_least8_t": "unsigned char",
    "int_least16_t": "short",
    "uint_least16_t": "unsigned short",
    "int_least32_t": "int",
    "uint_least32_t": "unsigned int",
    "int_least64_t": "long",
    "uint_least64_t": "unsigned long",
}
_SIZE = {"size_t": "unsigned long"}
_FILE = {"FILE": "void"}

# Widths are those of the 64-bit systems gcc and clang build for (LP64).
TYPES: dict[str, dict[str, str]] = {
    "stdint.h": _EXACT_TYPES | _WIDE_TYPES,
    "inttypes.h": _EXACT_TYPES | _WIDE_TYPES,
    "stdbool.h": {"bool": "_Bool"},
    "stddef.h": _SIZE | {"ptrdiff_t": "long"},
    "stdlib.h": _SIZE,
    "string.h": _SIZE,
    "stdio.h": _SIZE | _FILE,
    "time.h": _SIZE | {"time_t": "long", "clock_t": "long"},
    "unistd.h": _SIZE | {"ssize_t": "long"},
    "sys/types.h": _SIZE | {"ssize_t": "long"},
    "math.h": {"float_t": "float", "double_t": "double"},
}

_SIGNED_LIMITS = {
    f"INT{bits}_{end}": value
    for bits in (8, 16, 32, 64)
    for end, value in (("MIN", -(2 ** (bits - 1))), ("MAX", 2 ** (bits - 1) - 1))
}

# Integer constants that may stand in bounds and subscripts.
CONSTANTS: dict[str, dict[str, int]] = {
    "stdbool.h": {"true": 1, "false": 0},
    "stdint.h": _SIGNED_LIMITS,
    "inttypes.h": _SIGNED_LIMITS,
    "limits.h": {
        "CHAR_BIT": 8,
        "SCHAR_MIN": -128,
        "SCHAR_MAX": 127,
        "SHRT_MIN": -(2**15),
        "SHRT_MAX": 2**15 - 1,
        "INT_MIN": -(2**31),
        "INT_MAX": 2**31 - 1,
        "LONG_MIN": -(2**63),
        "LONG_MAX": 2**63 - 1,
    },
}

# Other constants: they may stand in values only.
VALUES: dict[str, frozenset[str]] = {
    "math.h": frozenset(
        _words(
            "M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI "
            "M_SQRT2 M_SQRT1_2 HUGE_VAL HUGE_VALF INFINITY NAN"
        )
    ),
    "float.h": frozenset(
        f"{kind}_{what}" for kind in ("FLT", "DBL") for what in ("MIN", "MAX", "EPSILON", "DIG")
    ),
    "limits.h": frozenset(_words("UCHAR_MAX USHRT_MAX UINT_MAX ULONG_MAX")),
    "stdint.h": frozenset(_words("UINT8_MAX UINT16_MAX UINT32_MAX UINT64_MAX SIZE_MAX")),
    "stddef.h": frozenset(["NULL"]),
    "stdlib.h": frozenset(["NULL"]),
    "stdio.h": frozenset(_words("NULL stderr stdout stdin EOF")),
}

_DOUBLE_FUNCTIONS = _words(
    "acos asin atan atan2 cos sin tan acosh asinh atanh cosh sinh tanh exp exp2 expm1 log log10 "
    "log1p log2 logb cbrt fabs hypot pow sqrt erf erfc lgamma tgamma ceil floor nearbyint rint "
    "round trunc fmod remainder copysign nextafter fdim fmax fmin fma ldexp"
)

# Functions without side effects that depend on nothing but their arguments.
PURE_FUNCTIONS = frozenset(
    _DOUBLE_FUNCTIONS
    + [f"{name}f" for name in _DOUBLE_FUNCTIONS]
    + _words("abs labs llabs isnan isinf isfinite signbit lround lroundf min max")
)


# What C keeps for its library wherever a program has functions or variables that other files see
# (C99, section 7.1.3), and what <stdlib.h> and <string.h> of systems declare besides.
LIBRARY_FUNCTIONS = frozenset(
    [f"{name}{kind}" for name in _DOUBLE_FUNCTIONS for kind in ("", "f", "l")]
    + _words(
        # <math.h>, <stdlib.h>
        "frexp modf ilogb scalbn scalbln nan lrint llrint lround llround remquo nexttoward "
        "abs labs llabs div ldiv lldiv abort atexit atof atoi atol atoll bsearch calloc exit free "
        "getenv malloc mblen mbstowcs mbtowc qsort rand realloc srand strtod strtof strtol strtold "
        "strtoll strtoul strtoull system wcstombs wctomb aligned_alloc quick_exit "
        "a64l alloca clearenv drand48 ecvt erand48 fcvt gcvt initstate jrand48 l64a lcong48 "
        "lrand48 mrand48 nrand48 putenv random realpath seed48 select setenv setstate srand48 "
        "srandom unsetenv valloc "
        # <string.h>
        "memchr memcmp memcpy memmove memset strcat strchr strcmp strcoll strcpy strcspn strerror "
        "strlen strncat strncmp strncpy strpbrk strrchr strspn strstr strtok strxfrm "
        "bcmp bcopy bzero ffs index memccpy rindex stpcpy strcasecmp strdup strndup strnlen strsep "
        # <stdio.h>
        "clearerr fclose feof ferror fflush fgetc fgetpos fgets fopen fprintf fputc fputs fread "
        "freopen fscanf fseek fsetpos ftell fwrite getc getchar gets perror printf putc putchar "
        "puts remove rename rewind scanf setbuf setvbuf snprintf sprintf sscanf tmpfile tmpnam "
        "ungetc vfprintf vprintf vsnprintf vsprintf "
        # <ctype.h>, <time.h>, <signal.h>, <setjmp.h>, <locale.h>
        "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper "
        "isxdigit tolower toupper asctime clock ctime difftime gmtime localtime mktime strftime "
        "time raise signal longjmp localeconv setlocale"
    )
)


def types_of(headers: Iterable[str]) -> dict[str, str]:
    """The typedef names these headers make known, with their C types."""
    return {name: base for header in headers for name, base in TYPES.get(header, {}).items()}


def constants_of(headers: Iterable[str]) -> dict[str, int]:
    """The integer constants these headers make known."""
    return {name: value for h in headers for name, value in CONSTANTS.get(h, {}).items()}


def values_of(headers: Iterable[str]) -> frozenset[str]:
    """The other constants these headers make known, by name."""
    return frozenset(name for header in headers for name in VALUES.get(header, ()))


def header_of_type(name: str) -> str | None:
    """The first known header that declares the type `name`."""
    return next((header for header, types in TYPES.items() if name in types), None)


def is_known(header: str) -> bool:
    return header in TYPES or header in CONSTANTS or header in VALUES or header in _PLAIN


def is_of_a_header(function: str) -> bool:
    """True if C programs get a function of this name from a system header."""
    return function in _OTHER_FUNCTIONS


_OTHER_FUNCTIONS = frozenset(
    _words(
        "printf fprintf sprintf snprintf puts fputs putchar scanf fscanf malloc calloc realloc "
        "free memcpy memmove memset memcmp strlen strcpy rand srand exit abort assert fopen "
        "fclose fread fwrite clock time"
    )
)
_PLAIN = frozenset(
    [
        "assert.h",
        "errno.h",
        "complex.h",
        "fenv.h",
        "tgmath.h",
        "sys/time.h",
    ]
)
