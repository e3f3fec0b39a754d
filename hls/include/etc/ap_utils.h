#include <ap_utils.h> /* The same by its old name. */
