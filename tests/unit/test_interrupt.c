/* Ctrl-C and SIGTERM: a program that heeds the flag ends by itself, one that does not is ended, whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gen/os.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a child ends that `runs` after it has caught signals. */
static int end_of(void (*runs)(void)) {
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        os_catch_interrupts();
        runs();
        _exit(9);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void heeds(void) {
    raise(SIGTERM);
    _exit(os_interrupted() ? 7 : 8);
}

static void goes_on(void) {
    raise(SIGINT);
    for (;;)
        pause();
}

static void is_told_twice(void) {
    raise(SIGTERM);
    raise(SIGTERM);
}

static void the_flag_is_set_and_the_program_goes_on(void **state) {
    (void)state;
    int status = end_of(heeds);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 7);
}

static void who_does_not_heed_the_flag_is_ended(void **state) {
    (void)state;
    int status = end_of(goes_on);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 130);
}

static void a_second_signal_ends_at_once(void **state) {
    (void)state;
    int status = end_of(is_told_twice);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGTERM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_flag_is_set_and_the_program_goes_on),
        cmocka_unit_test(who_does_not_heed_the_flag_is_ended),
        cmocka_unit_test(a_second_signal_ends_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
