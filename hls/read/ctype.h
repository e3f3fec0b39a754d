/* <ctype.h> */
#pragma once
#include <stddef.h>
HLSMEM_C
int isalpha(int), isdigit(int), isalnum(int), isspace(int), isupper(int), islower(int);
int isxdigit(int), isprint(int), toupper(int), tolower(int);
HLSMEM_END
