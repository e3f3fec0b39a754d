/* Structs come in and leave member by member. */
#include <stdint.h>
#define H 12
#define W 16
typedef struct {
    uint8_t r, g, b;
} pixel;
void pixels(const pixel in[H][W], pixel out[H][W])
{
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            pixel p = in[y][x];
            int grey = (p.r + 2 * p.g + p.b) >> 2;
            p.r = (p.r + grey) >> 1;
            p.g = (p.g + grey) >> 1;
            p.b = (p.b + grey) >> 1;
            out[y][x] = p;
        }
}
