/* <stdlib.h> */
#pragma once
#include <stddef.h>
#include <sys/types.h>
HLSMEM_C
typedef struct { int quot, rem; } div_t;
void *malloc(size_t), *calloc(size_t, size_t), *realloc(void *, size_t);
int posix_memalign(void **, size_t, size_t);
void *aligned_alloc(size_t, size_t);
void free(void *), exit(int), abort(void), srand(unsigned);
int rand(void), abs(int), atoi(const char *), system(const char *), atexit(void (*)(void));
long labs(long), atol(const char *), strtol(const char *, char **, int), random(void);
long long llabs(long long), atoll(const char *), strtoll(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);
unsigned long long strtoull(const char *, char **, int);
double atof(const char *), strtod(const char *, char **), drand48(void);
float strtof(const char *, char **);
char *getenv(const char *);
div_t div(int, int);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
HLSMEM_END
#ifdef __cplusplus
namespace hlsmem_c {
constexpr long abs(long x) { return x < 0 ? -x : x; }
constexpr long long abs(long long x) { return x < 0 ? -x : x; }
constexpr float abs(float x) { return x < 0 ? -x : x; }
constexpr double abs(double x) { return x < 0 ? -x : x; }
constexpr long double abs(long double x) { return x < 0 ? -x : x; }
}
#endif
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
