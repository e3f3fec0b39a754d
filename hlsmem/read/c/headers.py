"""What system headers of C declare: types, pure functions, names that C keeps for its library."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product


def _words(text: str) -> list[str]:
    return text.split()


EXACT_TYPES = {
    f"{'u' * unsigned}int{bits}_t": f"{'unsigned ' * unsigned}{base}"
    for unsigned, (bits, base) in product(
        (False, True), ((8, "signed char"), (16, "short"), (32, "int"), (64, "long"))
    )
}
EXACT_TYPES["uint8_t"] = "unsigned char"
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
    "stdint.h": EXACT_TYPES | _WIDE_TYPES,
    "inttypes.h": EXACT_TYPES | _WIDE_TYPES,
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


def header_of_type(name: str) -> str | None:
    """The first known header that declares the type `name`."""
    return next((header for header, types in TYPES.items() if name in types), None)


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
