// plan: --param N=6
#define N 6
#include <stdint.h>
typedef uint8_t pixel;
typedef pixel line[N];
typedef line image[N];
typedef const pixel *source;
typedef unsigned int count;
void typedefs(source in, image out)
{
    typedef int wide;
    image t;
    wide sum;
#pragma scop
    for (count i = 0; i < N; i++)
        for (count j = 0; j < N; j++)
            t[i][j] = in[i] + j;
    for (count i = 1; i < N; i++) {
        sum = 0;
        for (count j = 0; j < N; j++) {
            wide step = t[i][j] - t[i - 1][j];
            sum += step;
            out[i][j] = (pixel)sum;
        }
    }
#pragma endscop
}
