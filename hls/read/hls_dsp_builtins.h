#define HLSMEM_UNREAD /* <hls_dsp_builtins.h> is known, and not read. */
