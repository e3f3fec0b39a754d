/* Each reader reads its element more than once, in operands of one beat. */
#include <stdint.h>

void gain(const int16_t in[6][8], int16_t out[6][8])
{
    int16_t t[6][8];

    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 8; x++)
            t[y][x] = 3 * in[y][x];
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 8; x++)
            out[y][x] = t[y][x] < 0 ? -t[y][x] : t[y][x];
}
