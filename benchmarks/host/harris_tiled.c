#define T 64
#define B 64

/* Harris corners in T x T tiles of B x B: three products of gradients in a tile, and three of each
 * along y a point; the last two columns of the products stay for the tile beside it. */
void harris_tiled(const float in[T * B + 2][T * B + 2], float edge[T][T + 1][B][6], float out[T * B][T * B])
{
    float xx[T][T][B][B], xy[T][T][B][B], yy[T][T][B][B];
#pragma scop
    for (int u = 0; u < T; u++)
        for (int v = 0; v < T; v++) {
            for (int x = 0; x < B; x++) {
                for (int y = 0; y < B; y++) {
                    xx[u][v][x][y] = (in[B * u + x + 2][B * v + y + 1] - in[B * u + x][B * v + y + 1]) * (in[B * u + x + 2][B * v + y + 1] - in[B * u + x][B * v + y + 1]);
                    xy[u][v][x][y] = (in[B * u + x + 2][B * v + y + 1] - in[B * u + x][B * v + y + 1]) * (in[B * u + x + 1][B * v + y + 2] - in[B * u + x + 1][B * v + y]);
                    yy[u][v][x][y] = (in[B * u + x + 1][B * v + y + 2] - in[B * u + x + 1][B * v + y]) * (in[B * u + x + 1][B * v + y + 2] - in[B * u + x + 1][B * v + y]);
                }
                out[B * u + x][B * v] = (edge[u][v][x][0] + edge[u][v][x][1] + xx[u][v][x][0]) * (edge[u][v][x][4] + edge[u][v][x][5] + yy[u][v][x][0])
                                      - (edge[u][v][x][2] + edge[u][v][x][3] + xy[u][v][x][0]) * (edge[u][v][x][2] + edge[u][v][x][3] + xy[u][v][x][0]);
                out[B * u + x][B * v + 1] = (edge[u][v][x][1] + xx[u][v][x][0] + xx[u][v][x][1]) * (edge[u][v][x][5] + yy[u][v][x][0] + yy[u][v][x][1])
                                          - (edge[u][v][x][3] + xy[u][v][x][0] + xy[u][v][x][1]) * (edge[u][v][x][3] + xy[u][v][x][0] + xy[u][v][x][1]);
                for (int y = 2; y < B; y++)
                    out[B * u + x][B * v + y] = (xx[u][v][x][y - 2] + xx[u][v][x][y - 1] + xx[u][v][x][y]) * (yy[u][v][x][y - 2] + yy[u][v][x][y - 1] + yy[u][v][x][y])
                                              - (xy[u][v][x][y - 2] + xy[u][v][x][y - 1] + xy[u][v][x][y]) * (xy[u][v][x][y - 2] + xy[u][v][x][y - 1] + xy[u][v][x][y]);
            }
            for (int x = 0; x < B; x++)
                for (int y = 0; y < 2; y++) {
                    edge[u][v + 1][x][y] = xx[u][v][x][B - 2 + y];
                    edge[u][v + 1][x][y + 2] = xy[u][v][x][B - 2 + y];
                    edge[u][v + 1][x][y + 4] = yy[u][v][x][B - 2 + y];
                }
        }
#pragma endscop
}
