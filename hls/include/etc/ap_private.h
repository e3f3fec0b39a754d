#include "../ap_int.h"
