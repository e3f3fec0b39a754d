#ifndef PIPE_H
#define PIPE_H
#define W 24
#define H 16
typedef unsigned char u8;
typedef struct { int lo, hi; } range_t;
static inline int clamp(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
void hblur(const u8 in[H][W], u8 out[H][W]);
void vblur(const u8 in[H][W], u8 out[H][W]);
#endif
