/* Progress lines: also while no step ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cmd/print.h"
#include "cmd/progress.h"
#include "gen/stage.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const struct stage *const stage_table[] = {NULL};

/* stderr goes to a pipe between these. */
static int kept, ends[2];
static void catch_stderr(void) {
    fflush(stderr);
    kept = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
}
static void let_stderr_go(void) {
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(ends[1]);
}

/* Up to a line of a step that takes long. */
static void read_lines(char *text, size_t size) {
    size_t used = 0;
    while (!strstr(text, "ended for") && used < size - 1) {
        ssize_t got = read(ends[0], text + used, size - 1 - used);
        if (got <= 0)
            break;
        used += (size_t)got;
        text[used] = '\0';
    }
}

/* Waits for lines, not for a time: one step ends at once, then none does. */
static void tells_while_no_step_ends(void **state) {
    (void)state;
    struct progress progress;
    char text[4096] = "";
    print_setup(false);
    catch_stderr();
    progress_start(&progress, "baking");
    pthread_mutex_lock(&progress.mutex);
    progress.every_s = 0.05;
    pthread_mutex_unlock(&progress.mutex);
    progress_step(&progress, 3, 40);
    read_lines(text, sizeof text);
    progress_end(&progress);
    let_stderr_go();
    close(ends[0]);
    assert_non_null(strstr(text, "baking: 3 of 40 steps, none has ended for "));
}

/* Before the first step ends, and before anybody knows how many there are. */
static void tells_of_a_first_step_that_takes_long(void **state) {
    (void)state;
    struct progress progress;
    char text[400] = "";
    catch_stderr();
    progress_start(&progress, "baking");
    pthread_mutex_lock(&progress.mutex);
    progress.every_s = 0.05;
    pthread_mutex_unlock(&progress.mutex);
    struct timespec pause = {1, 200000000};
    nanosleep(&pause, NULL);
    progress_step(&progress, 0, 40);
    read_lines(text, sizeof text);
    progress_end(&progress);
    let_stderr_go();
    close(ends[0]);
    assert_null(strstr(text, "of 0 steps"));
    assert_non_null(strstr(text, "baking: 0 of 40 steps, none has ended for "));
}

static void is_silent_when_quiet(void **state) {
    (void)state;
    struct progress progress;
    char text[64];
    print_setup(true);
    catch_stderr();
    progress_start(&progress, "baking");
    progress.every_s = 0;
    progress_step(&progress, 3, 40);
    progress_end(&progress);
    let_stderr_go();
    assert_int_equal(read(ends[0], text, sizeof text), 0);
    close(ends[0]);
    print_setup(false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tells_while_no_step_ends),
                                       cmocka_unit_test(tells_of_a_first_step_that_takes_long),
                                       cmocka_unit_test(is_silent_when_quiet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
