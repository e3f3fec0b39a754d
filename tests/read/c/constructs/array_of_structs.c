// plan: --param N=8
#define N 8
struct point {
    int x, y;
};
typedef struct {
    struct point at[2];
    short weight;
} item;
void array_of_structs(const int in[N], int out[N])
{
    struct point p[N];
    item q[N][2];
#pragma scop
    for (int i = 0; i < N; i++) {
        p[i].x = in[i];
        p[i].y = -in[i];
        q[i][0].at[0].x = i;
        q[i][0].at[1].y = p[i].x;
        q[i][1].weight = (short)p[i].y;
    }
    for (int i = 1; i < N; i++)
        out[i] = p[i].x - p[i - 1].y + q[i][0].at[0].x + q[i - 1][0].at[1].y + q[i][1].weight;
#pragma endscop
}
