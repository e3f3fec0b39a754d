"""What system headers of C declare: types, pure functions, names that C keeps for its library."""

from __future__ import annotations

from collections.abc import Iterable


def _words(text: str) -> list[str]:
    return text.split()


_SIGNS, _WIDTHS = ("", "u"), ("8", "16", "32", "64")
_KINDS = (*_WIDTHS, "ptr", "max", *(f"_{one}{w}" for one in ("fast", "least") for w in _WIDTHS))
EXACT_TYPES = frozenset(f"{sign}int{bits}_t" for sign in _SIGNS for bits in _WIDTHS)
_OF_STDINT = frozenset(f"{sign}int{kind}_t" for sign in _SIGNS for kind in _KINDS)

TYPES: dict[str, frozenset[str]] = {
    "stdint.h": _OF_STDINT,
    "inttypes.h": _OF_STDINT,
    "stdbool.h": frozenset(["bool"]),
    "stddef.h": frozenset(["size_t", "ptrdiff_t"]),
    "stdlib.h": frozenset(["size_t"]),
    "string.h": frozenset(["size_t"]),
    "stdio.h": frozenset(["size_t", "FILE"]),
    "time.h": frozenset(["size_t", "time_t", "clock_t"]),
    "unistd.h": frozenset(["size_t", "ssize_t"]),
    "sys/types.h": frozenset(["size_t", "ssize_t"]),
    "math.h": frozenset(["float_t", "double_t"]),
}
"""The names that system headers have for types."""

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


def types_of(headers: Iterable[str]) -> frozenset[str]:
    """The names of types that these headers make known."""
    return frozenset[str]().union(*(TYPES.get(header, ()) for header in headers))


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
