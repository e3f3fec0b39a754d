// cells: t=3, low=1, high=1, low_3=1, high_3=1, sum=1
#define N 16
static void range(const int *row, int *low, int *high)
{
    *low = row[0] < row[1] ? row[0] : row[1];
    *high = row[0] < row[1] ? row[1] : row[0];
    *low = row[2] < *low ? row[2] : *low;
}

static int middle(const int *row, int low, int high)
{
    int sum = row[0] + row[1] + row[2];
    return sum - low - high;
}

void f(const int in[N], int out[N])
{
    int t[N];
    for (int i = 0; i < N; i++) {
        t[i] = in[i] + 1;
        if (i < 2)
            continue;
        int low, high;
        range(t + i - 2, &low, &high);
        out[i] = middle(&t[i - 2], low, high);
    }
}
