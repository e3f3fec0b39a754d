// cells: z_a=8, z_b=8, s=1
struct pair { int a, b; };
static struct pair z[8];

void struct_delay(const int in[16], int out[16])
{
    for (int i = 0; i < 16; i++) {
        int s = 0;
        for (int j = 7; j > 0; j--) {
            z[j] = z[j - 1];
            s += z[j].a * z[j].b;
        }
        z[0].a = in[i];
        z[0].b = i;
        out[i] = s;
    }
}
