/* The fifth example: two rounds of a cipher, the second one tick behind the first. */
void cipher(int k, const int m[k], int d[k])
{
    int c[k];
#pragma scop
#pragma hlsmem multifor parallel
    {
#pragma hlsmem nest T1 grain(1) offset(0)
        for (int i = 0; i < k; i++)
T1:         c[i] = m[i] + 1;
#pragma hlsmem nest T2 grain(1) offset(1)
        for (int i = 0; i < k; i++)
T2:         d[i] = c[i] + 2;
    }
#pragma endscop
}
