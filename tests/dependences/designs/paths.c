#define N 5

/* Every shortest path through the nodes up to k; a row and a column are read by all others. */
void paths(int path[N][N])
{
#pragma scop
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j]
                                 ? path[i][j]
                                 : path[i][k] + path[k][j];
#pragma endscop
}
