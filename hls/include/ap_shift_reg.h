/* AMD's shift register: what is shifted in comes out as many calls later as it is deep. */
#ifndef HLSMEM_AP_SHIFT_REG_H
#define HLSMEM_AP_SHIFT_REG_H

template <class T_, unsigned depth_ = 32> class ap_shift_reg {
    T_ cells[depth_];

  public:
    ap_shift_reg() = default;
    ap_shift_reg(const char *) {}
    T_ read(unsigned address = depth_ - 1) const { return cells[address]; }
    T_ shift(T_ x_, unsigned address = depth_ - 1, bool enabled = true) {
        T_ out = cells[address];
        if (enabled) {
            for (unsigned i_ = depth_ - 1; i_ > 0; i_--)
                cells[i_] = cells[i_ - 1];
            cells[0] = x_;
        }
        return out;
    }
    operator T_() const { return read(); }
    ap_shift_reg &operator=(T_ x_) {
        shift(x_);
        return *this;
    }
};
#endif
