/* Owns progress on stderr: a bar with rate and time left on a terminal, a plain line every ten seconds
 * elsewhere, also while one step takes long; nothing with --quiet. */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
    const char *what; /* "baking" */
    double every_s;   /* between lines */
    bool terminal, drawn;
    pthread_mutex_t mutex; /* of all that follows */
    pthread_cond_t ended;
    pthread_t ticker;
    bool ticking, over;
    double started_s, shown_s, stepped_s; /* stepped_s: when the last step ended */
    int64_t done, total;
};

void progress_start(struct progress *progress, const char *what);
void progress_step(void *context, int64_t done, int64_t total); /* one call at a time */
void progress_end(struct progress *progress);                   /* wipes the bar */

#endif
