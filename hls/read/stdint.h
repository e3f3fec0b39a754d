/* <stdint.h>: integers of a given width. */
#pragma once
#include <stddef.h>
HLSMEM_C
#define HLSMEM_WIDTH(w) \
    typedef __INT##w##_TYPE__ int##w##_t, int_least##w##_t, int_fast##w##_t; \
    typedef __UINT##w##_TYPE__ uint##w##_t, uint_least##w##_t, uint_fast##w##_t;
HLSMEM_WIDTH(8)
HLSMEM_WIDTH(16)
HLSMEM_WIDTH(32)
HLSMEM_WIDTH(64)
#undef HLSMEM_WIDTH
typedef __INTPTR_TYPE__ intptr_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __UINTMAX_TYPE__ uintmax_t;
HLSMEM_END
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807L
#define INT8_MIN (-INT8_MAX - 1)
#define INT16_MIN (-INT16_MAX - 1)
#define INT32_MIN (-INT32_MAX - 1)
#define INT64_MIN (-INT64_MAX - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define INTMAX_MAX INT64_MAX
#define INTMAX_MIN INT64_MIN
#define UINTMAX_MAX UINT64_MAX
#define SIZE_MAX UINT64_MAX
#define PTRDIFF_MAX INT64_MAX
#define INT8_C(x) x
#define INT16_C(x) x
#define INT32_C(x) x
#define INT64_C(x) x##L
#define UINT8_C(x) x
#define UINT16_C(x) x
#define UINT32_C(x) x##U
#define UINT64_C(x) x##UL
