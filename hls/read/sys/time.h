/* <sys/time.h> */
#pragma once
#include <time.h>
HLSMEM_C
struct timeval { time_t tv_sec; long tv_usec; };
int gettimeofday(struct timeval *, void *);
HLSMEM_END
