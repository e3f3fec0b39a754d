#include <math.h> /* HLS/math.h of Intel. */
