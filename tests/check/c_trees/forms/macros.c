/* Values, types and statements that macros write: what the tree's text prints is what this prints. */
#include <assert.h>
#include <complex.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define POINT(a, b) {.x = (a), .y = (b), .z[1] = 'q'}
#define TABLE {[0] = 1, [2] = 0x7f, 3}
#define GRID {[0] = {[1] = 4}, [1] = {1, 2}}
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define BYTES sizeof(int16_t)
#define NAME "na" "me"
#define SMALL 1.5e-7f
#define LARGE 3000000000
#define HIGH (1ULL << 63)
#define AT(m, i, j) (m)[(i) * 3 + (j)]
#define FIELD(p, f) ((p)->f)
#define TO(t, x) ((t) (x))
#define FOR(i, a, b) for (int i = (a); i < (b); i++)
#define BLOCK(x) { x++; if (x > 2) { x--; } else { x += 2; } }
#define SWAP(x, y) do { int t_ = (x); (x) = (y); (y) = t_; } while (0)
#define CLAMP(x) ((x) < 0 ? 0 : (x) > 255 ? 255 : (x))
#define CALL(f, ...) f(__VA_ARGS__)
#define NOTHING
#define UNROLL _Pragma("GCC unroll 2")
#define MADE(v) (struct point){.x = v}
#define COMMA(a, b) ((a)++, (b)++)
#define DECLARE(t, n) t n = (t) 3; static const t n##_c[2] = {(t) 1, (t) 2};
#define SWITCH(x) switch (x) { case 1: x = 4; break; case 4: case 5: x = 9; default: x++; }
#define NEGATIVE -1
#define TEXT(x) #x
#define DEFINE(n, op) \
    static int n(int a, int b) { int r = 0; for (int i = 0; i < b; i++) { r op a; } return r; }

DEFINE(added, +=)
DEFINE(taken, -=)
struct point { int x, y; char z[3]; };
static struct point origin = POINT(3, NEGATIVE);
static int table[] = TABLE;
static const int grid[2][2] = GRID;
enum { LOW = SCHAR_MIN, TOP = LOW + COUNT(table) };
typedef float pixel;

static double mean(const pixel *restrict m, int n)
{
    double sum = 0;
    FOR(i, 0, n) sum += (double) m[i] / n;
    return sum;
}

static uint8_t saturated(int32_t v) { return (uint8_t) CLAMP(v); }

void forms(void)
{
    pixel m[9];
    DECLARE(short, narrow)
    DECLARE(double, wide)
    FOR(i, 0, 3) FOR(j, 0, 3) AT(m, i, j) = SMALL * 1e6f + i * j;
    struct point *q = &origin, made = MADE(7);
    int k = 1, l = 1;
    bool yes = true, no = !yes;
    BLOCK(k) SWITCH(l) COMMA(k, l);
    SWAP(k, l);
    UNROLL
    FOR(i, 0, 2) { FIELD(q, x) += TO(int, AT(m, i, i) * 10) NOTHING; }
    unsigned long long high = HIGH | UINT32_MAX;
    double complex z = 1.0 + 2.0 * I;
    float infinite = INFINITY;
    assert(yes && "fine");
    int rows[BYTES][COUNT(table)];
    memset(rows, 0, sizeof rows);
    rows[1][2] = CALL(added, 3, 4) + CALL(taken, 1, 2);
    int8_t least = INT8_MIN;
    uint64_t word = UINT64_C(0xdeadbeefcafe);
    int64_t less = INT64_C(-5);
    const char *name = NAME " " "x";
    char letters[COUNT(table)] = {'a', "bcd"[1]};
    printf("%d %d %d %d %d\n", origin.x, origin.y, origin.z[1], TOP, LOW);
    printf("%g %g %d %d %d %d %d\n", mean(m, 9), (double) SMALL, k, l, yes, no, made.x + made.y);
    printf("%d %ld %llu\n", saturated(300) + saturated(-4) + saturated(17), LARGE, high);
    printf("%d %ld %g %g %g\n", INT_MIN, LONG_MAX, creal(z * z), DBL_EPSILON, FLT_MAX);
    printf("%d %d %lu %ld %zu", rows[1][2], least, (unsigned long) word, (long) less, COUNT("abc"));
    printf(" %s %s %d %d\n", name, letters, grid[0][1], table[3]);
    printf("%d %d %d\n", isinf(infinite) != 0, isnan(NAN) != 0, signbit(-1.0) != 0);
    printf("%d %g %d %g\n", narrow + narrow_c[1], wide + wide_c[0], '\n', fabs(-M_PI));
    printf("%s %c\n", TEXT(a + b), 'a' + 1);
}
