#define N 14
#define M 9
/* smooth, Laplace, threshold */
void edges(const unsigned char in[M][N], unsigned char out[M][N])
{
	short s[M][N], l[M][N];
	// smooth
	for (int y = 0; y < M; y++)
		for (int x = 1; x < N - 1; x++)
			s[y][x] = (in[y][x - 1] + 2 * in[y][x] + in[y][x + 1]) / 4;
	// Laplace
	for (int y = 1; y < M - 1; y++)
		for (int x = 2; x < N - 2; x++) {
			l[y][x] = 4 * s[y][x] - s[y - 1][x] - s[y + 1][x] - s[y][x - 1] - s[y][x + 1];
		}
	for (int y = 1; y < M - 1; y++)
		for (int x = 2; x < N - 2; x++)
			out[y][x] = l[y][x] > 10 ? 255 : 0;
}
