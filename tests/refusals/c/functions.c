typedef int (*op_t)(int);
static int half(int x) { return x / 2; }
static int down(int n, int *t) { t[n] = n; return n > 0 ? down(n - 1, t) : 0; }
int outside(int *t, int k);
static void deep(int *t) { for (int i = 0; i < 4; i++) t[i] = outside(t, i); }
void f(const int in[8], int out[8], op_t op)
{
    int t[8];
    deep(t);
    for (int i = 0; i < 8; i++)
        t[i] = op(in[i]);
    for (int i = 0; i < 8; i++)
        out[i] = half(t[i]) + (*op)(t[i]);
    out[0] = down(7, t);
}
