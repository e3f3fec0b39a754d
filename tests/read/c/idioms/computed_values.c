// cells: s=4, w=3, z=3, big=4
#define N 16
enum { TWO = 2, THREE };
void f(const int in[N], int out[N])
{
    int s[2][3] = {{in[0], 1}, {[2] = in[1] * 2}};
    for (int i = 0; i < N; i++) {
        const int w[3] = {in[i], TWO, THREE};
        int z[] = {1, 2, in[i]};
        int big[4] = {[3] = in[i] - 1};
        out[i] = w[0] * w[1] + w[2] + s[i & 1][2] + s[0][0] + z[2] + z[i & 1] + big[i & 3];
    }
}
