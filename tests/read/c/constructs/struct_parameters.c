// plan: --param N=6
#define N 6
struct sample {
    float left, right;
};
typedef struct state {
    int gain[2];
    struct sample last;
} state;
void struct_parameters(const struct sample in[N], struct sample *restrict out, state *s)
{
    struct sample t[N];
#pragma scop
    for (int i = 0; i < N; i++) {
        t[i].left = in[i].left * s->gain[0];
        t[i].right = in[i].right * s->gain[1];
    }
    for (int i = 1; i < N; i++) {
        out[i].left = t[i].left - t[i - 1].right;
        out[i].right = t[i].right - s->last.left;
    }
    s->last.left = t[N - 1].left;
#pragma endscop
}
