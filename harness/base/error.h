/*
 * Functions return errors instead of printing them.
 *
 * A function that can fail returns bool: true if it did what its name says, and false after filling
 * the caller's `struct error`. Only main() prints an error and turns it into an exit code. The text
 * says what was wrong, where (file, line, key or address), the offending value, and the remedy.
 * Where redsweep's own source raised the error is stored separately, for bug reports.
 */
#ifndef REDSWEEP_BASE_ERROR_H
#define REDSWEEP_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

enum error_kind {
    ERROR_NONE,
    ERROR_USAGE,       /* the command line cannot be understood */
    ERROR_CONFIG,      /* a file given by the user is invalid: config, facts, CSV, JSON, PTX */
    ERROR_SYSTEM,      /* the operating system refused: a file, a pipe, a thread */
    ERROR_COMPILE,     /* a kernel's source does not compile or link */
    ERROR_LAUNCH,      /* a kernel could not start, or ended with a fault */
    ERROR_MEMORY,      /* the host or the device has too little memory */
    ERROR_UNSUPPORTED, /* this device cannot do what was asked */
    ERROR_TIMEOUT,     /* a kernel did not finish in time */
    ERROR_SKIPPED,     /* The config is valid, but this device cannot measure this point. */
    ERROR_DEVICE,      /* the device itself is absent or gone */
    ERROR_PROCESS,     /* no process can be started, because of a temporary limit of the machine */
    ERROR_BUSY,        /* another process is writing to the run */
    ERROR_INTERNAL     /* a bug: one of redsweep's own rules is violated */
};

struct error {
    enum error_kind kind;
    /* True if the device's context is unusable, so that only a new process can continue. */
    bool device_lost;
    const char *file; /* where redsweep's source raised the error */
    int line;
    char text[4096]; /* human-readable; UTF-8; line ends are part of the message */
};

/*
 * Fills `e` (which may be NULL) and returns false, so that `return FAIL(e, …);` reads well. Long
 * text is cut and ends with "…". Control characters in the arguments, which may come from untrusted
 * files, are escaped (text_append_safely).
 */
#define FAIL(e, kind, ...) error_set((e), (kind), __FILE__, __LINE__, __VA_ARGS__)
#ifdef __clang_analyzer__ /* tells static analysis that FAIL is false */
#undef FAIL
#define FAIL(e, kind, ...) (error_set((e), (kind), __FILE__, __LINE__, __VA_ARGS__) && false)
#endif
bool error_set(struct error *e, enum error_kind kind, const char *file, int line,
               const char *format, ...) __attribute__((format(printf, 5, 6)));

/*
 * Like FAIL(), but does not escape the arguments, because they may have several lines: a compiler's
 * log, a list of errors, or an error from another process. If an argument quotes a file, the
 * quotation must already be escaped.
 */
#define FAIL_LINES(e, kind, ...) error_set_lines((e), (kind), __FILE__, __LINE__, __VA_ARGS__)
#ifdef __clang_analyzer__
#undef FAIL_LINES
#define FAIL_LINES(e, kind, ...)                                                                   \
    (error_set_lines((e), (kind), __FILE__, __LINE__, __VA_ARGS__) && false)
#endif
bool error_set_lines(struct error *e, enum error_kind kind, const char *file, int line,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Puts "prefix: " before the text of an error that is passed on. Returns false. */
bool error_prefix(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Makes `e` contain no error. */
void error_clear(struct error *e);

/* Returns a stable word for each kind ("config", "launch", …), for JSON and tests. */
const char *error_kind_name(enum error_kind kind);

#endif
