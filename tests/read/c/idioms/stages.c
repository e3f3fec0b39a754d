// cells: x=8, a=1, b=1, a_2=1, b_2=1, a_3=1, b_3=1
#define LOG 3
#define N (1 << LOG)
static const short turn[N / 2] = {64, 45, 0, -45};
void butterflies(const int in[8], int out[8])
{
    int x[8];
    for (int i = 0; i < 8; i++) x[i] = in[i];
    for (int s = 1; s <= LOG; s++) {
        int half = 1 << (s - 1);
        for (int k = 0; k < N; k += 2 * half)
            for (int j = 0; j < half; j++) {
                int a = x[k + j];
                int b = x[k + j + half] * turn[j << (LOG - s)];
                x[k + j] = a + b;
                x[k + j + half] = a - b;
            }
    }
    for (int i = 0; i < 8; i++) out[i] = x[i];
}
