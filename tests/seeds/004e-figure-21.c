/* Feld et al., "Hardware-aware automatic code-transformation .. SICA" (IMPACT 2013), figure 21:
   correlation, which figure 22 tiles. */
#include <math.h>

void correlation(int M, int N, float data2[N + 1][M + 1], float symmat[M + 1][M + 1],
                 const float mean[M + 1], const float stddev[M + 1]) {
#pragma scop
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= M; j++) {
      S0: data2[i][j] -= mean[j];
      S1: data2[i][j] /= sqrt(N) * stddev[j];
    }
  for (int j1 = 1; j1 <= M - 1; j1++) {
    S2: symmat[j1][j1] = 1.0;
    for (int j2 = j1 + 1; j2 <= M; j2++) {
      S3: symmat[j1][j2] = 0.0;
      for (int i = 1; i <= N; i++)
        S4: symmat[j1][j2] += (data2[i][j1] * data2[i][j2]);
      S5: symmat[j2][j1] = symmat[j1][j2];
    }
  }
#pragma endscop
}
