// cells: t=3
#define N 16
enum { LEFT, MIDDLE = 1 << 0, RIGHT };
void f(const int in[N], int out[N])
{
    int t[N];
    for (int i = 0; i < N; i++) {
        t[i] = in[i];
        switch (i % 4) {
        case LEFT:
            out[i] = t[i];
            break;
        case MIDDLE:
        case RIGHT:
            out[i] = t[i] + t[i - 1];
            break;
        default:
            out[i] = t[i - 2];
        }
    }
}
