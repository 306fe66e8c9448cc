/* `redsweep plots` draws the charts of one run or of several runs. */
#include "cli/commands.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/folder.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/program.h"
#include "base/terminal.h"
#include "base/text.h"
#include "charts/charts.h"
#include "charts/peers.h"
#include "charts/runs.h"
#include "spec/folders.h"

enum { MAX_OPERANDS = 256, MAX_CHARTS = 64 };

struct plots_arguments {
    struct chart_options options;
    const char *width, *log, *out, *truth, *peers;
};

#define AT(member) .offset = offsetof(struct plots_arguments, member)

static const struct field options[] = {
    {"--where", NULL, field_argument, AT(options.where),
     HELP("EXPR", "draw only rows for which EXPR is true; EXPR may use column names and role "
                  "(reduction, peer, limit, …)")},
    {"--kernels", NULL, field_argument, AT(options.kernels),
     HELP("LIST", "draw only these kernels (names and globs, separated by commas)")},
    {"--x", NULL, field_argument, AT(options.x), HELP("COLUMN", "the column on the x axis")},
    {"--y", NULL, field_argument, AT(options.y),
     HELP("COLUMN", "the column on the y axis; the chart `metrics` takes a list of columns, and "
                    "the chart `shapes` also takes the word `rows`")},
    {"--by", NULL, field_argument, AT(options.by),
     HELP("COLUMN", "draw one line or color per value of this column (default: kernel)")},
    {"--log", NULL, field_argument, AT(log),
     HELP("AXES", "switch the x axis, the y axis or both (x,y) between linear and logarithmic")},
    {"--relative-to", NULL, field_argument, AT(options.relative_to),
     HELP("KERNEL", "divide the values by this kernel's values in the same run")},
    {"--format", "svg,png", field_argument, AT(options.formats),
     HELP("LIST", "the file formats: svg, png and pdf, separated by commas")},
    {"--width", NULL, field_argument, AT(width),
     HELP("NAME", "the width for a paper: column (85 mm) or page (178 mm)")},
    {"--no-title", NULL, field_switch, AT(options.no_title),
     HELP(NULL, "leave out the headings, and print them for use in captions")},
    {"--font", "DejaVu Sans", field_argument, AT(options.font),
     HELP("FAMILY", "the font of all text")},
    {"--out", NULL, field_argument, AT(out),
     HELP(
         "DIR",
         "the folder for the pictures (default: RUN/plots for one run, results/runs for several)")},
    {"--suffix", "", field_argument, AT(options.suffix),
     HELP("TEXT", "a suffix for the file names")},
    {"--truth", NULL, field_argument, AT(truth),
     HELP("RUN", "an exhaustive run of the same sweep; the chart `search` compares what a search "
                 "found with the best times in this run")},
    {"--peers", NULL, field_argument, AT(peers),
     HELP("RUN", "a run with rows of CUB and PyTorch for the chart `shapes`")},
    {0}};

static void print_charts(bool several)
{
    for (size_t i = 0; chart_at(i); i++)
        if (chart_at(i)->several == several)
            printf("  %-10s %s\n", chart_at(i)->name, chart_at(i)->sentence);
}

void help_plots(void)
{
    printf(
        "Draws the charts of a run into RUN/plots with gnuplot. RUN is a run's folder or its\n"
        "results.csv (default: results/latest). Several runs are drawn into the same charts, in\n"
        "results/runs. Without CHART, all charts that have data are drawn. The script and the\n"
        "data of a chart are kept beside its picture; to change the chart, edit them and run\n"
        "`gnuplot RUN/plots/CHART.gp`.\n"
        "\n"
        "For one run, CHART is one of\n"
        "\n");
    print_charts(false);
    printf("\nFor several runs, CHART is one of\n\n");
    print_charts(true);
    printf("\n");
    options_print(options);
    printf("\n"
           "If the rows contain several types, operations, cache states, …, the charts show the\n"
           "combination with the most points. Choose another combination with --where, such as\n"
           "--where \"type = float32 and op = max\". A chart of one size shows the size with\n"
           "the most points, and a chart of one kernel shows the kernel with the most points.\n"
           "\n"
           "Exit codes: 0 a chart was drawn, 1 no chart could be drawn, 2 usage error.\n");
}

struct plots {
    struct plots_arguments a;
    const char *runs[MAX_OPERANDS];
    size_t run_count;
    const struct chart *charts[MAX_CHARTS];
    size_t chart_count;
    bool named; /* the user named the charts */
    size_t drawn;
};

/* ---- What is asked for ----------------------------------------------------------------------- */

static bool unknown_chart(const struct plots *p, const char *word, struct error *e)
{
    const char *names[MAX_CHARTS];
    char suggestion[SUGGESTION_SIZE];
    struct text list = {0};
    int count = 0;
    for (size_t i = 0; chart_at(i); i++)
        if (chart_at(i)->several == (p->run_count > 1)) {
            names[count++] = chart_at(i)->name;
            text_append(&list, " %s", chart_at(i)->name);
        }
    FAIL(e, ERROR_USAGE, "'%s' is neither a run nor a chart%s; the charts of %s are%s", word,
         text_suggestion(word, names, count, suggestion),
         p->run_count > 1 ? "several runs" : "one run", list.bytes);
    text_free(&list);
    return false;
}

/*
 * Sorts the operands into runs and charts. An operand that is the name of a chart selects this
 * chart, unless it is the first operand and a file or a folder has this name. All other operands
 * are runs.
 */
static bool sort_operands(struct plots *p, const struct operands *operands, struct error *e)
{
    const char *words[MAX_OPERANDS];
    size_t count = 0;
    for (int i = 0; i < operands->count; i++) {
        const char *word = operands->items[i];
        bool is_chart = chart_find(word, false) || chart_find(word, true);
        if (is_chart && (i > 0 || access(word, F_OK) != 0))
            words[count++] = word;
        else if (i > 0 && access(word, F_OK) != 0)
            return unknown_chart(p, word, e);
        else
            p->runs[p->run_count++] = word;
    }
    if (!p->run_count)
        p->runs[p->run_count++] = "results/latest";
    for (size_t i = 0; i < count; i++) {
        const struct chart *chart = chart_find(words[i], p->run_count > 1);
        if (!chart)
            return unknown_chart(p, words[i], e);
        if (p->chart_count < MAX_CHARTS)
            p->charts[p->chart_count++] = chart;
    }
    p->named = count > 0;
    return true;
}

/*
 * Checks that the given options have an effect on the charts. If the user named no charts, selects
 * all charts that use all of these options. Fails if the user named a chart that does not use one
 * of them.
 */
static bool check_uses(struct plots *p, struct error *e)
{
    const struct chart_options *o = &p->a.options;
    const struct {
        const char *option, *value;
        unsigned takes;
    } given[] = {{"--x", o->x, TAKES_X},
                 {"--y", o->y, TAKES_Y},
                 {"--by", o->by, TAKES_BY},
                 {"--log", p->a.log, TAKES_LOG},
                 {"--relative-to", o->relative_to, TAKES_RELATIVE}};
    for (size_t i = 0; chart_at(i) && !p->named; i++)
        if (chart_at(i)->several == (p->run_count > 1))
            p->charts[p->chart_count++] = chart_at(i);
    for (size_t g = 0; g < sizeof given / sizeof *given; g++) {
        size_t kept = 0;
        for (size_t i = 0; i < p->chart_count; i++)
            if (!given[g].value || p->charts[i]->takes & given[g].takes)
                p->charts[kept++] = p->charts[i];
            else if (p->named)
                return FAIL(
                    e, ERROR_USAGE,
                    "%s has no effect on the chart %s; leave the option out, or name another chart",
                    given[g].option, p->charts[i]->name);
        p->chart_count = kept;
    }
    return true;
}

static bool read_words(struct plots *p, struct error *e)
{
    struct chart_options *o = &p->a.options;
    const char *width = p->a.width ? p->a.width : "", *log = p->a.log ? p->a.log : "";
    o->width = strcmp(width, "column") == 0 ? CANVAS_COLUMN
               : strcmp(width, "page") == 0 ? CANVAS_PAGE
                                            : CANVAS_SCREEN;
    if (*width && o->width == CANVAS_SCREEN)
        return FAIL(e, ERROR_USAGE,
                    "--width %s: unknown width; use column (85 mm) or page (178 mm)", width);
    o->log_x = strcmp(log, "x") == 0 || strcmp(log, "x,y") == 0;
    o->log_y = strcmp(log, "y") == 0 || strcmp(log, "x,y") == 0;
    if (*log && !o->log_x && !o->log_y)
        return FAIL(e, ERROR_USAGE, "--log %s: unknown axis; use x, y or x,y", log);
    for (const char *c = o->suffix; *c; c++)
        if (!strchr("-._", *c) &&
            !((*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z')))
            return FAIL(e, ERROR_USAGE,
                        "--suffix %s: invalid character; use only letters, digits, -, . and _",
                        o->suffix);
    return picture_check(o->formats, o->font, e);
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/*
 * Opens the folder into which the charts are written. Fails if it is a symbolic link, which could
 * lead outside the run.
 */
static bool open_folder(const char *name, int *folder, struct error *e)
{
    struct stat st;
    if (lstat(name, &st) == 0 && S_ISLNK(st.st_mode))
        return FAIL(e, ERROR_USAGE,
                    "%s is a symbolic link, and charts are only written into a real folder; name "
                    "one with --out",
                    name);
    return folder_create(name, 0777, e) && folder_open(name, folder, e);
}

/* The charts that are left out for one reason. */
struct left_out {
    char why[256];
    struct text names;
    size_t count;
};
typedef VEC(struct left_out) left_out_list;

static void leave_out(left_out_list *list, const char *name, const char *why)
{
    size_t i = 0;
    while (i < list->count && strcmp(list->items[i].why, why) != 0)
        i++;
    if (i == list->count) {
        vec_push(list, (struct left_out){{0}, {0}, 0});
        snprintf(list->items[i].why, sizeof list->items[i].why, "%s", why);
    }
    struct left_out *to = &list->items[i];
    text_append(&to->names, "%s%s", to->count++ ? ", " : "", name);
}

/* Prints each reason once, such as "time, bandwidth left out: the run has no times". */
static void print_left_out(left_out_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct text line = {0};
        text_append(&line, "%-10s left out: %s", list->items[i].names.bytes, list->items[i].why);
        if (terminal_width(stdout))
            terminal_print_words(stdout, line.bytes, 0);
        else
            print_safely(stdout, "%s\n", line.bytes);
        text_free(&line);
        text_free(&list->items[i].names);
    }
    vec_free(list);
}

static bool draw_own(struct plots *p, const struct results *run, const char *out, bool others,
                     bool *has_others, struct error *e)
{
    struct chart_options o = p->a.options;
    char *suffix = xasprintf("%s%s", o.suffix, others ? "-others" : "");
    struct chart_rows rows;
    int folder = -1;
    o.suffix = suffix;
    bool ok = open_folder(out, &folder, e),
         chosen = ok && chart_rows_choose(run, &o, others, &rows, e);
    bool one_slice = false;
    left_out_list left_out = {0};
    ok = chosen;
    for (size_t i = 0; ok && i < p->chart_count; i++) {
        bool drawn = false;
        char why[256] = "";
        ok = chart_draw(p->charts[i], &rows, folder, out, &drawn, why, e);
        if (ok && !drawn)
            leave_out(&left_out, p->charts[i]->name, why);
        p->drawn += drawn;
        one_slice = one_slice || (drawn && !(p->charts[i]->takes & SHOWS_ALL));
    }
    print_left_out(&left_out);
    *has_others = chosen && rows.has_others;
    if (ok && !others && one_slice && *rows.others)
        printf("not shown: %s\n           (--where chooses which rows are shown)\n", rows.others);
    if (ok && !others && rows.unresolved)
        printf("excluded: %zu row%s, because the time is below the clock's resolution\n",
               rows.unresolved, rows.unresolved == 1 ? "" : "s");
    if (chosen)
        chart_rows_free(&rows);
    if (folder >= 0)
        close(folder);
    free(suffix);
    return ok;
}

static bool draw_one(struct plots *p, struct error *e)
{
    struct results run;
    bool others = false, none;
    if (!results_read(p->runs[0], &run, e))
        return false;
    char *out = p->a.out ? xstrdup(p->a.out) : xasprintf("%s/plots", run.folder);
    bool ok = draw_own(p, &run, out, false, &others, e);
    if (ok && others && !p->named)
        ok = draw_own(p, &run, out, true, &none, e);
    free(out);
    results_free(&run);
    return ok;
}

/*
 * Draws charts of several runs. The rows of all runs are joined, so that each chart shows all runs.
 */
static bool draw_several(struct plots *p, struct error *e)
{
    struct results *runs = xcalloc(p->run_count, sizeof *runs), all;
    size_t read = 0;
    bool others, ok = true;
    while (ok && read < p->run_count && (ok = results_read(p->runs[read], &runs[read], e)))
        read++;
    if (ok) {
        char **names = runs_names(runs, read);
        runs_join(runs, read, names, &all);
        p->a.options.several = true;
        p->a.options.runs = runs;
        ok = draw_own(p, &all, p->a.out ? p->a.out : "results/runs", false, &others, e);
        for (size_t i = 0; i < read; i++)
            free(names[i]);
        free(names);
        results_free(&all);
    }
    for (size_t i = 0; i < read; i++)
        results_free(&runs[i]);
    free(runs);
    return ok;
}

/*
 * Reads the runs of --truth and --peers, which some charts show in addition, and draws the charts.
 */
static bool draw_beside(struct plots *p, struct error *e)
{
    struct results truth;
    struct peers peers = {0};
    const char *from = p->a.truth;
    if (from && !results_read(from, &truth, e))
        return error_prefix(e, "--truth");
    bool ok = !p->a.peers || peers_read(p->a.peers, &peers, e);
    p->a.options.truth = from ? &truth : NULL;
    p->a.options.peers = p->a.peers ? &peers : NULL;
    ok = ok && (p->run_count > 1 ? draw_several(p, e) : draw_one(p, e));
    p->a.options.truth = NULL;
    p->a.options.peers = NULL;
    peers_free(&peers);
    if (from)
        results_free(&truth);
    return ok;
}

static bool has_gnuplot(struct error *e)
{
    static const char *const arguments[] = {"gnuplot", "--version", NULL};
    struct text version = {0};
    bool ok = program_run(arguments, &version, NULL);
    text_free(&version);
    /*
     * Set a UTF-8 locale. In the C locale, gnuplot warns about the degree sign, although no chart
     * contains one.
     */
    ok = ok && setenv("LC_ALL", "C.UTF-8", 1) == 0;
    return ok || FAIL(e, ERROR_SYSTEM,
                      "gnuplot was not found; install it (on Debian and Ubuntu with apt install "
                      "gnuplot-nox)");
}

int command_plots(int count, char **arguments, struct error *e)
{
    struct plots p = {0};
    char data[4096];
    const char *named[MAX_OPERANDS];
    struct operands operands = {.items = named, .max = MAX_OPERANDS};
    if (!options_read(options, &p.a, count, arguments, &operands, e) || !read_words(&p, e) ||
        !sort_operands(&p, &operands, e) || !check_uses(&p, e) ||
        !find_data_folder(data, sizeof data, e) || !has_gnuplot(e))
        return EXIT_REFUSED;
    p.a.options.data = data;
    if (!draw_beside(&p, e))
        return EXIT_REFUSED;
    return p.drawn ? EXIT_FINE : EXIT_POINTS_FAILED;
}
