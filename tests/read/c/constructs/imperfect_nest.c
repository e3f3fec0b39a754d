// plan: --param N=6
#define N 6
void imperfect_nest(const float in[N][N], float out[N])
{
    float sum, row[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        sum = 0;
        for (int j = 0; j < N; j++) {
            row[j] = in[i][j];
            for (int k = 0; k < 2; k++)
                row[j] *= row[j];
            sum += row[j];
        }
        out[i] = sum / N;
    }
#pragma endscop
}
