/* <assert.h>: a function, so that the condition stays in the tree. */
#pragma once
#include <stddef.h>
HLSMEM_C
#ifdef __cplusplus
void assert(bool);
#else
void assert(_Bool);
#endif
HLSMEM_END
#ifndef __cplusplus
#define static_assert _Static_assert
#endif
