/* Implements utf8.h. */
#include "base/utf8.h"

#include <string.h>

static bool continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

size_t utf8_length(const char *s, size_t left)
{
    const unsigned char *u = (const unsigned char *)s;
    if (left == 0)
        return 0;
    if (u[0] < 0x80)
        return 1;
    size_t length = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : 2;
    if (u[0] < 0xc2 || u[0] > 0xf4 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if (!continues(s[i]))
            return 0;
    bool overlong = (u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xf0 && u[1] < 0x90);
    bool surrogate = u[0] == 0xed && u[1] > 0x9f;
    bool beyond = u[0] == 0xf4 && u[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : length;
}

size_t utf8_invalid_at(const char *s, size_t length)
{
    size_t i = 0, step;
    while (i < length && (step = utf8_length(s + i, length - i)) > 0)
        i += step;
    return i;
}

size_t utf8_width(const char *s)
{
    size_t width = 0;
    for (; *s; s++)
        width += !continues(*s);
    return width;
}

size_t utf8_cut(const char *s, size_t max)
{
    size_t length = strlen(s);
    if (length <= max)
        return length;
    while (max > 0 && continues(s[max]))
        max--;
    return max;
}
