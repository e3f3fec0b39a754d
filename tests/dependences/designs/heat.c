#define N 12
#define T 4
void heat(int a[N], int b[N])
{
#pragma scop
    for (int t = 0; t < T; t++) {
        for (int i = 1; i < N - 1; i++)
R:          b[i] = a[i - 1] + a[i] + a[i + 1];
        for (int i = 1; i < N - 1; i++)
W:          a[i] = b[i];
    }
#pragma endscop
}
