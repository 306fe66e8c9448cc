/*
 * Implements race_pairs.h.
 */
#include "devices/sim/races/race_pairs.h"

#include <stdio.h>
#include <string.h>

static bool same_place(const struct note *a, const struct note *b)
{
    return a->at == b->at && a->program == b->program;
}

void race_pairs_add(struct race_pairs *r, const struct race_pair *new)
{
    for (int k = 0; k < r->pair_count; k++) {
        struct race_pair *p = &r->pairs[k];
        bool same = (same_place(&p->first, &new->first) && same_place(&p->second, &new->second)) ||
                    (same_place(&p->first, &new->second) && same_place(&p->second, &new->first));
        if (same && p->scope == new->scope) {
            p->times += new->times;
            return;
        }
    }
    if (r->pair_count == MOST_RACES)
        r->more = true;
    else
        r->pairs[r->pair_count++] = *new;
}

bool race_pairs_program(struct race_pairs *r, const struct program *p, uint16_t *out)
{
    for (*out = 0; *out < r->program_count; ++*out)
        if (r->programs[*out] == p)
            return true;
    if (r->program_count == MAX_PROGRAMS) {
        r->more = true;
        return false;
    }
    r->programs[r->program_count++] = p;
    return true;
}

void race_pairs_merge(struct race_pairs *to, const struct race_pairs *from)
{
    for (int k = 0; k < from->pair_count; k++) {
        struct race_pair p = from->pairs[k];
        p.elsewhere = true;
        if (race_pairs_program(to, from->programs[p.first.program], &p.first.program) &&
            race_pairs_program(to, from->programs[p.second.program], &p.second.program))
            race_pairs_add(to, &p);
    }
    to->more = to->more || from->more;
}

static const char *launched(const struct note *n)
{
    return n->launched ? " (by a grid that it launched)" : "";
}

static void describe_race(const struct race_pairs *r, const struct race_pair *p, struct race *out)
{
    const struct note *a = &p->first, *b = &p->second;
    const struct program *of_a = r->programs[a->program], *of_b = r->programs[b->program];
    const char *where = p->elsewhere ? " of a grid launched from the device" : "";
    out->shared = p->shared;
    out->scope = (enum race_scope)p->scope;
    out->first_writes = p->first_writes;
    out->second_writes = p->second_writes;
    out->times = p->times;
    out->first_line = of_a->origins[a->at].source_line;
    out->second_line = of_b->origins[b->at].source_line;
    program_place(of_a, a->at, out->first, sizeof out->first);
    program_place(of_b, b->at, out->second, sizeof out->second);
    unsigned long long address = p->address;
    if (p->scope == RACE_GRID)
        snprintf(out->example, sizeof out->example,
                 "thread %u of block %u%s and thread %u of block %u%s%s, at 0x%llx", a->thread,
                 a->block, launched(a), b->thread, b->block, launched(b), where, address);
    else
        snprintf(out->example, sizeof out->example,
                 "threads %u%s and %u%s of block %u%s, at 0x%llx", a->thread, launched(a),
                 b->thread, launched(b), a->block, where, address);
}

void race_pairs_report(const struct race_pairs *r, struct race_report *out)
{
    memset(out, 0, sizeof *out);
    for (int k = 0; k < r->pair_count; k++) {
        struct race race = {0};
        describe_race(r, &r->pairs[k], &race);
        /* Races with the same two source lines are reported as one race. */
        bool known = false;
        for (int j = 0; j < out->count && !known; j++) {
            struct race *o = &out->races[j];
            known = race.first_line && race.first_line == o->first_line &&
                    race.second_line == o->second_line && race.scope == o->scope &&
                    race.shared == o->shared;
            if (known)
                o->times += race.times;
        }
        if (!known)
            out->races[out->count++] = race;
    }
    out->more = r->more;
}
