/* Read by hlsmem, a kernel is plain C. Compiled with -DTRACE, it records what it touches. */
#ifdef TRACE
#include <stdio.h>
static int touch_(const char *array, int dimensions, int a, int b)
{
    printf(" %s", array);
    if (dimensions > 0)
        printf(",%d", a);
    if (dimensions > 1)
        printf(",%d", b);
    return 0;
}
#define ST(name) name: printf("\n%s", #name),
#define AT0(x) (*(touch_(#x, 0, 0, 0), &x))
#define AT1(x, i) ((x)[touch_(#x, 1, (i), 0) + (i)])
#define AT2(x, i, j) ((x)[touch_(#x, 2, (i), (j)) + (i)][j])
#else
#define ST(name) name:
#define AT0(x) x
#define AT1(x, i) x[i]
#define AT2(x, i, j) x[i][j]
#endif
