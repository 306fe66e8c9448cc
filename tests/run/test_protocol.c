/* Messages arrive in parts. No call may wait for a missing part. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "run/protocol.h"

static int ends[2];

static int open_pipe(void **state)
{
    (void)state;
    return pipe(ends);
}

static int close_pipe(void **state)
{
    (void)state;
    close(ends[0]);
    close(ends[1]);
    return 0;
}

/* Writes a whole message to `bytes` in the pipe's format. Returns its length. */
static size_t message_bytes(const char *text, char bytes[256])
{
    struct error e = {0};
    assert_true(message_send(ends[1], MESSAGE_PRINTED, text, (uint32_t)strlen(text), &e));
    ssize_t length = read(ends[0], bytes, 256);
    assert_true(length > 8);
    return (size_t)length;
}

static void put(const char *bytes, size_t length)
{
    assert_int_equal(write(ends[1], bytes, length), (ssize_t)length);
}

/* Wherever a message is split, it is received with its last byte and no earlier. */
static void a_message_may_come_in_any_parts(void **state)
{
    (void)state;
    char bytes[256];
    size_t length = message_bytes("a line", bytes);
    for (size_t first = 1; first < length; first++) {
        struct incoming in = {0};
        struct message m;
        put(bytes, first);
        assert_int_equal(message_receive_part(ends[0], 0, &in, &m), RECEIVED_TIMEOUT);
        assert_int_equal(in.got, first);
        assert_int_equal(message_receive_part(ends[0], 0, &in, &m), RECEIVED_TIMEOUT);
        put(bytes + first, length - first);
        put(bytes, length); /* The next message stays in the pipe. */
        assert_int_equal(message_receive_part(ends[0], 0, &in, &m), RECEIVED_MESSAGE);
        assert_int_equal(m.type, MESSAGE_PRINTED);
        assert_string_equal(m.payload, "a line");
        message_free(&m);
        assert_int_equal(message_receive(ends[0], 0, &m), RECEIVED_MESSAGE);
        assert_string_equal(m.payload, "a line");
        message_free(&m);
        assert_int_equal(message_receive_part(ends[0], 0, &in, &m), RECEIVED_TIMEOUT);
        assert_int_equal(in.got, 0);
    }
}

/* The rest of a message may take up to a minute. After that, the other process is given up as
 * lost, and the part received so far is freed. */
static void a_rest_that_does_not_come_is_an_end(void **state)
{
    (void)state;
    char bytes[256];
    size_t length = message_bytes("a line", bytes);
    struct incoming in = {0};
    struct message m;
    double began = clock_now_s();
    put(bytes, length - 1);
    assert_int_equal(message_receive_part(ends[0], 0, &in, &m), RECEIVED_TIMEOUT);
    assert_true(clock_now_s() - began < 30); /* The call did not wait for the rest. */
    in.since_s -= 59;
    assert_int_equal(message_receive_part(ends[0], 0, &in, &m), RECEIVED_TIMEOUT);
    in.since_s -= 59;
    assert_int_equal(message_receive_part(ends[0], 0, &in, &m), RECEIVED_END);
    assert_null(in.payload);
}

static void no_message_of_ours_is_an_end(void **state)
{
    (void)state;
    static const uint32_t heads[][2] = {{0, 0}, {MESSAGE_TYPES, 0}, {MESSAGE_PRINTED, UINT32_MAX}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        struct incoming in = {0};
        struct message m;
        put((const char *)heads[i], sizeof heads[i]);
        assert_int_equal(message_receive_part(ends[0], 0, &in, &m), RECEIVED_END);
    }
}

static void a_message_without_payload_is_whole(void **state)
{
    (void)state;
    struct error e = {0};
    struct message m;
    assert_true(message_send(ends[1], MESSAGE_QUIT, NULL, 0, &e));
    assert_int_equal(message_receive(ends[0], 0, &m), RECEIVED_MESSAGE);
    assert_int_equal(m.type, MESSAGE_QUIT);
    assert_int_equal(m.length, 0);
    message_free(&m);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_pipe, close_pipe)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_message_may_come_in_any_parts),
        TEST(a_rest_that_does_not_come_is_an_end),
        TEST(no_message_of_ours_is_an_end),
        TEST(a_message_without_payload_is_whole),
    };
    return cmocka_run_group_tests_name("protocol", tests, NULL, NULL);
}
