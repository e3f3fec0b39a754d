// cells: t=2
#include <stdio.h>
#define N 16
static int in[N], out[N];

void kernel(const int a[N], int b[N])
{
    int t[N];
    for (int i = 0; i < N; i++) {
        t[i] = a[i];
        if (i)
            b[i] = t[i] + t[i - 1];
    }
}

int main(void)
{
    kernel(in, out);
    printf("%d\n", out[3]);
    return 0;
}
