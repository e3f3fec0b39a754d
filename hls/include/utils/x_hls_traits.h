#include "utils/x_hls_utils.h" /* Types of results. */
