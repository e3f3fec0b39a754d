void tr(const int in[64], int out[64][2]) {
  int a[64];
#pragma scop
  for (int i = 0; i < 64; i++) {
P:  a[i] = in[i];
    for (int k = 0; k < 2; k++)
      if (i >= 3)
R:      out[i][k] = a[i] + a[i-3] + k;
  }
#pragma endscop
}
