// plan: --param c=16
/* A condition on data that decides on nothing once y is read where it comes from. */
#define N 16
void f(int a[N], int c) {
    for (int i = 0; i < N; ++i) {
        int x = a[i];
        int y = x * 2;
        if (y + 8 > 10) {
            if (c > 5) y = y * 2;
            else y = y + c;
        } else {
            for (int j = 0; j < 10; j++) y += c;
        }
        a[i] = y + 3;
    }
}
