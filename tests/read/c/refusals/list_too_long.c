// params: N
// What a list has must be there: compilers leave out what is too much, with a warning.
struct pair { int a, b; };
#define N 8
void f(const int in[N], int out[N])
{
#pragma scop
    struct pair m[3] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    struct pair p = {1, 2, 3}, q = {.c = 1};
    struct pair named[2] = {[2] = {1, 2}};
    int t[3] = {1, 2, 3, 4};
    for (int i = 0; i < N; i++)
        out[i] = in[i] + m[i % 3].a + p.b + q.a + named[0].a + t[i % 3];
#pragma endscop
}
