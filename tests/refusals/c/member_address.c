struct pixel { int colour; int depth; };
static void g(int *p, int v) { *p = v + 1; }
void f(const int in[8], struct pixel out[8])
{
    struct pixel p;
    for (int i = 0; i < 8; i++) {
        p.depth = i;
        g(&p.colour, in[i]);
        out[i].colour = p.colour;
        out[i].depth = p.depth;
    }
}
