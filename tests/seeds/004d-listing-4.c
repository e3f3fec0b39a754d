/* Clauss et al., "Multifor" (IMPACT 2013), listings 1 and 2, which listing 4 merges. */
void listing(int N, int M1, int M2, int a[N][N], int b[M1][M2]) {
  for (int i = 1; i < N; i++)
    for (int j = 0; j < i; j++)
      A: a[i][j] = i - j;
  for (int p = 0; p < M1; p++)
    for (int q = 0; q < M2; q++)
      B: b[p][q] = p + q;
}
