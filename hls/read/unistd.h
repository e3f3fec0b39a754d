/* <unistd.h> */
#pragma once
#include <sys/types.h>
HLSMEM_C
int usleep(unsigned), close(int);
unsigned sleep(unsigned);
ssize_t read(int, void *, size_t), write(int, const void *, size_t);
HLSMEM_END
