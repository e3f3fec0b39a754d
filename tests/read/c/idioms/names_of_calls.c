// cells: x=1, z=4, z_3=2, y=1, a=1, x_2=1, doubled_2=1, v=1, z_2=1, old=1, old_2=1, delayed_2=1, more=1, twice_2=1
// Names stay where nothing around has them: not where a variable of the file, or what a function
// keeps, would be taken for another.
static int x[1];
static int z[4];

static void add(int k)
{
    x[0] += k;
}

static int doubled(int a)
{
    int x[1];
    x[0] = a * 2;
    add(a);
    return x[0];
}

static int delayed(int v)
{
    static int z[2];
    int old = z[0];
    z[0] = z[1];
    z[1] = v;
    return old;
}

static int twice(int v)
{
    int z[1];
    z[0] = delayed(v);
    int more = delayed(v + 1);
    return z[0] + more;
}

void names_of_calls(const int in[16], int out[16], int sums[16])
{
    for (int i = 0; i < 16; i++) {
        int y = doubled(in[i]);
        out[i] = y + twice(in[i]);
        sums[i] = x[0];
        z[i & 3] = i;
    }
    for (int i = 0; i < 4; i++)
        sums[i] += z[i];
}
