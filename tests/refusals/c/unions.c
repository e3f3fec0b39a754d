// plan: --param n=8
union word { int whole; short half[2]; };
int counter;
enum { SIZE = 4 };
void f(int n, union word A[n], int B[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        A[i].whole = B[i];
        counter = counter + 1;
        B[i] = counter;
    }
    goto out;
out:
    B[0] = sizeof(int) * SIZE;
#pragma endscop
}
