// plan: --param N=6
#define N 6
# /* a null directive */
void odd_layout(const int in[N], int out[N]) {
    int t[N]; /* a comment
    over lines */
    #pragma scop
    for(int i=0;i<N;i++)t[i]=in[i];// behind
    for (int i = 0; \
         i < N; i++) {
        #pragma omp simd
        (out[i]) = ((t)[(N-1)-(i)]) + ((1));
    }
    #pragma endscop
}
