// cells: prev=16, cur=16, next=16, v=1
#include <string.h>
#define W 16
#define H 8
void sharpen(const unsigned char in[H][W], unsigned char out[H][W])
{
    unsigned char prev[W], cur[W], next[W];
    memcpy(prev, in[0], W);
    memcpy(cur, in[1], W);
    for (int y = 1; y < H - 1; y++) {
        memcpy(next, in[y + 1], W);
        for (int x = 0; x < W; x++) {
            int v = 5 * cur[x] - prev[x] - next[x];
            out[y][x] = v < 0 ? 0 : v > 255 ? 255 : v;
        }
        memcpy(prev, cur, W);
        memcpy(cur, next, W);
    }
}
