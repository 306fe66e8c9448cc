/* Implements picture.h. */
#include "charts/picture.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/program.h"
#include "record/replace.h"

enum { LARGEST_SCRIPT = 1 << 20, LARGEST_PICTURE = 64 << 20, DEEPEST = 8 };

void picture_free(struct picture *p)
{
    text_free(&p->head);
    text_free(&p->data);
    text_free(&p->values);
    text_free(&p->blocks);
}

/* ---- Variables and data ---------------------------------------------------------------------- */

static void append_number(struct text *t, double number)
{
    if (isfinite(number))
        text_append(t, "%.15g", number);
    else
        text_append(t, "NaN");
}

/*
 * Appends a string in quotes. Control characters become "?", including those that UTF-8 encodes as
 * 0xC2 0x80 to 0xC2 0x9F.
 */
static void append_text(struct text *t, const char *text)
{
    text_append(t, "'");
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        bool wide = c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0;
        if (*c < 0x20 || *c == 0x7F || wide)
            text_append(t, "?");
        else if (*c == '\'')
            text_append(t, "''");
        else
            text_append_bytes(t, (const char *)c, 1);
        c += wide;
    }
    text_append(t, "'");
}

/* Begins a variable for a report, where the variables are members of a JSON object. */
static void begin_variable(struct picture *p, const char *name)
{
    text_append(&p->values, "%s", p->values.length ? ", " : "");
    text_append_json(&p->values, name);
    text_append(&p->values, ": ");
}

static void append_json_number(struct text *t, double number)
{
    if (isfinite(number))
        text_number(t, number);
    else
        text_append(t, "null");
}

void picture_number(struct picture *p, const char *name, double number)
{
    text_append(&p->head, "%s = ", name);
    append_number(&p->head, number);
    text_append(&p->head, "\n");
    begin_variable(p, name);
    append_json_number(&p->values, number);
}

void picture_text(struct picture *p, const char *name, const char *text)
{
    text_append(&p->head, "%s = ", name);
    append_text(&p->head, text);
    text_append(&p->head, "\n");
    begin_variable(p, name);
    text_append_json(&p->values, text);
}

void picture_numbers(struct picture *p, const char *name, const double *numbers, size_t count)
{
    text_append(&p->head, "array %s[%zu] = [", name, count);
    begin_variable(p, name);
    for (size_t i = 0; i < count; i++) {
        text_append(&p->head, "%s", i ? ", " : "");
        append_number(&p->head, numbers[i]);
        text_append(&p->values, "%s", i ? ", " : "[");
        append_json_number(&p->values, numbers[i]);
    }
    text_append(&p->head, "]\n");
    text_append(&p->values, "%s", count ? "]" : "[]");
}

void picture_texts(struct picture *p, const char *name, const char *const *texts, size_t count)
{
    text_append(&p->head, "array %s[%zu] = [", name, count);
    begin_variable(p, name);
    for (size_t i = 0; i < count; i++) {
        text_append(&p->head, "%s", i ? ", " : "");
        append_text(&p->head, texts[i]);
        text_append(&p->values, "%s", i ? ", " : "[");
        text_append_json(&p->values, texts[i]);
    }
    text_append(&p->head, "]\n");
    text_append(&p->values, "%s", count ? "]" : "[]");
}

/* Writes the same columns as table_write_data(). */
void picture_page_block(struct picture *p, const struct table *t)
{
    text_append(&p->blocks, "%s{\"columns\": [", p->blocks.length ? ",\n" : "");
    for (size_t row = 0; row <= t->row_count; row++) {
        const char *before = "";
        text_append(&p->blocks, "%s", row > 1 ? ",[" : row == 1 ? "[" : "");
        for (size_t i = 0; i < t->columns.count; i++) {
            const struct column *c = t->columns.items[i];
            if (c->audience == FOR_PEOPLE || c->details)
                continue;
            text_append(&p->blocks, "%s", before);
            if (row == 0)
                text_append_json(&p->blocks, c->name);
            else if (c->kind == COLUMN_TEXT)
                text_append_json(&p->blocks, column_text(c, row - 1));
            else
                append_json_number(&p->blocks, column_number(c, row - 1));
            before = ",";
        }
        text_append(&p->blocks, "%s", row == 0 ? "], \"rows\": [" : "]");
    }
    text_append(&p->blocks, "]}");
}

void picture_data(struct picture *p, const struct table *t)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&bytes, &length);
    if (to)
        table_write_data(t, true, to);
    p->lost = !to || fclose(to) != 0 || p->lost;
    text_append(&p->data, "%s", p->data.length ? "\n\n" : "");
    if (!p->lost)
        text_append_bytes(&p->data, bytes, length);
    free(bytes);
}

void picture_block(struct picture *p, const struct table *t)
{
    picture_data(p, t);
    picture_page_block(p, t);
}

void picture_page(const struct picture *p, struct text *out)
{
    text_append(out, "{\"name\": ");
    text_append_json(out, p->name);
    text_append(out, ", \"draws\": ");
    text_append_json(out, p->script ? p->script : p->name);
    text_append(out, ", \"values\": {%s},\n\"blocks\": [%s]}", text_shown(&p->values),
                text_shown(&p->blocks));
}

/* ---- The script ------------------------------------------------------------------------------ */

/*
 * Returns whether a line of a script loads another script, as in `load 'x.gp'`, and stores that
 * script's name in `file`.
 */
static bool loads(const char *line, char file[64])
{
    char end;
    return sscanf(line, " load '%60[a-z_.]'%c", file, &end) >= 1;
}

/*
 * Appends a script from plots/, with the scripts that it loads in place of its `load` lines. Omits
 * run.gp and *.key, because their variables are at the top of the generated script.
 */
static bool append_script(struct text *out, const char *data, const char *file, int depth,
                          struct error *e)
{
    char *path = xasprintf("%s/plots/%s", data, file), *bytes = NULL;
    size_t length;
    bool ok = depth < DEEPEST ? file_read(path, LARGEST_SCRIPT, &bytes, &length, e)
                              : FAIL(e, ERROR_INTERNAL, "%s: the scripts load each other", path);
    for (char *line = bytes, *next; ok && line && *line; line = next) {
        char loaded[64];
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        const char *dot = loads(line, loaded) ? strrchr(loaded, '.') : NULL;
        if (!dot && strncmp(line, "load chart.", 11) != 0)
            text_append_bytes(out, line, (size_t)(next - line));
        else if (dot && strcmp(dot, ".key") != 0 && strcmp(loaded, "run.gp") != 0)
            ok = append_script(out, data, loaded, depth + 1, e);
    }
    free(bytes);
    free(path);
    return ok;
}

static bool make_script(const struct picture *p, const struct picture_output *to, struct text *out,
                        struct error *e)
{
    text_append(out,
                "# The chart %s, made by redsweep plots. `gnuplot %s%s.gp` draws it again, from "
                "any folder;\n# -e \"format='png'\" (or pdf) before the name makes another kind "
                "of picture. The data are in %s%s.dat:\n# columns with names, separated by "
                "tabs.\n",
                p->name, p->name, to->suffix, p->name, to->suffix);
    text_append(out,
                "if (!exists('format')) { format = 'svg' }\n"
                "if (!exists('family')) { family = '%s' }\n"
                "here = strlen(ARG0)\n"
                "while (here > 0 && substr(ARG0, here, here) ne '/') { here = here - 1 }\n"
                "HERE = here > 0 ? substr(ARG0, 1, here) : ''\n",
                to->font);
    text_append(out,
                "chart = '%s'\nPICTURE = HERE.'%s%s'\nDATA = HERE.'%s%s.dat'\nset datafile "
                "separator \"\\t\"\n"
                "set datafile commentschars ''\n\n# What is shown.\n",
                p->name, p->name, to->suffix, p->name, to->suffix);
    text_append_bytes(out, p->head.bytes, p->head.length);
    text_append(out, "\n# How it is drawn.\n");
    char *file = xasprintf("%s.gp", p->script ? p->script : p->name);
    bool ok = append_script(out, to->data, file, 0, e);
    free(file);
    return ok;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static bool write_bytes(void *context, FILE *to, struct error *e)
{
    const struct text *t = context;
    (void)e;
    fwrite(t->bytes, 1, t->length, to);
    return true;
}

static bool place_text(const struct picture_output *to, const char *file, struct text *t,
                       struct error *e)
{
    return file_replace(to->folder, to->folder_name, file, write_bytes, t, e);
}

static bool write_file(const char *path, const struct text *t, struct error *e)
{
    FILE *f = fopen(path, "wx");
    bool ok = f && fwrite(t->bytes, 1, t->length, f) == t->length;
    ok = (!f || fclose(f) == 0) && ok;
    return ok || FAIL(e, ERROR_SYSTEM, "%s cannot be written: %s", path, strerror(errno));
}

/*
 * Cleans up an SVG that gnuplot drew. Removes the title of each curve (`<g
 * id="…"><title>…</title>`), because it is the gnuplot command and browsers show it. Adds a
 * fallback to each font (`font-family="…"`). Escapes "]]>" in texts, which XML does not allow.
 */
static void mend_svg(const char *svg, struct text *out)
{
    static const char group[] = "<g id=\"", title[] = "<title>", end[] = "</title>",
                      font[] = "font-family=\"";
    for (const char *line = svg; *line;) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        const char *stop = line + length, *g = memmem(line, length, group, strlen(group));
        for (const char *c = line; c < stop;) {
            const char *closing = g && g < c && strncmp(c, title, strlen(title)) == 0
                                      ? memmem(c, (size_t)(stop - c), end, strlen(end))
                                      : NULL;
            if (closing) {
                c = closing + strlen(end);
                continue;
            }
            if (strncmp(c, font, strlen(font)) == 0) {
                size_t family = strcspn(c + strlen(font), "\"") + strlen(font);
                text_append_bytes(out, c, family);
                text_append(out, ", sans-serif");
                c += family;
                continue;
            }
            bool section = strncmp(c, "]]>", 3) == 0;
            text_append_bytes(out, section ? "]]&gt;" : c, section ? 6 : 1);
            c += section ? 3 : 1;
        }
        line = stop;
    }
}

/* Moves a picture from the temporary folder to the output folder. */
static bool place_picture(const char *drawn, const struct picture_output *to, const char *file,
                          struct error *e)
{
    char *bytes;
    size_t length;
    if (!file_read(drawn, LARGEST_PICTURE, &bytes, &length, e))
        return false;
    struct text t = {0};
    if (length > 4 && strcmp(drawn + strlen(drawn) - 4, ".svg") == 0)
        mend_svg(bytes, &t);
    else
        text_append_bytes(&t, bytes, length);
    bool ok = place_text(to, file, &t, e);
    text_free(&t);
    free(bytes);
    return ok;
}

static bool draw_format(const struct picture *p, const struct picture_output *to, const char *work,
                        const char *format, struct error *e)
{
    char *set = xasprintf("format='%s'; family='%s'", format, to->font);
    char *script = xasprintf("%s/%s%s.gp", work, p->name, to->suffix);
    char *file = xasprintf("%s%s.%s", p->name, to->suffix, format);
    char *drawn = xasprintf("%s/%s", work, file);
    const char *const arguments[] = {"gnuplot", "-e", set, script, NULL};
    struct text printed = {0};
    bool ok = program_run(arguments, &printed, e) && place_picture(drawn, to, file, e);
    if (ok)
        print_safely(stdout, "%-10s %s/%s\n", p->name, to->folder_name, file);
    text_free(&printed);
    free(set);
    free(script);
    free(file);
    free(drawn);
    return ok;
}

/*
 * Prints the caption of a chart that was drawn with --no-title. The chart's script has written it
 * to a file.
 */
static void print_caption(const struct picture *p, const char *work)
{
    char *path = xasprintf("%s/caption.txt", work), *bytes;
    size_t length;
    if (access(path, F_OK) == 0 && file_read(path, LARGEST_SCRIPT, &bytes, &length, NULL)) {
        printf("%-10s caption: %s", p->name, bytes);
        free(bytes);
    }
    free(path);
}

static void remove_folder(const char *work, const struct picture *p,
                          const struct picture_output *to)
{
    static const char *const endings[] = {"gp", "dat", "svg", "png", "pdf"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char *path = xasprintf("%s/%s%s.%s", work, p->name, to->suffix, endings[i]);
        unlink(path);
        free(path);
    }
    char *caption = xasprintf("%s/caption.txt", work);
    unlink(caption);
    free(caption);
    rmdir(work);
}

static bool draw_in(const char *work, const struct picture *p, const struct picture_output *to,
                    struct text *script, struct error *e)
{
    char *gp = xasprintf("%s%s.gp", p->name, to->suffix), *gp_path = xasprintf("%s/%s", work, gp);
    char *dat = xasprintf("%s%s.dat", p->name, to->suffix);
    char *dat_path = xasprintf("%s/%s", work, dat);
    struct text data = p->data;
    bool ok = write_file(gp_path, script, e) && write_file(dat_path, &data, e) &&
              place_text(to, gp, script, e) && place_text(to, dat, &data, e);
    char *formats = xstrdup(to->formats), *rest = NULL;
    for (char *f = strtok_r(formats, ", ", &rest); ok && f; f = strtok_r(NULL, ", ", &rest))
        ok = draw_format(p, to, work, f, e);
    if (ok)
        print_caption(p, work);
    free(formats);
    free(gp);
    free(gp_path);
    free(dat);
    free(dat_path);
    return ok;
}

bool picture_draw(const struct picture *p, const struct picture_output *to, struct error *e)
{
    const char *tmp = getenv("TMPDIR");
    char *work = xasprintf("%s/redsweep-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    struct text script = {0};
    bool ok = p->lost
                  ? FAIL(e, ERROR_MEMORY, "not enough memory for the data of the chart %s", p->name)
                  : make_script(p, to, &script, e);
    if (ok && !mkdtemp(work))
        ok = FAIL(e, ERROR_SYSTEM, "a folder in %s cannot be created: %s", work, strerror(errno));
    else if (ok) {
        ok = draw_in(work, p, to, &script, e) || error_prefix(e, "the chart %s", p->name);
        remove_folder(work, p, to);
    }
    text_free(&script);
    free(work);
    return ok;
}

bool picture_check(const char *formats, const char *font, struct error *e)
{
    bool ok = true;
    char *list = xstrdup(formats), *rest = NULL;
    for (char *f = strtok_r(list, ", ", &rest); ok && f; f = strtok_r(NULL, ", ", &rest))
        if (strcmp(f, "svg") != 0 && strcmp(f, "png") != 0 && strcmp(f, "pdf") != 0)
            ok = FAIL(e, ERROR_USAGE, "--format: unknown format '%s'; use svg, png or pdf", f);
    free(list);
    bool plain = !strpbrk(font, "'\"\\,");
    for (const char *c = font; *c; c++)
        plain = plain && (unsigned char)*c >= 0x20 && *c != 0x7F;
    if (ok && !plain)
        ok = FAIL(e, ERROR_USAGE,
                  "--font: '%s' is not the name of a font family; write the name without quotes "
                  "and sizes",
                  font);
    return ok;
}
