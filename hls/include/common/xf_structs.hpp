#include "xf_common.hpp" /* The same by the name of its part. */
