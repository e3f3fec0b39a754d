/* A window of values that are no copies; its first two are thrown away in every row. */
void window_guarded(const int in[H][W], int out[H][W])
{
    int w[3];
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            w[0] = w[1] + 1;
            w[1] = w[2] * 3;
            w[2] = in[y][x] * 2;
            if (x >= 2)
                out[y][x - 2] = w[0] + w[1] + w[2];
        }
}
