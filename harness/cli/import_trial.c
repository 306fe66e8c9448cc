/*
 * Tries an imported kernel; see import_trial.h. Each trial is a `redsweep run` with a file of facts
 * in a scratch folder, so a kernel that hangs or crashes affects only its own points.
 */
#include "cli/import_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyze/results.h"
#include "base/file.h"
#include "record/outcome.h"

enum {
    LARGEST_BLOCK = 1024,
    /*
     * number of elements in a trial: a power of two, large enough that any kernel needs several
     * blocks
     */
    LARGEST = 65536
};

static int usual_size(const struct import *i)
{
    /*
     * With 20 elements per thread, for example, the last block would lack elements if n were a
     * power of two. So n is a multiple of what the largest block covers.
     */
    int whole = i->items ? i->items * LARGEST_BLOCK : 1;
    return i->size ? i->size : whole < LARGEST ? LARGEST / whole * whole : LARGEST;
}

static const int block_sizes[] = {32, 64, 96, 128, 256, 512, 1024};
enum { BLOCK_SIZES = sizeof block_sizes / sizeof block_sizes[0] };
static const int item_counts[] = {1, 2, 4, 8, 16};

const char *named_value(const named_values *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return list->items[i].value;
    return NULL;
}

/* Appends the line "// key: value". If the user gave a value for `key`, it replaces `value`. */
static void put(struct text *out, const struct import *i, const char *key, const char *value)
{
    const char *given = named_value(i->facts, key);
    if (given || (value && *value))
        text_append(out, "// %s:%*s%s\n", key, (int)(11 - strlen(key)), "", given ? given : value);
}

void import_write_facts(const struct import *i, const struct proposal *p, const char *code,
                        struct text *out)
{
    static const char *const grids[GRID_KINDS] = {NULL, "min(ceil_div(N, COVERS), SMS)", "1"};
    char covers[64], depth[96] = "", idea[256], source[256];
    const char *file = strrchr(i->file, '/');
    snprintf(idea, sizeof idea, "%.100s of %.100s, as its author wrote it", i->function,
             file ? file + 1 : i->file);
    snprintf(source, sizeof source, "%.100s (%.100s)", file ? file + 1 : i->file, i->function);
    snprintf(covers, sizeof covers, p->items > 1 ? "%d * BLOCK" : "BLOCK", p->items);
    /*
     * By default, the error bound assumes that a tree adds the elements. The depth here is an upper
     * bound for any order of additions.
     */
    if (p->any_order)
        snprintf(depth, sizeof depth, p->complete ? "N + GRID" : "ceil_div(N, GRID) + COVERS");
    else if (p->grid != GRID_COVERING)
        snprintf(depth, sizeof depth, "ceil_div(N, GRID * BLOCK) + log2(BLOCK) + COVERS / BLOCK%s",
                 p->complete ? " + GRID" : "");
    put(out, i, "kernel", i->name);
    put(out, i, "idea", idea);
    put(out, i, "source", source);
    put(out, i, "code", code);
    put(out, i, "result", p->complete ? "complete" : "partial");
    put(out, i, "input", p->in_place ? "in place" : "untouched");
    put(out, i, "output", p->zeroed ? "zeroed" : NULL);
    put(out, i, "covers", covers);
    put(out, i, "grid", grids[p->grid]);
    put(out, i, "shared", i->shared ? "BLOCK * SIZEOF" : NULL);
    put(out, i, "workspace", NULL);
    put(out, i, "depth", depth);
    put(out, i, "blocks", i->blocks ? i->blocks : "multiple of 32");
    put(out, i, "constant", i->block_constant ? "BLOCK" : NULL);
    put(out, i, "unroll", NULL);
    put(out, i, "types", i->types);
    put(out, i, "ops", i->ops);
    put(out, i, "min_arch", NULL);
    put(out, i, "launch", NULL);
    put(out, i, "uniform", "no");
    put(out, i, "varies", i->atomics ? "yes" : NULL);
    put(out, i, "counts", NULL);
    put(out, i, "racy", NULL);
    put(out, i, "entry", i->entry);
    put(out, i, "parameters", i->parameters);
    if (i->range && *i->range)
        text_append(out, "// requires:   %s\n", i->range);
    put(out, i, "requires", i->requires);
}

struct tried_shape {
    uint64_t n;
    int block;
    bool right;
};

struct trial {
    VEC(struct tried_shape) shapes;
    char folder[64]; /* contains the facts, the runs and what they print */
    struct import *import;
    struct results results;
    int runs;
};

static bool write_file(const char *path, const struct text *text, struct error *e)
{
    FILE *f = fopen(path, "w");
    bool ok = f && fwrite(text->bytes, 1, text->length, f) == text->length;
    ok = (!f || fclose(f) == 0) && ok;
    return ok || FAIL(e, ERROR_SYSTEM, "%s cannot be written: %s", path, strerror(errno));
}

/* Runs this program with the given arguments. Its output goes to the file `said`. */
static bool run_self(const char *const *arguments, const char *said, struct error *e)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        int file = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file >= 0 && dup2(file, 1) >= 0 && dup2(file, 2) >= 0)
            execv("/proc/self/exe", (char *const *)arguments);
        _exit(127);
    }
    if (child < 0)
        return FAIL(e, ERROR_SYSTEM, "cannot start a trial: %s", strerror(errno));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return FAIL(e, ERROR_SYSTEM, "cannot wait for a trial: %s", strerror(errno));
    return (WIFEXITED(status) && WEXITSTATUS(status) != 127) ||
           FAIL(e, ERROR_SYSTEM, "a trial of the kernel was ended by signal %d", WTERMSIG(status));
}

/* Fails with the first line that a run without any rows has written to `said`. */
static bool refusal(const char *said, struct error *e)
{
    char *text;
    if (!file_read(said, 1 << 20, &text, NULL, e))
        return false;
    text[strcspn(text, "\n")] = '\0';
    FAIL(e, ERROR_CONFIG, "%s", text);
    free(text);
    return false;
}

/*
 * Runs the kernel with the facts of one proposal. The rows of the run are in t->results until the
 * next trial.
 */
static bool run_trial(struct trial *t, const struct proposal *p, int n, const char *blocks,
                      const char *types, const char *scopes, struct error *e)
{
    struct text facts = {0};
    char path[160], out[128], said[128], sizes[16];
    snprintf(sizes, sizeof sizes, "%d", n);
    import_write_facts(t->import, p, t->import->absolute, &facts);
    snprintf(path, sizeof path, "%s/%s.facts", t->folder, t->import->name);
    snprintf(out, sizeof out, "%s/run-%d", t->folder, t->runs++);
    snprintf(said, sizeof said, "%s/said", t->folder);
    const char *ops = named_value(t->import->facts, "ops");
    const char *const arguments[] = {"redsweep",
                                     "run",
                                     "--kernels",
                                     t->import->name,
                                     "--kernel-folder",
                                     path,
                                     "--device",
                                     "sim",
                                     "--quiet",
                                     "--sizes",
                                     sizes,
                                     "--blocks",
                                     blocks,
                                     "--types",
                                     types,
                                     "--ops",
                                     ops ? ops : t->import->ops,
                                     "--cache",
                                     "cold",
                                     "--scope",
                                     scopes,
                                     "--metrics=",
                                     "--out",
                                     out,
                                     NULL};
    results_free(&t->results);
    memset(&t->results, 0, sizeof t->results);
    bool ok = write_file(path, &facts, e) && run_self(arguments, said, e) &&
              (access(out, F_OK) == 0 || refusal(said, e)) && results_read(out, &t->results, e);
    text_free(&facts);
    return ok;
}

static bool is_right(const struct trial *t, size_t row)
{
    const char *status = column_text(t->results.known.status, row);
    return strcmp(status, status_name(STATUS_OK)) == 0 ||
           strcmp(status, status_name(STATUS_SAMPLED)) == 0;
}

static size_t count_right(const struct trial *t)
{
    size_t right = 0;
    for (size_t r = 0; r < t->results.rows.row_count; r++)
        right += is_right(t, r);
    return right;
}

static bool does_not_compile(const struct trial *t)
{
    return t->results.rows.row_count &&
           strcmp(column_text(t->results.known.status, 0), status_name(STATUS_COMPILE_ERROR)) == 0;
}

/*
 * Stores the next proposal in `p`. The most likely proposals come first. Returns false if there are
 * no more.
 */
static bool next_proposal(const struct import *i, int *at, struct proposal *p)
{
    enum { COUNTS = sizeof item_counts / sizeof item_counts[0], ITEMS = COUNTS + 1, KINDS = 3 };
    for (int k = (*at)++; k < GRID_KINDS * KINDS * ITEMS; k = (*at)++) {
        int item = k % ITEMS, kind = k / ITEMS % KINDS, grid = k / ITEMS / KINDS;
        /*
         * There are three kinds of kernels: those that write one result for each block, those that
         * add to a result that must be zeroed first, and those that write a single result.
         */
        bool complete = kind > 0, zeroed = kind == 1;
        if ((zeroed && !i->atomics) || (item == 0 && i->items == 0))
            continue;
        if ((grid == GRID_RESIDENT && !i->strides) || (grid == GRID_ONE_BLOCK && !complete))
            continue;
        *p = (struct proposal){.complete = complete,
                               .zeroed = zeroed,
                               .in_place = !i->constant_input, /* find_place() decides this later */
                               .items = item ? item_counts[item - 1] : i->items,
                               .grid = i->strides && grid < 2 ? (enum import_grid)(1 - grid)
                                                              : (enum import_grid)grid};
        return true;
    }
    return false;
}

/*
 * Finds the first proposal that gives a right result with one of the block sizes in `blocks`, and
 * sets *block to this block size. If there is no such proposal, *block stays 0, and `why` receives
 * the reason why the first one failed.
 */
static bool find_proposal(struct trial *t, const char *blocks, const char *type, int *block,
                          struct text *why, struct error *e)
{
    struct import *i = t->import;
    struct proposal p;
    for (int at = 0; *block == 0 && next_proposal(i, &at, &p);) {
        /*
         * Floating-point types are also tried with the larger error bound for any order of
         * additions. Other types do not need it.
         */
        for (int any = 0; any < 2 && *block == 0; any++) {
            p.any_order = any;
            if (any && strncmp(type, "float", 5) != 0 && strncmp(type, "bfloat", 6) != 0)
                break;
            if (!run_trial(t, &p, usual_size(i), blocks, type, "kernel", e))
                return false;
            for (size_t r = 0; *block == 0 && r < t->results.rows.row_count; r++)
                if (is_right(t, r))
                    *block = atoi(results_axis(&t->results, r, AXIS_block));
        }
        if (t->results.rows.row_count == 0)
            continue;
        if (*block == 0 && why->length == 0)
            text_append(why, "%s: %s", column_text(t->results.known.status, 0),
                        column_text(t->results.known.reason, 0));
        if (does_not_compile(t))
            break;
    }
    if (*block)
        i->found = p;
    return true;
}

/* ---- Which sizes ------------------------------------------------------------------------------ */

struct rule {
    const char *fact;
    bool (*holds)(uint64_t n, uint64_t covers);
};

static bool any_size(uint64_t n, uint64_t covers)
{
    (void)covers;
    return n > 0;
}
static bool a_block_or_more(uint64_t n, uint64_t covers)
{
    return n >= covers;
}
static bool whole_blocks(uint64_t n, uint64_t covers)
{
    return n % covers == 0;
}
static bool power_of_two(uint64_t n, uint64_t covers)
{
    return whole_blocks(n, covers) && (n & (n - 1)) == 0;
}

static const struct rule rules[] = {
    {"", any_size},
    {"N >= COVERS", a_block_or_more},
    {"N % COVERS = 0", whole_blocks},
    {"N % COVERS = 0 and power_of_two(N)", power_of_two},
};

/*
 * Returns whether a rule is right for a block size: at least one n that the rule admits was tried
 * with this block size, and the results for all such n were right.
 */
static bool rule_fits(const struct trial *t, const struct rule *rule, int block)
{
    bool some = false;
    for (size_t k = 0; k < t->shapes.count; k++) {
        const struct tried_shape *shape = &t->shapes.items[k];
        if (shape->block != block ||
            !rule->holds(shape->n, (uint64_t)t->import->found.items * (uint64_t)block))
            continue;
        if (!shape->right)
            return false;
        some = true;
    }
    return some;
}

static char *write_blocks(const bool fits[BLOCK_SIZES])
{
    int count = 0;
    struct text list = {0};
    for (int b = 0; b < BLOCK_SIZES; b++)
        if (fits[b])
            text_append(&list, "%s%d", count++ ? " " : "", block_sizes[b]);
    /* only block size 96 is not a power of two */
    bool two = count == BLOCK_SIZES - 1 && !fits[2];
    char *text = xstrdup(count == BLOCK_SIZES ? "multiple of 32"
                         : two                ? "power of two"
                                              : list.bytes);
    text_free(&list);
    return text;
}

/*
 * Finds out whether the kernel overwrites its input. To do so, it runs two points that share one
 * input: if the first launch changes the input, the result of the second one is wrong.
 */
static bool find_place(struct trial *t, const char *block, const char *type, struct error *e)
{
    struct proposal untouched = t->import->found;
    if (!untouched.in_place)
        return true;
    untouched.in_place = false;
    if (!run_trial(t, &untouched, usual_size(t->import), block, type, "kernel,complete", e))
        return false;
    t->import->found.in_place = count_right(t) < t->results.rows.row_count;
    return true;
}

/*
 * Tries all block sizes with several n. Each run has at most three points, because a sweep gives up
 * a kernel after three failing points in a row.
 */
static bool try_shapes(struct trial *t, const char *type, struct error *e)
{
    static const char *const blocks[] = {"32,64,96", "128,256,512", "1024"};
    const int sizes[] = {usual_size(t->import), 12288, 100003, 1000, 1};
    for (size_t s = 0; s < (t->import->size ? 1 : sizeof sizes / sizeof sizes[0]); s++)
        for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; b++) {
            if (!run_trial(t, &t->import->found, sizes[s], blocks[b], type, "kernel", e))
                return false;
            for (size_t r = 0; r < t->results.rows.row_count; r++)
                vec_push(&t->shapes, (struct tried_shape){
                                         .n = (uint64_t)sizes[s],
                                         .block = atoi(results_axis(&t->results, r, AXIS_block)),
                                         .right = is_right(t, r)});
        }
    return true;
}

/*
 * Finds the first of the `rules`, from the weakest to the strictest, that is right for the block
 * size `block`. Then finds all block sizes for which this rule is right.
 */
static bool find_shapes(struct trial *t, int block, const char *type, struct error *e)
{
    struct import *i = t->import;
    if (!try_shapes(t, type, e))
        return false;
    for (size_t k = 0; k < sizeof rules / sizeof rules[0]; k++) {
        bool fits[BLOCK_SIZES];
        if (!rule_fits(t, &rules[k], block))
            continue;
        for (int b = 0; b < BLOCK_SIZES; b++)
            fits[b] = rule_fits(t, &rules[k], block_sizes[b]);
        i->blocks = write_blocks(fits);
        i->requires = i->size ? xasprintf("N = %d", i->size) : xstrdup(rules[k].fact);
        return true;
    }
    return FAIL(e, ERROR_CONFIG,
                "%s: the results of the kernel %s are right only at n = %d, and the import cannot "
                "find out why; state the fact that limits n with --fact.requires EXPR",
                i->file, i->function, usual_size(i));
}

static bool find_types(struct trial *t, const char *block, struct error *e)
{
    struct import *i = t->import;
    if (!i->template_type || named_value(i->facts, "types"))
        return true;
    char *all = i->types, *commas = xstrdup(all);
    for (char *p = commas; *p; p++)
        if (*p == ' ')
            *p = ',';
    bool ok = run_trial(t, &i->found, usual_size(i), block, commas, "kernel", e);
    struct text right = {0};
    for (size_t r = 0; ok && r < t->results.rows.row_count; r++)
        if (is_right(t, r))
            text_append(&right, "%s%s", right.length ? " " : "",
                        results_axis(&t->results, r, AXIS_type));
    free(commas);
    if (ok) {
        free(all);
        i->types = xstrdup(right.bytes);
    }
    text_free(&right);
    return ok;
}

/*
 * Chooses the element type for the first trials: the first of the types that the user gave or that
 * the signature allows (int32 for a template).
 */
static void first_type(const struct import *i, char type[32])
{
    const char *types = named_value(i->facts, "types");
    types = types ? types : i->types;
    snprintf(type, 32, "%.*s", (int)strcspn(types, " "), types);
}

static bool try_all(struct trial *t, struct error *e)
{
    /*
     * A template must be compiled again for each block size, which takes seconds, so templates are
     * tried only with the usual block sizes.
     */
    static const char *const all[] = {"256,128,1024", "512,64,32"}, *const few[] = {"256", "128",
                                                                                    "64"};
    struct import *i = t->import;
    struct text why = {0};
    bool ok = true;
    char type[32], own[16];
    int block = 0;
    first_type(i, type);
    snprintf(own, sizeof own, "%d", i->block);
    for (int k = i->block ? -1 : 0; ok && block == 0 && k < (i->block_constant ? 3 : 2); k++) {
        const char *blocks = k < 0 ? own : i->block_constant ? few[k] : all[k];
        fprintf(stderr, "trying the kernel with blocks of %s threads …\n", blocks);
        ok = find_proposal(t, blocks, type, &block, &why, e);
        if (does_not_compile(t))
            break;
    }
    if (ok && block == 0)
        ok = FAIL(e, ERROR_CONFIG,
                  "%s: the results of the kernel %s are wrong with every set of facts that the "
                  "import tried; state the facts that the kernel needs with --fact.KEY VALUE. The "
                  "message for the first set was: %s",
                  i->file, i->function, why.bytes ? why.bytes : "nothing");
    text_free(&why);
    snprintf(own, sizeof own, "%d", block);
    return ok && find_place(t, own, type, e) && find_shapes(t, block, type, e) &&
           find_types(t, own, e);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    (void)remove(path);
    return 0;
}

bool import_try(struct import *i, struct error *e)
{
    struct trial t = {.folder = "/tmp/redsweep-import-XXXXXX", .import = i};
    if (!mkdtemp(t.folder))
        return FAIL(e, ERROR_SYSTEM, "%s: %s", t.folder, strerror(errno));
    bool ok = try_all(&t, e);
    results_free(&t.results);
    vec_free(&t.shapes);
    /* Errors are ignored: a file that cannot be removed stays in /tmp. */
    nftw(t.folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return ok;
}
