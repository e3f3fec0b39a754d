/* Local values that are written anew for every pixel; a register holds them in turn. */
void magnitude(const short g[8][8][2], int out[8][8][2])
{
    int a[2];

    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            for (int k = 0; k < 2; k++) {
                a[k] = g[y][x][k] * g[y][x][k];
                out[y][x][k] = a[k];
            }
}
