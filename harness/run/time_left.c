/*
 * How long the points that are left will take: see time_left.h.
 */
#include "run/time_left.h"

#include <math.h>

#define MIN_SECONDS 1e-3 /* shorter times of requests say no more than this */

/* Of the guess, where a request has 1: it decides until a request does, also where it is wrong by a
 * factor of 100. */
#define GUESS_WEIGHT 1e-6

static void add(struct time_left *t, double weight, double points, double bytes, double seconds)
{
    t->pp += weight * points * points;
    t->pb += weight * points * bytes;
    t->bb += weight * bytes * bytes;
    t->pt += weight * points * seconds;
    t->bt += weight * bytes * seconds;
}

void time_left_begin(struct time_left *t, struct point_cost planned)
{
    *t = (struct time_left){0};
    double point_s = fmax(planned.point_s, MIN_SECONDS);
    add(t, GUESS_WEIGHT / (point_s * point_s), 1, 0, point_s);
    if (planned.byte_s > 0)
        add(t, GUESS_WEIGHT / (planned.byte_s * planned.byte_s), 0, 1, planned.byte_s);
}

void time_left_add(struct time_left *t, double bytes)
{
    t->points++;
    t->bytes += bytes;
}

void time_left_remove(struct time_left *t, double bytes)
{
    t->points--;
    t->bytes -= bytes;
}

void time_left_observe(struct time_left *t, double points, double bytes, double seconds)
{
    double s = fmax(seconds, MIN_SECONDS);
    if (points > 0)
        add(t, 1 / (s * s), points, bytes, s);
}

struct point_cost time_left_cost(const struct time_left *t)
{
    double determinant = t->pp * t->bb - t->pb * t->pb;
    struct point_cost c = {(t->pt * t->bb - t->bt * t->pb) / determinant,
                           (t->bt * t->pp - t->pt * t->pb) / determinant};
    bool known = determinant > 1e-12 * t->pp * t->bb;
    if (known && c.point_s >= 0 && c.byte_s >= 0)
        return c;
    /* One of them alone: that which leaves the smaller errors. */
    bool bytes = t->bb > 0 && t->bt * t->bt / t->bb > t->pt * t->pt / t->pp;
    return bytes ? (struct point_cost){0, t->bt / t->bb} : (struct point_cost){t->pt / t->pp, 0};
}

double time_left_s(const struct time_left *t, int devices)
{
    struct point_cost c = time_left_cost(t);
    return fmax(0, t->points * c.point_s + t->bytes * c.byte_s) / (devices > 0 ? devices : 1);
}
