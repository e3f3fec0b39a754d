/* Figure 9: an image hidden in another is taken out, and the other restored, in four nests. */
void decode(int EW, int EH, int HW, int HH, const int E[EW][EH], int H[HW][HH], int M[EW][EH])
{
#pragma scop
#pragma hlsmem multifor parallel
    {
#pragma hlsmem nest N0 grain(1,1) offset(0,0)
        for (int i = 0; i < HW; i++)
            for (int j = 0; j < HH; j++)
N0:             H[i][j] = E[i][j] % 2;
#pragma hlsmem nest N1 grain(1,1) offset(0,0)
        for (int i = 0; i < HW; i++)
            for (int j = 0; j < HH; j++)
N1:             M[i][j] = E[i][j] - E[i][j] % 2;
#pragma hlsmem nest N2 grain(1,1) offset(0,0)
        for (int i = 0; i < HW; i++)
            for (int j = HH; j < EH; j++)
N2:             M[i][j] = E[i][j];
#pragma hlsmem nest N3 grain(1,1) offset(0,0)
        for (int i = HW; i < EW; i++)
            for (int j = 0; j < EH; j++)
N3:             M[i][j] = E[i][j];
    }
#pragma endscop
}
