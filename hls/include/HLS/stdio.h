#include <stdio.h> /* HLS/stdio.h of Intel. */
