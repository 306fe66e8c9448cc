/* Reads and writes the flags of rows. */
#include "record/flags.h"

#include <stdio.h>
#include <string.h>

/*
 * One row per flag, in the order of the bits. `word` is the flag's name. `phrase` is the text in
 * the column `reason` that means the same in runs of redsweep 0.2.0, which have no column `flags`.
 */
static const struct {
    const char *word, *phrase;
    enum status given_up; /* STATUS_OK if the flag is not about giving up on a kernel */
} flags_table[] = {
    {"unresolved", "below the clock's resolution", STATUS_OK},
    {"raced", NULL, STATUS_OK},
    {"unplaced", "queue slot not verified", STATUS_OK},
    {"retimed", "timed again: the first ", STATUS_OK},
    {"recalled", "samples drawn from a recorded median and its interval", STATUS_OK},
    {"resumed", NULL, STATUS_OK},
    {"sampled", NULL, STATUS_OK},
    {"counts_vary", NULL, STATUS_OK},
    {"given_up_launch_error", NULL, STATUS_LAUNCH_ERROR},
    {"given_up_timeout", NULL, STATUS_TIMEOUT},
    {"given_up_crashed", NULL, STATUS_CRASHED},
};
enum { FLAG_COUNT = sizeof flags_table / sizeof *flags_table };
_Static_assert(FLAGS_END == 1 << FLAG_COUNT, "a row a flag");

const char *flags_text(unsigned flags, char text[FLAGS_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < FLAG_COUNT; i++)
        if (flags & 1u << i)
            used += (size_t)snprintf(text + used, FLAGS_TEXT - used, "%s%s", used ? " " : "",
                                     flags_table[i].word);
    return text;
}

bool flags_parse(const char *cell, unsigned *out)
{
    *out = 0;
    for (size_t length; *cell; cell += length + (cell[length] == ' ')) {
        length = strcspn(cell, " ");
        int i = 0;
        while (i < FLAG_COUNT && (strlen(flags_table[i].word) != length ||
                                  memcmp(flags_table[i].word, cell, length) != 0))
            i++;
        if (i == FLAG_COUNT)
            return false;
        *out |= 1u << i;
    }
    return true;
}

unsigned flags_of_older(const char *backend, const char *status, const char *reason,
                        const char *stopped_by)
{
    static const char given_up[] =
        "the kernel was given up: at three points in a row its status was ";
    unsigned flags = strcmp(backend, "replay") == 0 ? FLAG_RECALLED : 0;
    for (int i = 0; i < FLAG_COUNT; i++)
        if (flags_table[i].phrase && strstr(reason, flags_table[i].phrase))
            flags |= 1u << i;
    enum status why;
    const char *words = strstr(reason, given_up);
    if (words && status_find(words + strlen(given_up), &why))
        flags |= flag_of_given_up(why);
    if (strcmp(stopped_by, "raced") == 0)
        flags |= FLAG_RACED;
    if (strcmp(status, status_name(STATUS_SAMPLED)) == 0)
        flags |= FLAG_SAMPLED;
    return flags;
}

enum status flags_given_up(unsigned flags)
{
    for (int i = 0; i < FLAG_COUNT; i++)
        if (flags & 1u << i && flags_table[i].given_up != STATUS_OK)
            return flags_table[i].given_up;
    return STATUS_COUNT;
}

unsigned flag_of_given_up(enum status status)
{
    for (int i = 0; i < FLAG_COUNT; i++)
        if (status != STATUS_OK && flags_table[i].given_up == status)
            return 1u << i;
    return 0;
}
