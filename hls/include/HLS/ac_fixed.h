#include "ac_int.h"
#include "../ac_fixed.h"
