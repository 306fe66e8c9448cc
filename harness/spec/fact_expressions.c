/* Reads facts that are expressions or contain expressions. */
#include "spec/fact_expressions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/axes.h"
#include "base/memory.h"

const char *const fact_expression_names[FACT_EXPRESSION_NAMES] = {
    "N", "BLOCK", "UNROLL", "SIZEOF", "ACCUMULATOR", "SMS", "COVERS", "GRID"};

/*
 * Parses an expression, which is a fact's value or a part of it. check_names() checks the names in
 * the expression later, when all tunables are known.
 */
static bool parse_expression(const struct reading *r, const struct field *f, const char *source,
                             struct expr **out)
{
    struct fact_reading *reading = r->context;
    const struct fact *fact = reading->fact;
    if (!expr_parse(source, out, r->e))
        return error_prefix(r->e, "%s:%d, %s", reading->path, fact->line, fact->key);
    int i = reading->expression_count++;
    reading->expressions[i].expression = *out;
    reading->expressions[i].fact = fact;
    reading->expressions[i].flags = f->flags;
    return true;
}

bool fact_read_expression(const struct reading *r, const struct field *f,
                          const struct field_path *at, const cJSON *value)
{
    (void)at;
    return parse_expression(r, f, value->valuestring, field_member(r, f->offset));
}

/* Reads one expression per dimension, x first, separated by the word "by". */
bool fact_read_dimensions(const struct reading *r, const struct field *f,
                          const struct field_path *at, const cJSON *value)
{
    struct expr **dimensions = field_member(r, f->offset);
    const char *part = value->valuestring;
    for (int i = 0; part; i++) {
        if (i == KERNEL_DIMENSIONS)
            return REFUSE(r, at,
                          "the fact has more than three dimensions; CUDA supports only x, y and z");
        const char *end = strstr(part, " by ");
        char *source = xstrndup(part, end ? (size_t)(end - part) : strlen(part));
        bool ok = parse_expression(r, f, source, &dimensions[i]);
        free(source);
        if (!ok)
            return false;
        part = end ? end + strlen(" by ") : NULL;
    }
    return true;
}

bool fact_read_requires(const struct reading *r, const struct field *f, const struct field_path *at,
                        const cJSON *value)
{
    struct kernel *k = r->object;
    if (k->requires_count == KERNEL_MAX_REQUIRES)
        return REFUSE(r, at,
                      "the file has more than %d lines with this fact; join some with "
                      "\"and\"",
                      KERNEL_MAX_REQUIRES);
    if (!parse_expression(r, f, value->valuestring, &k->requires[k->requires_count]))
        return false;
    k->requires_count++;
    return true;
}

bool fact_read_cost(const struct reading *r, const struct field *f, const struct field_path *at,
                    const cJSON *value)
{
    struct kernel *k = r->object;
    if (k->cost_count == KERNEL_MAX_COSTS)
        return REFUSE(r, at,
                      "the file has more than %d lines with the facts cost and overlap; combine "
                      "some of them into sums",
                      KERNEL_MAX_COSTS);
    if (!parse_expression(r, f, value->valuestring, &k->costs[k->cost_count].value))
        return false;
    k->cost_count++;
    return true;
}

bool fact_read_overlap(const struct reading *r, const struct field *f, const struct field_path *at,
                       const cJSON *value)
{
    struct kernel *k = r->object;
    if (!fact_read_cost(r, f, at, value))
        return false;
    k->costs[k->cost_count - 1].overlaps = true;
    return true;
}

/* Returns whether the name already has a meaning in expressions, given the facts read so far. */
static bool name_is_known(const struct kernel *k, const char *name)
{
    bool known = axis_find_fact(name) != AXIS_COUNT;
    for (int i = 0; i < FACT_EXPRESSION_NAMES; i++)
        known = known || strcmp(fact_expression_names[i], name) == 0;
    for (int i = 0; i < k->tunable_count; i++)
        known = known || strcmp(k->tunables[i].name, name) == 0;
    for (int i = 0; i + 1 < k->where_count; i++)
        known = known || strcmp(k->wheres[i].name, name) == 0;
    return known;
}

/*
 * Reads a name and its expression, such as "TILES GRID / 8". The name must follow the rules for
 * names of tunables.
 */
bool fact_read_where(const struct reading *r, const struct field *f, const struct field_path *at,
                     const cJSON *value)
{
    struct kernel *k = r->object;
    const char *text = value->valuestring;
    size_t length = strcspn(text, FACT_BLANKS);
    if (k->where_count == KERNEL_MAX_WHERES)
        return REFUSE(r, at, "the file has more than %d lines with this fact; use fewer names",
                      KERNEL_MAX_WHERES);
    if (!isupper((unsigned char)text[0]) || length > FACT_LONGEST_NAME || !text[length] ||
        strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != length)
        return REFUSE(r, at,
                      "expected a name and its value; write a name in capitals and an expression, "
                      "such as \"TILES GRID / 8\"");
    char *name = k->wheres[k->where_count].name = xstrndup(text, length);
    k->where_count++;
    if (name_is_known(k, name))
        return REFUSE(r, at, "the name %s is taken; choose another one", name);
    return parse_expression(r, f, text + length, &k->wheres[k->where_count - 1].value);
}

/* Reads "plain", "cooperative", "dependent" or "cluster(EXPR)". */
bool fact_read_launch(const struct reading *r, const struct field *f, const struct field_path *at,
                      const cJSON *value)
{
    struct kernel *k = r->object;
    const char *text = value->valuestring;
    size_t length = strlen(text);
    if (length <= 9 || strncmp(text, "cluster(", 8) != 0 || text[length - 1] != ')')
        return field_choice(r, f, at, value);
    k->launch = LAUNCH_CLUSTER;
    char *inside = xstrndup(text + 8, length - 9);
    bool ok = parse_expression(r, f, inside, &k->cluster);
    free(inside);
    return ok;
}

static const char *const parameter_kinds[PARAMETER_KINDS] = {
    "input",    "output", "n",      "workspace", "workspace_bytes", "second", "int",
    "unsigned", "long",   "size_t", "float",     "double",          "element"};

/* Returns the length of a parameter, which ends at the first space outside parentheses. */
static size_t parameter_length(const char *text)
{
    int depth = 0;
    size_t length = 0;
    for (; text[length] && (depth > 0 || !strchr(FACT_BLANKS, text[length])); length++)
        depth += (text[length] == '(') - (text[length] == ')');
    return length;
}

/* Reads one parameter: input, output, n, workspace, workspace_bytes, second, or a scalar in the
 * form TYPE(EXPR). */
static bool read_parameter(const struct reading *r, const struct field *f,
                           const struct field_path *at, const char *text, size_t length)
{
    struct kernel *k = r->object;
    size_t word = strcspn(text, "( \t");
    bool scalar = word < length && text[word] == '(' && text[length - 1] == ')';
    int kind = 0;
    while (kind < PARAMETER_KINDS &&
           (strlen(parameter_kinds[kind]) != (word < length ? word : length) ||
            strncmp(parameter_kinds[kind], text, word) != 0))
        kind++;
    if (kind == PARAMETER_KINDS || scalar != (kind >= PARAMETER_INT) || (!scalar && word < length))
        return REFUSE(r, at,
                      "\"%.*s\" is not a parameter; write input, output, n, workspace, "
                      "workspace_bytes, second, or a scalar with its value, such as int(N), where "
                      "the type is int, unsigned, long, size_t, float, double or element",
                      (int)length, text);
    if (k->parameter_count == KERNEL_MAX_PARAMETERS)
        return REFUSE(r, at,
                      "the kernel has more than %d parameters; pass some of them in a struct",
                      KERNEL_MAX_PARAMETERS);
    struct kernel_parameter *p = &k->parameters[k->parameter_count++];
    p->kind = (enum parameter_kind)kind;
    if (!scalar)
        return true;
    char *inside = xstrndup(text + word + 1, length - word - 2);
    bool ok = parse_expression(r, f, inside, &p->value);
    free(inside);
    return ok;
}

bool fact_read_parameters(const struct reading *r, const struct field *f,
                          const struct field_path *at, const cJSON *value)
{
    const char *text = value->valuestring;
    for (text += strspn(text, FACT_BLANKS); *text; text += strspn(text, FACT_BLANKS)) {
        size_t length = parameter_length(text);
        if (!read_parameter(r, f, at, text, length))
            return false;
        text += length;
    }
    return true;
}
