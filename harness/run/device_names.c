/* Lists devices in a child process; see device_names.h. */
#include "run/device_names.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "devices/device.h"
#include "run/protocol.h"

enum { LIST_LIMIT_MS = 120 * 1000 };

_Noreturn static void list_in_child(const char *option, int to)
{
    struct error e = {0};
    struct text names = {0};
    struct refusal r;
    memset(&r, 0, sizeof r);
    bool ok = device_list(option, &names, &e);
    r.kind = e.kind;
    memcpy(r.text, e.text, sizeof r.text);
    ok = ok ? message_send(to, MESSAGE_DEVICES, names.bytes, (uint32_t)names.length, NULL)
            : message_send(to, MESSAGE_REFUSED, &r, sizeof r, NULL);
    _exit(ok ? 0 : 1);
}

static bool take_answer(const char *option, int from, struct device_names *out, struct error *e)
{
    struct message m;
    if (message_receive(from, LIST_LIMIT_MS, &m) != RECEIVED_MESSAGE)
        return FAIL(e, ERROR_DEVICE,
                    "--device %s: the devices cannot be listed; redsweep doctor says why", option);
    bool ok = m.type == MESSAGE_DEVICES;
    for (size_t at = 0; ok && at < m.length; at += strlen(m.payload + at) + 1)
        vec_push(&out->items, xstrdup(m.payload + at));
    if (!ok) {
        const struct refusal *r = (const struct refusal *)m.payload;
        FAIL_LINES(e, r->kind, "%s", r->text);
    }
    message_free(&m);
    return ok;
}

bool device_names_find(const char *option, struct device_names *out, struct error *e)
{
    int fds[2];
    *out = (struct device_names){0};
    if (pipe(fds) != 0)
        return FAIL(e, ERROR_SYSTEM, "cannot create a pipe: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0) {
        close(fds[0]);
        list_in_child(option, fds[1]);
    }
    close(fds[1]);
    bool ok = pid > 0 ? take_answer(option, fds[0], out, e)
                      : FAIL(e, ERROR_SYSTEM, "cannot start a process: %s", strerror(errno));
    close(fds[0]);
    if (pid > 0 && !ok)
        (void)kill(pid, SIGKILL); /* the child may hang in a driver */
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
    return ok;
}

void device_names_free(struct device_names *names)
{
    for (size_t i = 0; i < names->items.count; i++)
        free(names->items.items[i]);
    vec_free(&names->items);
}
