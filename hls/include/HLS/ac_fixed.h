/* Intel's ac_fixed. */
#include "ac_int.h"
#include "../ac_fixed.h"
