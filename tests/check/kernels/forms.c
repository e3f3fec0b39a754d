#include <math.h>
#include "forms.h"

typedef float pixel;

static pixel soften(pixel left, pixel right)
{
    return (pixel)(LEFT * left + sqrtf(right));
}

int main(void)
{
    return 0;
}

/* All the ways to write, and scalars, labels, conditions and declarations among them. */
void forms(int m, const pixel given[restrict N], pixel result[], double gain, pixel out[N][2])
{
    pixel row[N + 1], total;
    register int turns;
#pragma scop
    turns = 0;
First:
    total = 0.0f;
    for (int i = 0; i <= m - 1; i += 2) {
        pixel half = given[i] / 2;
        row[i] = half;
        row[i] += soften(half, half) * (pixel)gain;
        if (i >= 2 && i < N)
Sum:        total -= row[i] > row[i - 2] ? row[i] : -row[i - 2];
        else
            row[i + 1] = (pixel)sizeof row[i];
        turns++;
    }
    for (int i = m - 1; i >= 0; --i)
        if (i < 1)
            result[i] = total + turns;
        else {
            out[i][0] = total;
            out[i][1] = out[i][0];
        }
#pragma endscop
}
