#define HLSMEM_UNREAD /* <ap_float.h> is known, and not read. */
