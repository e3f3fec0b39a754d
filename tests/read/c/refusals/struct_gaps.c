struct sample { short left[2]; short right; int time; };
void f(const int in[16], int out[16])
{
    struct sample t[16], s;
#pragma scop
    for (int i = 0; i < 16; i++) {
        s.time = in[i];
        t[i] = s;
        out[i] = t[i].time;
    }
#pragma endscop
}
