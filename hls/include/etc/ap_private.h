#include "../ap_int.h" /* The same by an old name. */
