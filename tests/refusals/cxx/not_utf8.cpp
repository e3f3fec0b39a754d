// café
void top(int out[8]) { out[0] = 1; }
