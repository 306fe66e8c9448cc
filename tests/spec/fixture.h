/*
 * Configs that must be refused, and what each refusal says.
 */
#ifndef REDSWEEP_TESTS_SPEC_FIXTURE_H
#define REDSWEEP_TESTS_SPEC_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "spec/config.h"

/* The whole message, or its beginning when `message` ends in "…". */
static inline void refused(const char *text, const char *message)
{
    struct error e = {0};
    struct config *c = NULL;
    size_t length = strlen(message);
    bool beginning = length > 3 && strcmp(message + length - 3, "…") == 0;
    if (config_parse("x.json", text, &c, &e)) {
        config_free(c);
        fail_msg("accepted: %s", text);
    }
    assert_int_equal(e.kind, ERROR_CONFIG);
    if (beginning ? strncmp(e.text, message, length - 3) != 0 : strcmp(e.text, message) != 0)
        fail_msg("%s\nsaid   %s\nwanted %s", text, e.text, message);
    assert_false(config_parse("x.json", text, &c, NULL));
}

#endif
