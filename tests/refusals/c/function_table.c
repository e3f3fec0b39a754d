#define N 16
typedef int (*op)(int);
static int twice(int v) { return 2 * v; }
static const op ops[1] = {twice};
void f(const int in[N], int out[N])
{
    int t[N];
    for (int i = 0; i < N; i++) {
        t[i] = ops[0](in[i]);
        if (i > 0) out[i] = t[i - 1];
    }
}
