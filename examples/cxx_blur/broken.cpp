// What is refused has the place and the instances that led there: `hlsmem plan` of this file fails.
#define N 64

template <int K> int checked(int x)
{
    if (x > 255)
        throw x;
    return x * K;
}

template <int K> void scale(const int in[N], int out[N])
{
    for (int i = 0; i < N; i++)
        out[i] = checked<K>(in[i]);
}

void broken(const int in[N], int out[N])
{
    scale<3>(in, out);
}
