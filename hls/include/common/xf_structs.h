#include "xf_common.h" /* The same by the name of its part. */
