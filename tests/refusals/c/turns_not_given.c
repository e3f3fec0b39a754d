void turns_not_given(const int *restrict in, int *restrict out, int n)
{
    while (n--)
        *out++ = *in++ * 2;
}
