/*
 * What contexts and clocks leave open between two runs: see launch.h.
 */
#include "compare/launch.h"

#include <math.h>

#include <cjson/cJSON.h>

/* The part of their differences that choosing among contexts leaves: see launch.h. */
#define REMAINS 0.25

struct seen {
    double step_us, least_us, most_us; /* NaN: not told */
    double refused_us;
};

static double number(const cJSON *object, const char *name)
{
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(value) ? value->valuedouble : NAN;
}

static void look(const struct results *r, struct seen *seen)
{
    const cJSON *session;
    cJSON_ArrayForEach(session, cJSON_GetObjectItemCaseSensitive(r->document, "conditions"))
    {
        const cJSON *launch = cJSON_GetObjectItemCaseSensitive(session, "launch");
        seen->step_us = fmax(seen->step_us, number(launch, "step_us")); /* passes over NaN */
        seen->least_us = fmin(seen->least_us, number(launch, "least_us"));
        seen->most_us = fmax(seen->most_us, number(launch, "most_us"));
        seen->refused_us = fmax(seen->refused_us, number(launch, "refused_us"));
    }
}

struct launch_margin launch_margin(const struct results *a, const struct results *b)
{
    struct seen seen = {NAN, NAN, NAN, NAN};
    look(a, &seen);
    look(b, &seen);
    double distance = fmax(seen.most_us - seen.least_us,
                           REMAINS * (seen.refused_us - seen.least_us));
    return (struct launch_margin){.step_us = isnan(seen.step_us) ? 0 : seen.step_us,
                                  .context_us = isnan(distance) ? 0 : distance};
}
