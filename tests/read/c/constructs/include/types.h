#pragma once
#ifdef WIDE
typedef double sample;
#else
typedef float sample;
#endif
