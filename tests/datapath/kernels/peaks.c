/* The first greatest of a row and its place, and what passes a limit, by branches. */
#include <stdint.h>
#define H 10
#define W 16
void peaks(const int16_t in[H][W], int16_t most[H], int place[H], int16_t over[H], int16_t out[H][W])
{
    for (int y = 0; y < H; y++) {
        int16_t m = in[y][0];
        int p = 0;
        int16_t n = 0;
        for (int x = 1; x < W; x++) {
            int16_t v = in[y][x];
            if (v > m) {
                m = v;
                p = x;
            }
            if (v > 1000 && x >= 3)
                n++;
            if (v > 100)
                out[y][x] = 100;
            else if (v < -100)
                out[y][x] = -100;
            else
                out[y][x] = v;
        }
        most[y] = m;
        place[y] = p;
        over[y] = n;
    }
}
