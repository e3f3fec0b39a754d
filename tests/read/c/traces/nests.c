/* Loop nests of static control; every function is one region over N and M. */
#include "trace.h"
#include <stdint.h>

#define SIZE 64
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

typedef int Row[SIZE];

void triangle(int N, int M, int A[SIZE][SIZE], int B[SIZE])
{
    int i, j;
    (void) M;
#pragma scop
    for (i = 0; i < N; i++) {
        ST(D) AT1(B, i) = AT2(A, i, i);
        for (j = 0; j < i; ++j) {
            ST(L) AT2(A, i, j) -= AT1(B, j);
            ST(U) AT2(A, j, i) = AT2(A, i, j) * AT1(B, i);
        }
        for (j = i + 1; j <= N - 1; j += 1)
            ST(R) AT2(A, i, j) += 1;
        ST(E) AT1(B, i)++;
    }
    ST(F) AT1(B, 0) = AT1(B, N - 1);
#pragma endscop
}

void strides(int N, int M, int A[SIZE][SIZE], int B[SIZE])
{
#pragma scop
    for (int i = 1; i < N; i += 3)
        for (int j = i % 2; j <= M; j = j + 2)
            ST(P) AT2(A, i, j) = AT2(A, i / 2, j / 3);
    for (int i = N - 1; i >= 0; i -= 2)
        for (int j = M; j > i; j--)
            ST(Q) AT1(B, j) = AT2(A, j, i) + AT1(B, j - i - 1);
    for (int i = 2; i != 2 * N; i += 2)
        ST(R) AT1(B, i) = AT1(B, i >> 1);
#pragma endscop
}

void bounds(int N, int M, int A[SIZE][SIZE], int B[SIZE])
{
#pragma scop
    for (int i = MAX(1, M - 3); i < MIN(N, M + 1); i++)
        for (int j = i < 4 ? 0 : i; j < (N > M ? N : M) && j < i + 5; j++)
            ST(P) AT2(A, i, j) = AT1(B, j);
    for (int i = 0; 2 * i < N - 1; i++)
        ST(Q) AT1(B, 2 * i + 1) = AT1(B, N - 1 - 2 * i);
    for (int i = 0; !(i >= N || i == 5); i++)
        ST(R) AT1(B, i) = 0;
#pragma endscop
}

void guards(int N, int M, int A[SIZE][SIZE], int B[SIZE])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        if (i % 3 == 1 && i != 4) {
            ST(P) AT1(B, i) = 1;
        } else if (i > M || i % 2) {
            ST(Q) AT1(B, i) = AT1(B, 0);
            if (!(i < 3))
                ST(R) AT1(B, i) = 2;
        } else
            ST(S) AT1(B, 0) = AT1(B, i);
        {
            ST(T) AT2(A, i, 0) = AT1(B, i);
            ST(U) AT2(A, 0, i) = AT2(A, i, 0);
        }
    }
#pragma endscop
}

/* C divides towards zero, and % has the sign of the dividend. */
void negative(int N, int M, int A[SIZE][SIZE], int B[SIZE])
{
#pragma scop
    for (int i = -N; i < N; i++) {
        ST(P) AT1(B, i / 3 + SIZE / 2) = AT1(B, i % 4 + SIZE / 2);
        if (i % 3 == -1)
            ST(Q) AT1(B, (i - M) / 2 + SIZE / 2) = 0;
        if (-i % 3 == 1)
            ST(R) AT2(A, (i + N) % 5, (M - i) / 4 + 8) = 1;
    }
#pragma endscop
}

void branches(int N, int M, int A[SIZE][SIZE], int B[SIZE])
{
    int s = 0;
#pragma scop
    for (int i = 0; i < N; i++) {
        ST(P) AT1(B, i) = i >= 2 ? AT1(B, i - 2) : AT2(A, 0, i);
        ST(Q) AT0(s) = i < M && AT1(B, i);
        ST(R) AT1(B, i) += (i % 2 || AT0(s)) + (i == M ? AT1(B, M) : 3);
    }
#pragma endscop
}

void widths(unsigned N, uint8_t M, int A[SIZE][SIZE], Row B)
{
#pragma scop
    for (unsigned i = 0; i < N; i++)
        for (uint8_t j = 1; j < M; j++)
            ST(P) AT2(A, i, j) = AT1(B, (i + j) & 7) + AT1(B, (uint8_t) (j - 1));
    for (unsigned i = N; i > 0; i--)
        ST(Q) AT1(B, i - 1) = AT1(B, i << 1);
#pragma endscop
}

void aliases(int N, int M, int A[SIZE][SIZE], int B[SIZE])
{
    const int half = N / 2;
#pragma scop
    for (int i = 0; i < half; i++) {
        const int last = M - 1, next = i + 1;
        for (int j = next; j < last; j++) {
            int k = j - next;
            ST(P) AT2(A, i, k) = AT1(B, k + half);
        }
    }
#pragma endscop
}

#ifdef TRACE
#include <stdlib.h>
#include <string.h>
static int A[SIZE][SIZE], B[SIZE];
#define RUN(name) \
    if (!strcmp(argv[1], #name)) \
        name(N, M, A, B)
int main(int argc, char **argv)
{
    int N = atoi(argv[2]), M = atoi(argv[3]);
    for (int i = 0; i < SIZE; i++)
        B[i] = i % 2;
    RUN(triangle);
    RUN(strides);
    RUN(bounds);
    RUN(guards);
    RUN(negative);
    RUN(branches);
    RUN(widths);
    RUN(aliases);
    return argc < 4;
}
#endif
