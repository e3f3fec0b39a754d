// plan: --param n=8
struct pair { int a, b; unsigned f : 3; };
typedef struct { struct pair at[2]; float *far; } item;
void f(int n, int A[n], const struct pair *p, item q[n])
{
    struct pair s, t = {1, 2, 3};
#pragma scop
    for (int i = 0; i < n; i++) {
        s = p[i];
        s.f = 1;
        q[i].far[0] = 1;
        A[i] = p->a + t.a;
        struct pair u = {1, 2, 0};
        struct pair *w = &s;
        w->a = 1;
    }
#pragma endscop
}
