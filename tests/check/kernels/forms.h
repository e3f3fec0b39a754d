#pragma once
#define N 6
#ifndef LEFT
#define LEFT 1.0f
#endif
