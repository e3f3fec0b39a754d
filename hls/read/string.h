/* <string.h> */
#pragma once
#include <stddef.h>
HLSMEM_C
void *memcpy(void *, const void *, size_t), *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t), strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
size_t strlen(const char *);
char *strcpy(char *, const char *), *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *), *strtok(char *, const char *), *strerror(int);
char *strchr(const char *, int), *strrchr(const char *, int), *strstr(const char *, const char *);
char *strdup(const char *);
HLSMEM_END
