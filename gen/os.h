/* Owns every call to the operating system: files, folders, locks, time, memory, interrupts. Everything else
 * is C17 (threads: pthreads, which mingw-w64 has too). A port to another system is another os.c. Paths are
 * UTF-8 with '/'. Messages name the path and the system's reason. */
#ifndef GEN_OS_H
#define GEN_OS_H
#include "terrain/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Reads a whole file of at most limit bytes; *bytes is malloc'ed, with a zero byte behind its end.
 * STATUS_FILE: cannot be read, or no regular file (nothing waits for a pipe that somebody put there), but
 * OS_STDIN and /dev/fd/N are read to their end; STATUS_LIMIT: larger than limit, or no memory. */
enum status os_read_file(const char *path, size_t limit, unsigned char **bytes, size_t *size,
                         struct error *err);

enum os_kind { OS_NOTHING, OS_FILE, OS_DIR, OS_OTHER };
struct os_info {
    enum os_kind kind; /* of what a link leads to */
    bool link;
    uint64_t size;
    double modified_s; /* seconds since 1970 */
};
/* Follows links. A path that does not exist, or a link to nothing, is OS_NOTHING, not an error. */
enum status os_info(const char *path, struct os_info *info, struct error *err);

enum status os_make_dirs(const char *path, struct error *err); /* and its parents; existing is fine */
enum status os_remove(const char *path, struct error *err);    /* a file; absent is fine */
void os_remove_empty(const char *path);                        /* a folder, if there is nothing in it */
enum status os_remove_tree(const char *path, struct error *err);
/* Calls fn for each entry of a folder except . and .., in byte order of the names. Stops at fn's first
 * failure. */
enum status os_list(const char *path, enum status (*fn)(void *context, const char *name, struct error *err),
                    void *context, struct error *err);

/* Random access for reading. STATUS_FILE: cannot be opened, or no regular file. */
struct os_reader;
enum status os_open(const char *path, struct os_reader **reader, struct error *err);
struct os_info os_reader_info(const struct os_reader *reader); /* when it was opened */
/* Exactly size bytes from offset, or STATUS_FILE (cut short). Safe from several threads. */
enum status os_pread(struct os_reader *reader, void *bytes, size_t size, uint64_t offset, struct error *err);
void os_close(struct os_reader *reader);

/* A file that appears whole or not at all: written beside its place under a temporary name
 * (".<name>.<pid>-<n>.tmp"), renamed by os_commit. */
/* A folder, pipe or device in that place is STATUS_FILE and stays. */
struct os_new_file {
    FILE *stream; /* buffered; write errors are found by os_commit */
    char *path, *temporary;
    int why; /* of the first write of os_append that failed; 0: none did */
};
enum status os_create(const char *path, struct os_new_file *file, struct error *err);
/* fwrite to the stream; os_commit says why it failed. */
void os_append(struct os_new_file *file, const void *bytes, size_t size);
enum status os_commit(struct os_new_file *file, struct error *err); /* on failure the temporary is removed */
/* The same; *info: what os_info says of it until somebody else writes it. */
enum status os_commit_info(struct os_new_file *file, struct os_info *info, struct error *err);
void os_discard(struct os_new_file *file);
/* Discards after a write to the stream failed: STATUS_FILE, with the path and the reason where it is known.
 */
enum status os_fail(struct os_new_file *file, struct error *err);
/* os_create + write + os_commit. */
enum status os_write_file(const char *path, const void *bytes, size_t size, struct error *err);
/* The same; *info: what os_info says of it until somebody else writes it. */
enum status os_write_file_info(const char *path, const void *bytes, size_t size, struct os_info *info,
                               struct error *err);
/* Sets a file's time of change to now when it was older than age_s. Failures are of no consequence. */
void os_touch_if_older(const struct os_reader *reader, double age_s);
bool os_is_temporary(const char *name); /* a name that os_create made */
/* Makes what has been written to the file system of `path` durable. */
enum status os_sync(const char *path, struct error *err);

/* An advisory lock on a lock file (made when absent); freed when the process ends, however it ends. */
struct os_lock {
    int fd;
};
enum status os_lock_take(const char *path, bool exclusive, bool wait, struct os_lock *lock, bool *taken,
                         struct error *err);
void os_lock_drop(struct os_lock *lock);

double os_wall_s(void);       /* monotonic */
double os_thread_cpu_s(void); /* of the calling thread */
double os_process_cpu_s(void);
double os_unix_s(void); /* seconds since 1970, for file ages only: reaches no output */
int32_t os_cpu_count(void);
long os_process_id(void);      /* for names of temporary things only */
uint64_t os_peak_memory(void); /* largest resident size so far, bytes */

bool os_is_terminal(FILE *stream);
#define OS_STDIN "/dev/stdin" /* standard input as a path for os_read_file */

/* Address space that becomes memory when touched; NULL when refused. */
void *os_reserve(size_t size);
/* Bytes of address space that the process may have; UINT64_MAX: no limit. */
uint64_t os_address_limit(void);
void os_unreserve(void *at, size_t size);

/* Before anything else: no file that is opened later takes the place of a standard stream that was closed,
 * and writing beyond a limit on file sizes fails instead of ending the program. */
void os_prepare(void);
/* Ctrl-C and SIGTERM set a flag instead of ending the program; a second one ends it, and so do 3 seconds in
 * which nobody heeded the flag (exit code 130). */
void os_catch_interrupts(void);
bool os_interrupted(void);

#endif
