/* Clauss et al., "Multifor" (IMPACT 2013), listing 4 as it is printed: K counts from 1. */
K = 0;
for (ip = 0; ip < M1; ip++)
  for (jp = 0; jp < M2; jp++) {
    K++;
    i = floor(sqrt((1 + 8 * K) / 4.0) + 1 / 2.0);
    j = K - i * (i - 1) / 2;
    instructions1(i, j);
    instructions2(ip, jp);
  }
