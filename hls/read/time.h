/* <time.h> */
#pragma once
#include <stddef.h>
HLSMEM_C
typedef long time_t, clock_t;
struct timespec { time_t tv_sec; long tv_nsec; };
time_t time(time_t *);
clock_t clock(void);
double difftime(time_t, time_t);
int clock_gettime(int, struct timespec *), nanosleep(const struct timespec *, struct timespec *);
HLSMEM_END
#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
