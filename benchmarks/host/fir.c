#define N 8192

/* A FIR filter of 24 taps behind a producer. */
void fir(const float in[N], const float tap[24], float out[N])
{
    float t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i] = in[i] * 0.5f + 1.0f;
        for (int k = 0; k < 24; k++)
            if (i >= 23)
                out[i] += tap[k] * t[i - k];
    }
#pragma endscop
}
