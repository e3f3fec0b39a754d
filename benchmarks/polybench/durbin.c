/* Yule-Walker equations by Durbin's recursion. */
#include "polybench.h"

void kernel_durbin(int n, DATA_TYPE POLYBENCH_1D(r, N, n), DATA_TYPE POLYBENCH_1D(y, N, n))
{
    int i, k;
    DATA_TYPE z[n];
    DATA_TYPE alpha;
    DATA_TYPE beta;
    DATA_TYPE sum;

#pragma scop
    y[0] = -r[0];
    beta = SCALAR_VAL(1.0);
    alpha = -r[0];
    for (k = 1; k < _PB_N; k++) {
        beta = (1 - alpha * alpha) * beta;
        sum = SCALAR_VAL(0.0);
        for (i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
#pragma endscop
}
