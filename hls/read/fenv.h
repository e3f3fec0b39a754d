/* <fenv.h> */
#pragma once
#include <stddef.h>
HLSMEM_C
int fesetround(int), fegetround(void), feclearexcept(int), fetestexcept(int);
HLSMEM_END
#define FE_TONEAREST 0
#define FE_DOWNWARD 0x400
#define FE_UPWARD 0x800
#define FE_TOWARDZERO 0xc00
#define FE_ALL_EXCEPT 0x3d
