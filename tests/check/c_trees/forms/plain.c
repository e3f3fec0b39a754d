/* Forms of C without macros: what the text of the tree prints is what this prints. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef int row[4];
typedef int of_two(int, int);
typedef struct node {
    struct node *next;
    enum { RED, BLUE = 5 } color;
    unsigned : 3;
    unsigned few : 2, : 0, more : 4;
    char tail[];
} node;
_Static_assert(sizeof(int) == 4, "int");
struct opaque;
;
extern int shared[];
int shared[3] = {1, 2, 3};
int const limit = 7;
const struct {
    int low, high;
} range[2] = {{1, 2}, {3, 4}}, other = {5, 6};
unsigned long long most = 18446744073709551615ULL;
long least = -2147483648;
unsigned bits = 0xFFFFFFFF;
double power = 0x1.8p3, small = 1e-310;
float third = 1.0f / 3;
long double longer = 3.25L;
const char *text = "h\xc3\xa9\u00e9\t\0z" "\x41" "1\033";
wchar_t wide[] = L"w\u00e9";
char quote = '\'', slash = '\\', last = '\377';

static of_two add;
static int add(int a, int b) { return a + b; }
static int (*choose(int which))(int, int) { return which ? add : (int (*)(int, int)) 0; }
static int older(a, b) int a; int b; { return a - b; }
static inline __attribute__((noinline)) unsigned turned(unsigned x) { return x << 3 | x >> 29; }

static int squares(int n, int A[n][n], row r, int (*p)[n], int q[const restrict 2])
{
    int (*whole)[n] = A;
    int total = sizeof(row) + _Alignof(double) + sizeof(int) * n + q[1];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            total += whole[i][j] * ((int (*)[n]) p)[i][j] + r[i & 3];
    return total + (int) (sizeof(*whole) / sizeof **whole);
}

static void jumps(int x, int y)
{
    int k = 0;
    if (x) if (y > 0) x = 1; else x = 2;
    if (x) { if (y > 0) x = 5; } else x = 6;
    switch (x & 3) {
    case 0: y++;
    case 1: y += 2; break;
    case 2: { y *= 3; break; }
    default: y = -y;
    }
again:
    k++;
    if (k < 3) goto again;
    { goto out; }
out:;
    do x--; while (x > 0);
    while (y++ < 0) { if (y == -2) continue; if (y == -1) break; }
    for (;;) { if (k++ > 5) break; }
    for (; k < 9;) k++;
    for (k = 1;; k++, y++) if (k > 3) break;
    for (int i = 0, j = 3; i < j; i++, j--) y += i;
    printf("%d %d %d\n", x, y, k);
}

void forms(void)
{
    int x = 3, y = -4, *p = &x, t[2][2] = {[0] = {1}, [1][1] = 9};
    node n = {.color = BLUE, .few = 1}, *np = &n;
    n.more = 5, np->next = np;
    jumps(x, y), jumps(y, x);
    x = - -y + +x - ~-y;
    x += !!y;
    x = *&x + *(&t[0][1] - 1) + 1[t[1]];
    y = x > 3 ? x < 9 ? 1 : 2 : y ? 3 : 4;
    y += (struct node){.color = 3}.color + ((int[]){4, 5, 6})[1] + np->next->next->more;
    unsigned char narrow = 200;
    narrow += 100;
    signed char with_sign = (signed char) narrow;
    short cut = (short) (x << 12);
    _Bool is_there = x;
    int comma = (x++, y++, x + y), again = x = y;
    float part = x;
    part /= 3;
    char buffer[] = "abc";
    strcpy(buffer, "xy");
    struct { int a; union { int whole; float real; }; } both = {1, {2}};
    both.real = 1.5f;
    int (*one)(int, int) = choose(1), (*table[2])(int, int) = {add, older};
    int B[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    row r = {1, 2, 3, 4};
    printf("%d %d %d %d %d\n", *p, y, narrow, with_sign, cut);
    printf("%d %d %d %g %g %s\n", is_there, comma, again, part, part * 2.5 + 1.e2f, buffer);
    printf("%d %d %zu", one(1, 2), table[1](5, 2), offsetof(struct node, tail));
    printf(" %zu %d %s\n", strlen(text), both.whole, __func__);
    printf("%llu %ld %u %a %a %a %Lg\n", most, least, bits, power, small, third, longer);
    printf("%d %d %d %d %u\n", quote, slash, last, squares(3, B, r, B, r), turned(0x80000001));
    printf("%d %d %d %d\n", range[1].low + other.high, t[1][1], (int) wide[1], shared[2] + limit);
}
