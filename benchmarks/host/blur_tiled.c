#define T 8
#define B 512

/* The blur in T x T tiles of B x B: sums along y in a tile, whose last two columns stay for the tile
 * beside it. */
void blur_tiled(const float in[T * B][T * B + 2], float edge[T][T + 1][B][2], float out[T * B][T * B])
{
    float rows[T][T][B][B];
#pragma scop
    for (int u = 0; u < T; u++)
        for (int v = 0; v < T; v++) {
            for (int x = 0; x < B; x++) {
                for (int y = 0; y < B; y++)
                    rows[u][v][x][y] = in[B * u + x][B * v + y] + in[B * u + x][B * v + y + 1] + in[B * u + x][B * v + y + 2];
                out[B * u + x][B * v] = edge[u][v][x][0] + edge[u][v][x][1] + rows[u][v][x][0];
                out[B * u + x][B * v + 1] = edge[u][v][x][1] + rows[u][v][x][0] + rows[u][v][x][1];
                for (int y = 2; y < B; y++)
                    out[B * u + x][B * v + y] = rows[u][v][x][y - 2] + rows[u][v][x][y - 1] + rows[u][v][x][y];
            }
            for (int x = 0; x < B; x++)
                for (int y = 0; y < 2; y++)
                    edge[u][v + 1][x][y] = rows[u][v][x][B - 2 + y];
        }
#pragma endscop
}
