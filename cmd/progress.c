#include "cmd/progress.h"

#include "cmd/print.h"
#include "gen/os.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

static void draw_bar(struct progress *p, double rate, double left_s) {
    char bar[31];
    int filled = p->total > 0 ? (int)(30 * p->done / p->total) : 0;
    for (int i = 0; i < 30; i++)
        bar[i] = i < filled ? '#' : '.';
    bar[30] = '\0';
    fprintf(stderr, "\r%s [%s] %3d %%  %.0f steps/s  %.0f s left \033[K", p->what, bar,
            p->total > 0 ? (int)(100 * p->done / p->total) : 0, rate, left_s);
    fflush(stderr);
    p->drawn = true;
}

/* A line, or the bar, when it is time. */
static void show(struct progress *p) {
    double now_s = os_wall_s();
    if (p->total == 0 || now_s - p->shown_s < p->every_s)
        return;
    p->shown_s = now_s;
    double rate = (double)p->done / (now_s - p->started_s);
    double left_s = rate > 0 ? (double)(p->total - p->done) / rate : 0;
    double still_s = now_s - p->stepped_s;
    if (p->terminal)
        draw_bar(p, rate, left_s);
    else if (still_s >= p->every_s) /* nothing to reckon the time left by */
        fprintf(stderr, "%s: %" PRId64 " of %" PRId64 " steps, none has ended for %.0f s\n", p->what, p->done,
                p->total, still_s);
    else
        fprintf(stderr, "%s: %" PRId64 " of %" PRId64 " steps, %.0f a second, %.0f s left\n", p->what,
                p->done, p->total, rate, left_s);
}

static void *tick(void *context) {
    struct progress *p = context;
    pthread_mutex_lock(&p->mutex);
    while (!p->over) {
        struct timespec next;
        timespec_get(&next, TIME_UTC);
        next.tv_sec += 1;
        pthread_cond_timedwait(&p->ended, &p->mutex, &next);
        if (!p->over)
            show(p);
    }
    pthread_mutex_unlock(&p->mutex);
    return NULL;
}

void progress_start(struct progress *progress, const char *what) {
    *progress = (struct progress){.what = what, .terminal = os_is_terminal(stderr)};
    progress->every_s = progress->terminal ? 0.1 : 10.0;
    progress->started_s = progress->shown_s = progress->stepped_s = os_wall_s();
    pthread_mutex_init(&progress->mutex, NULL);
    pthread_cond_init(&progress->ended, NULL);
    /* one that cannot be started is not missed: steps show themselves */
    progress->ticking = !print_quiet() && pthread_create(&progress->ticker, NULL, tick, progress) == 0;
}

void progress_step(void *context, int64_t done, int64_t total) {
    struct progress *p = context;
    pthread_mutex_lock(&p->mutex);
    p->done = done;
    p->total = total;
    p->stepped_s = os_wall_s();
    if (!print_quiet())
        show(p);
    pthread_mutex_unlock(&p->mutex);
}

void progress_end(struct progress *progress) {
    pthread_mutex_lock(&progress->mutex);
    progress->over = true;
    pthread_cond_signal(&progress->ended);
    pthread_mutex_unlock(&progress->mutex);
    if (progress->ticking)
        pthread_join(progress->ticker, NULL);
    pthread_cond_destroy(&progress->ended);
    pthread_mutex_destroy(&progress->mutex);
    if (progress->drawn)
        fprintf(stderr, "\r\033[K");
    progress->drawn = false;
}
