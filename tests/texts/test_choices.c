/*
 * Checks how a configuration is chosen for each shape in invented runs. The cases are in
 * choices.txt (see texts.c).
 */
#include "../tuned/choosing_fixture.h"
#include "answers.h"

static void append_range(const struct tuned_range *r, struct text *to)
{
    const bool shaped = r->at.row_length > 0;
    text_append(to, "  %s %d", r->kernel->name, r->variant.tunables[0]);
    for (int i = 1; i < r->kernel->tunable_count; i++)
        text_append(to, " %s %d", r->kernel->tunables[i].name, r->variant.tunables[i]);
    text_append(to, ": ");
    if (r->fallback) {
        text_append(to, "where no other runs\n");
        return;
    }
    assert_int_equal(r->variant.block, 128);
    if (r->last == 0)
        text_append(to, "the fastest nowhere");
    else if (shaped && r->at.n == 0)
        text_append(to, "rows from %" PRIu64 " on", r->at.row_length);
    else if (r->at.inner > 1)
        text_append(to, "n = %" PRIu64 ", length %" PRIu64 ", inner %" PRIu64, r->at.n,
                    r->at.row_length, r->at.inner);
    else if (shaped)
        text_append(to, "n = %" PRIu64 " in rows of %" PRIu64, r->at.n, r->at.row_length);
    else if (r->last == (uint64_t)1 << TUNED_MOST_LOG2)
        text_append(to, "n from %" PRIu64 " on", r->first);
    else
        text_append(to, "n from %" PRIu64 " to %" PRIu64, r->first, r->last);
    for (int i = 0; i < 2 && r->last && !isnan(r->us[i]) && (i == 0 || r->sizes[1] != r->sizes[0]);
         i++) {
        text_append(to, "%s %g us", i ? "," : ";", r->us[i]);
        if (!shaped)
            text_append(to, " at %" PRIu64, r->sizes[i]);
        if (!isnan(r->reference_us[i]))
            text_append(to, " (%g)", r->reference_us[i]);
    }
    text_append(to, "\n");
}

static void append_function(const struct tuned_function *f, struct text *to)
{
    static const char *const over[OVERS] = {"arrays", "rows", "axes"};
    text_append(to, "%s %s of %s%s%s\n", operation_name(f->op), element_type_name(f->type),
                over[f->over], f->exact ? ", exact" : "", f->invariant ? ", invariant" : "");
    for (size_t i = 0; i < f->range_count; i++)
        append_range(&f->ranges[i], to);
}

/* Returns the answer to a case. The input consists of rows in the form that make_run() reads. A
 * first line of "invariant" makes the library invariant. */
static void choice_answer(const char *input, size_t length, struct text *answer)
{
    (void)length;
    static const char invariant[] = "invariant\n";
    const bool is_invariant = strncmp(input, invariant, strlen(invariant)) == 0;
    struct error e = {0};
    struct tuned t;
    put_told("run", "D", "9.0", even_hash());
    struct results run = make_run("run", "D", input + (is_invariant ? strlen(invariant) : 0));
    if (tuned_choose(&run, 1, &kernels, is_invariant, &t, &e)) {
        for (size_t i = 0; i < t.function_count; i++)
            append_function(&t.functions[i], answer);
        for (size_t i = 0; i < t.left_out.count; i++) {
            const struct tuned_left_out *o = &t.left_out.items[i];
            text_append(answer, "left out: %s %s, as %s has changed\n",
                        operation_name(o->function.op), element_type_name(o->function.type),
                        o->kernel->name);
        }
        tuned_free(&t);
    } else {
        text_append_renamed(answer, e.text, scratch, "$work");
        assert_int_equal(e.kind, ERROR_CONFIG);
    }
    error_clear(&e);
    results_free(&run);
}

const struct answers answers[] = {{"choices", choice_answer, ANSWERS_OF_CHOICES}, {0}};

int main(void)
{
    void *state = NULL;
    if (set_up(&state) != 0)
        return 1;
    int failed = texts_compare("test_choices", ANSWERS_OF_CHOICES);
    return tear_down(&state) == 0 ? failed : 1;
}
