/* ac_channel of Catapult. */
#pragma once
#include "hlsmem_fifo.h"
template <class t_> class ac_channel {
    HLSMEM_STREAM(ac_channel)
    HLSMEM_ASIDE explicit ac_channel(int) {}
    HLSMEM_ASIDE void read(t_ &x) { q.read(x); }
    HLSMEM_ASIDE bool nb_read(t_ &x) { return q.read_nb(x); }
    HLSMEM_ASIDE bool nb_write(t_ x) { return q.write_nb(x); }
    HLSMEM_ASIDE bool available(unsigned n) { return q.size() >= n; }
    HLSMEM_ASIDE unsigned size() { return q.size(); }
};
