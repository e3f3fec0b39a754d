/* <tgmath.h>: in C for double alone. */
#pragma once
#include <math.h>
