// cells: pid_integral=1, pid_last=1, mine_kp=1, mine_ki=1, mine_integral=1, mine_last=1, error=1, derivative=1, by=1
// What a static struct of the file, or one of the function, holds, through a pointer to it.
struct pid { int kp, ki, integral, last; };
static struct pid pid = {256, 16, 0, 0};

static int step(struct pid *p, int error)
{
    p->integral += error;
    int derivative = error - p->last;
    p->last = error;
    return (p->kp * derivative + p->ki * p->integral) >> 8;
}

static void scale(struct pid *q, int by)
{
    q->kp += by;
    q->last += by;
}

void struct_pointer(const int target[20], const int measured[20], int drive[20], int more[20])
{
    struct pid mine = {1, 2, 3, 4};
    for (int t = 0; t < 20; t++) {
        drive[t] = step(&pid, target[t] - measured[t]);
        scale(&mine, drive[t] / 64 + 2);
        more[t] = mine.kp + mine.last;
    }
}
