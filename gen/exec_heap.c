#include "gen/exec_own.h"

#include <stdlib.h>

static bool before(const struct task *a, const struct task *b) {
    if (a->priority != b->priority)
        return a->priority < b->priority;
    if (a->depth != b->depth)
        return a->depth < b->depth;
    return a->section < b->section;
}

static bool push(struct exec *exec, struct task task) {
    if (exec->heap_count == exec->heap_room) {
        size_t room = exec->heap_room ? exec->heap_room * 2 : 256;
        struct task *more = realloc(exec->heap, room * sizeof *more);
        if (!more)
            return false;
        exec->heap = more;
        exec->heap_room = room;
    }
    size_t at = exec->heap_count++;
    for (; at > 0 && before(&task, &exec->heap[(at - 1) / 2]); at = (at - 1) / 2)
        exec->heap[at] = exec->heap[(at - 1) / 2];
    exec->heap[at] = task;
    pthread_cond_signal(&exec->ready);
    return true;
}

struct task exec_pop(struct exec *exec) {
    struct task first = exec->heap[0], last = exec->heap[--exec->heap_count];
    size_t at = 0;
    for (;;) {
        size_t child = at * 2 + 1;
        if (child >= exec->heap_count)
            break;
        if (child + 1 < exec->heap_count && before(&exec->heap[child + 1], &exec->heap[child]))
            child++;
        if (!before(&exec->heap[child], &last))
            break;
        exec->heap[at] = exec->heap[child];
        at = child;
    }
    exec->heap[at] = last;
    return first;
}

bool exec_push_node(struct exec *exec, struct graph_node *node) {
    node->state = NODE_READY;
    return push(exec, (struct task){node->priority, node->instance, node->section, node});
}

bool exec_push_job(struct exec *exec, int32_t job) {
    return push(exec, (struct task){job, INT32_MAX, 0, NULL});
}
