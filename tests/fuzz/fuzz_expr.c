/* Parses and evaluates an expression. */
#include "fuzz.h"

#include "base/expr.h"

static bool look_up(void *context, const char *name, struct expr_value *value)
{
    (void)context;
    *value = (struct expr_value){.number = (double)strlen(name)};
    if (name[0] == 't')
        value->text = "text";
    return name[0] != 'u';
}

static void visit(void *context, const char *name)
{
    *(size_t *)context += strlen(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct expr *x;
    struct error e = {0};
    char *text = copy_text(bytes, length);
    if (!expr_parse(text, &x, &e)) {
        must_explain(&e);
    } else {
        double number;
        unsigned long long count;
        size_t names = 0;
        if (!expr_number(x, look_up, NULL, &number, &e))
            must_explain(&e);
        error_clear(&e);
        if (!expr_count(x, look_up, NULL, &count, &e))
            must_explain(&e);
        expr_names(x, visit, &names);
        expr_free(x);
    }
    free(text);
    return 0;
}
