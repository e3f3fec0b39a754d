/* <errno.h> */
#pragma once
#include <stddef.h>
HLSMEM_C
extern int errno;
HLSMEM_END
#define EDOM 33
#define ERANGE 34
#define EINVAL 22
#define ENOMEM 12
#define ENOENT 2
