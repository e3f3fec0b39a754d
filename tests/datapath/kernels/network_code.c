#include <stdint.h>

static uint8_t clip(int value)
{
    if (value < 0)
        return 0;
    return value > 255 ? 255 : value;
}
