/* <sys/types.h> */
#pragma once
#include <stddef.h>
#include <stdint.h>
HLSMEM_C
typedef long ssize_t, off_t;
typedef int pid_t;
typedef unsigned uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
HLSMEM_END
