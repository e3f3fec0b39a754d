#define T 8
#define B 512

/* Unsharp masking in T x T tiles of B x B: five taps along x in a tile, then five along y, of which
 * the last four columns stay for the tile beside it. */
void unsharp_tiled(const float in[T * B + 4][T * B + 4], float edge[T][T + 1][B][4], float out[T * B][T * B])
{
    float taps[T][T][B][B];
#pragma scop
    for (int u = 0; u < T; u++)
        for (int v = 0; v < T; v++) {
            for (int x = 0; x < B; x++) {
                for (int y = 0; y < B; y++)
                    taps[u][v][x][y] = in[B * u + x][B * v + y] + 4 * in[B * u + x + 1][B * v + y] + 6 * in[B * u + x + 2][B * v + y] + 4 * in[B * u + x + 3][B * v + y] + in[B * u + x + 4][B * v + y];
                out[B * u + x][B * v] = 3 * in[B * u + x + 2][B * v] - (edge[u][v][x][0] + 4 * edge[u][v][x][1] + 6 * edge[u][v][x][2] + 4 * edge[u][v][x][3] + taps[u][v][x][0]) / 128;
                out[B * u + x][B * v + 1] = 3 * in[B * u + x + 2][B * v + 1] - (edge[u][v][x][1] + 4 * edge[u][v][x][2] + 6 * edge[u][v][x][3] + 4 * taps[u][v][x][0] + taps[u][v][x][1]) / 128;
                out[B * u + x][B * v + 2] = 3 * in[B * u + x + 2][B * v + 2] - (edge[u][v][x][2] + 4 * edge[u][v][x][3] + 6 * taps[u][v][x][0] + 4 * taps[u][v][x][1] + taps[u][v][x][2]) / 128;
                out[B * u + x][B * v + 3] = 3 * in[B * u + x + 2][B * v + 3] - (edge[u][v][x][3] + 4 * taps[u][v][x][0] + 6 * taps[u][v][x][1] + 4 * taps[u][v][x][2] + taps[u][v][x][3]) / 128;
                for (int y = 4; y < B; y++)
                    out[B * u + x][B * v + y] = 3 * in[B * u + x + 2][B * v + y] - (taps[u][v][x][y - 4] + 4 * taps[u][v][x][y - 3] + 6 * taps[u][v][x][y - 2] + 4 * taps[u][v][x][y - 1] + taps[u][v][x][y]) / 128;
            }
            for (int x = 0; x < B; x++)
                for (int y = 0; y < 4; y++)
                    edge[u][v + 1][x][y] = taps[u][v][x][B - 4 + y];
        }
#pragma endscop
}
