// plan: --param w=12 --param h=10 --set "context='[w,h]->{: 1<=w<=4096 and 1<=h<=4096}'"
// cells: t=36
#include <stddef.h>
void us(unsigned h, unsigned w, const float *restrict in, float *restrict out)
{
    float t[h * w];
    for (unsigned i = 0; i < h; i++)
        for (unsigned j = 0; j < w; j++) {
            t[i * w + j] = in[i * w + j];
            if (i >= 2)
                out[i * w + j] = t[i * w + j] + t[(i - 2) * w + (w - 1 - j)];
        }
}
