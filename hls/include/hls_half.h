/* half: 16 bits where the compiler has them. */
#pragma once
#ifdef __FLT16_MANT_DIG__
typedef _Float16 half;
#else
typedef float half;
#endif
