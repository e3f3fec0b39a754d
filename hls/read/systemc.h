#define HLSMEM_UNREAD /* <systemc.h> is known, and not read. */
