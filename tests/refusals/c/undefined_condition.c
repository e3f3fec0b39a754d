#define N 16
/* The value that a condition looks at was never written. */
void f(const int in[N], int out[N])
{
    int t[N], u[N];
    for (int i = 0; i < N - 1; i++) {
        t[i] = in[i];
        u[i] = t[i + 1] + 1;
    }
    for (int i = 0; i < N - 1; i++)
        if (u[i] > 3)
            out[i] = in[i];
}
