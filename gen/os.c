#define _GNU_SOURCE /* syncfs */
#include "gen/os.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static enum status file_trouble(struct error *err, const char *doing, const char *path) {
    return error_at(err, STATUS_FILE, path, 0, 0, "cannot %s: %s", doing, strerror(errno));
}

static enum status no_memory(struct error *err, const char *path) {
    return error_at(err, STATUS_LIMIT, path, 0, 0, "out of memory");
}

/* What stands where a file is needed. */
static enum status no_file(struct error *err, const char *path, mode_t mode) {
    const char *what = S_ISDIR(mode)    ? "a folder"
                       : S_ISFIFO(mode) ? "a named pipe"
                       : S_ISSOCK(mode) ? "a socket"
                                        : "a device";
    return error_at(err, STATUS_FILE, path, 0, 0, "is %s, not a file", what);
}

/* A path that could not be opened. */
static enum status cannot_open(struct error *err, const char *doing, const char *path) {
    int why = errno;
    struct stat st;
    if (why == ENOENT && lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
        return error_at(err, STATUS_FILE, path, 0, 0, "is a link to a file that is not there");
    if (why == ENXIO && stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return no_file(err, path, st.st_mode);
    errno = why;
    return file_trouble(err, doing, path);
}

/* Opens a regular file and nothing else: what a pipe, a socket or a device gives may never come. */
static enum status open_regular(const char *path, int how, const char *doing, int *fd, struct stat *st,
                                struct error *err) {
    memset(st, 0, sizeof *st);
    *fd = open(path, how | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    if (*fd < 0)
        return cannot_open(err, doing, path);
    enum status status = STATUS_OK;
    if (fstat(*fd, st) != 0)
        status = file_trouble(err, doing, path);
    else if (!S_ISREG(st->st_mode))
        status = no_file(err, path, st->st_mode);
    if (status != STATUS_OK)
        close(*fd);
    return status;
}

static struct os_info info_of(const struct stat *st) {
    return (struct os_info){.kind = S_ISREG(st->st_mode)   ? OS_FILE
                                    : S_ISDIR(st->st_mode) ? OS_DIR
                                                           : OS_OTHER,
                            .size = (uint64_t)st->st_size,
                            .modified_s = (double)st->st_mtim.tv_sec + 1e-9 * (double)st->st_mtim.tv_nsec};
}

struct os_reader {
    int fd;
    char *path;
    struct os_info info;
};

enum status os_open(const char *path, struct os_reader **reader, struct error *err) {
    *reader = NULL;
    int fd;
    struct stat st;
    enum status status = open_regular(path, O_RDONLY, "open", &fd, &st, err);
    if (status != STATUS_OK)
        return status;
    struct os_reader *r = calloc(1, sizeof *r);
    if (r)
        r->path = strdup(path);
    if (!r || !r->path) {
        free(r);
        close(fd);
        return no_memory(err, path);
    }
    r->fd = fd;
    r->info = info_of(&st);
    *reader = r;
    return STATUS_OK;
}

struct os_info os_reader_info(const struct os_reader *reader) {
    return reader->info;
}

enum status os_pread(struct os_reader *reader, void *bytes, size_t size, uint64_t offset, struct error *err) {
    unsigned char *at = bytes;
    while (size > 0) {
        ssize_t got = pread(reader->fd, at, size, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return file_trouble(err, "read", reader->path);
        if (got == 0)
            return error_at(err, STATUS_FILE, reader->path, 0, 0, "the file is cut short");
        at += got;
        size -= (size_t)got;
        offset += (uint64_t)got;
    }
    return STATUS_OK;
}

void os_close(struct os_reader *reader) {
    if (!reader)
        return;
    close(reader->fd);
    free(reader->path);
    free(reader);
}

/* A stream that the program was started with: its size is known at its end. */
static bool is_stream(const char *path) {
    return strcmp(path, OS_STDIN) == 0 || strncmp(path, "/dev/fd/", 8) == 0;
}

static enum status too_large(struct error *err, const char *path, size_t limit) {
    return error_at(err, STATUS_LIMIT, path, 0, 0, "is larger than %zu bytes", limit);
}

static enum status read_stream(const char *path, size_t limit, unsigned char **bytes, size_t *size,
                               struct error *err) {
    size_t room = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return file_trouble(err, "open", path);
    enum status status = STATUS_OK;
    for (ssize_t got = 1; got != 0 && status == STATUS_OK;) {
        if (*size + 1 >= room) {
            unsigned char *more = realloc(*bytes, room = room ? room * 2 : 65536);
            if (!more) {
                status = no_memory(err, path);
                break;
            }
            *bytes = more;
        }
        got = read(fd, *bytes + *size, room - *size - 1);
        if (got < 0 && errno != EINTR)
            status = file_trouble(err, "read", path);
        *size += got > 0 ? (size_t)got : 0;
        if (*size > limit)
            status = too_large(err, path, limit);
    }
    close(fd);
    return status;
}

static enum status read_regular(const char *path, size_t limit, unsigned char **bytes, size_t *size,
                                struct error *err) {
    struct os_reader *reader;
    enum status status = os_open(path, &reader, err);
    if (status != STATUS_OK)
        return status;
    if (reader->info.size > limit) {
        status = too_large(err, path, limit);
    } else {
        *size = (size_t)reader->info.size;
        *bytes = malloc(*size + 1);
        status = *bytes ? os_pread(reader, *bytes, *size, 0, err) : no_memory(err, path);
    }
    os_close(reader);
    return status;
}

enum status os_read_file(const char *path, size_t limit, unsigned char **bytes, size_t *size,
                         struct error *err) {
    *bytes = NULL;
    *size = 0;
    enum status status = is_stream(path) ? read_stream(path, limit, bytes, size, err)
                                         : read_regular(path, limit, bytes, size, err);
    if (status != STATUS_OK) {
        free(*bytes);
        *bytes = NULL;
        *size = 0;
        return status;
    }
    (*bytes)[*size] = 0;
    return STATUS_OK;
}

enum status os_info(const char *path, struct os_info *info, struct error *err) {
    struct stat st;
    *info = (struct os_info){.kind = OS_NOTHING};
    bool found = lstat(path, &st) == 0, link = found && S_ISLNK(st.st_mode);
    if (link)
        found = stat(path, &st) == 0;
    if (found)
        *info = info_of(&st);
    info->link = link;
    return found || errno == ENOENT || errno == ENOTDIR ? STATUS_OK : file_trouble(err, "look at", path);
}

enum status os_make_dirs(const char *path, struct error *err) {
    struct stat whole;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &whole) == 0 && S_ISDIR(whole.st_mode)))
        return STATUS_OK;
    char *part = strdup(path);
    if (!part)
        return no_memory(err, path);
    enum status status = STATUS_OK;
    for (char *at = part + 1;; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char end = *at;
        *at = '\0';
        struct stat st;
        int why = mkdir(part, 0777) == 0 ? 0 : errno;
        if (why != 0 && why != EEXIST && !(stat(part, &st) == 0 && S_ISDIR(st.st_mode))) {
            errno = why;
            status = file_trouble(err, "make the folder", part);
        }
        if (status == STATUS_OK && stat(part, &st) == 0 && !S_ISDIR(st.st_mode))
            status = error_at(err, STATUS_FILE, part, 0, 0, "is a file where a folder is needed");
        *at = end;
        if (end == '\0' || status != STATUS_OK)
            break;
    }
    free(part);
    return status;
}

enum status os_remove(const char *path, struct error *err) {
    if (unlink(path) != 0 && errno != ENOENT)
        return file_trouble(err, "remove", path);
    return STATUS_OK;
}

void os_remove_empty(const char *path) {
    rmdir(path); /* fails where there is something */
}

struct remove_context {
    const char *path;
};

static enum status remove_entry(void *context, const char *name, struct error *err) {
    const struct remove_context *c = context;
    size_t size = strlen(c->path) + strlen(name) + 2;
    char *path = malloc(size);
    if (!path)
        return no_memory(err, c->path);
    snprintf(path, size, "%s/%s", c->path, name);
    struct stat st;
    enum status status = STATUS_OK;
    if (lstat(path, &st) == 0)
        status = S_ISDIR(st.st_mode) ? os_remove_tree(path, err) : os_remove(path, err);
    free(path);
    return status;
}

enum status os_remove_tree(const char *path, struct error *err) {
    struct remove_context context = {path};
    struct os_info info;
    enum status status = os_info(path, &info, err);
    if (status != STATUS_OK || info.kind == OS_NOTHING)
        return status;
    status = os_list(path, remove_entry, &context, err);
    if (status == STATUS_OK && rmdir(path) != 0 && errno != ENOENT)
        status = file_trouble(err, "remove the folder", path);
    return status;
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

enum status os_list(const char *path, enum status (*fn)(void *context, const char *name, struct error *err),
                    void *context, struct error *err) {
    DIR *dir = opendir(path);
    if (!dir)
        return file_trouble(err, "list the folder", path);
    char **names = NULL;
    size_t count = 0, room = 0;
    enum status status = STATUS_OK;
    for (struct dirent *e; status == STATUS_OK && (e = readdir(dir));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        if (count == room) {
            char **more = realloc(names, (room = room ? room * 2 : 64) * sizeof *names);
            if (more)
                names = more;
            else
                status = no_memory(err, path);
        }
        if (status == STATUS_OK && (names[count] = strdup(e->d_name)))
            count++;
        else
            status = no_memory(err, path);
    }
    closedir(dir);
    if (count > 1)
        qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status = fn(context, names[i], err);
        free(names[i]);
    }
    free(names);
    return status;
}

enum status os_create(const char *path, struct os_new_file *file, struct error *err) {
    static atomic_uint counter;
    *file = (struct os_new_file){0};
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return no_file(err, path, there.st_mode); /* renaming onto a device would take its place */
    const char *slash = strrchr(path, '/');
    int dir = slash ? (int)(slash - path) + 1 : 0;
    size_t size = strlen(path) + 64;
    file->path = strdup(path);
    file->temporary = malloc(size);
    if (!file->path || !file->temporary) {
        os_discard(file);
        return no_memory(err, path);
    }
    snprintf(file->temporary, size, "%.*s.%s.%ld-%u.tmp", dir, path, path + dir, (long)getpid(),
             atomic_fetch_add(&counter, 1u));
    int fd = open(file->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd >= 0) {
        file->stream = fdopen(fd, "wb");
        if (!file->stream) {
            close(fd);
            unlink(file->temporary);
        }
    }
    if (!file->stream) {
        enum status status = file_trouble(err, "write", path);
        free(file->path);
        free(file->temporary);
        *file = (struct os_new_file){0};
        return status;
    }
    return STATUS_OK;
}

void os_discard(struct os_new_file *file) {
    if (file->stream) {
        fclose(file->stream);
        unlink(file->temporary);
    }
    free(file->path);
    free(file->temporary);
    *file = (struct os_new_file){0};
}

void os_append(struct os_new_file *file, const void *bytes, size_t size) {
    if (file->why == 0 && fwrite(bytes, 1, size, file->stream) != size)
        file->why = errno ? errno : EIO;
}

static enum status write_trouble(const struct os_new_file *file, struct error *err) {
    if (file->why)
        errno = file->why;
    return errno ? file_trouble(err, "write", file->path)
                 : error_at(err, STATUS_FILE, file->path, 0, 0, "cannot write: is the disk full?");
}

enum status os_fail(struct os_new_file *file, struct error *err) {
    enum status status = write_trouble(file, err);
    os_discard(file);
    return status;
}

enum status os_commit(struct os_new_file *file, struct error *err) {
    enum status status = STATUS_OK;
    errno = 0;
    bool bad = ferror(file->stream) != 0 || file->why != 0;
    if (fclose(file->stream) != 0)
        bad = true;
    file->stream = NULL;
    if (bad) {
        status = write_trouble(file, err);
    } else if (rename(file->temporary, file->path) != 0) {
        status = file_trouble(err, "put into place", file->path);
    }
    if (status != STATUS_OK)
        unlink(file->temporary);
    os_discard(file);
    return status;
}

enum status os_commit_info(struct os_new_file *file, struct os_info *info, struct error *err) {
    struct stat st;
    if (fflush(file->stream) != 0 && file->why == 0)
        file->why = errno;
    *info = (struct os_info){.kind = OS_NOTHING};
    if (fstat(fileno(file->stream), &st) == 0) /* by the stream: the name may be another's soon */
        *info = info_of(&st);
    return os_commit(file, err);
}

enum status os_write_file_info(const char *path, const void *bytes, size_t size, struct os_info *info,
                               struct error *err) {
    struct os_new_file file;
    enum status status = os_create(path, &file, err);
    if (status != STATUS_OK)
        return status;
    os_append(&file, bytes, size);
    return os_commit_info(&file, info, err);
}

enum status os_write_file(const char *path, const void *bytes, size_t size, struct error *err) {
    struct os_info info;
    return os_write_file_info(path, bytes, size, &info, err);
}

void os_touch_if_older(const struct os_reader *reader, double age_s) {
    if (os_unix_s() - reader->info.modified_s > age_s)
        futimens(reader->fd, NULL);
}

bool os_is_temporary(const char *name) {
    size_t n = strlen(name);
    return name[0] == '.' && n > 5 && strcmp(name + n - 4, ".tmp") == 0;
}

enum status os_sync(const char *path, struct error *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return file_trouble(err, "open", path);
    enum status status = syncfs(fd) == 0 ? STATUS_OK : file_trouble(err, "sync", path);
    close(fd);
    return status;
}

enum status os_lock_take(const char *path, bool exclusive, bool wait, struct os_lock *lock, bool *taken,
                         struct error *err) {
    *taken = false;
    struct stat st;
    enum status status = open_regular(path, O_RDWR | O_CREAT, "open the lock", &lock->fd, &st, err);
    if (status != STATUS_OK) {
        lock->fd = -1;
        return status;
    }
    int how = (exclusive ? LOCK_EX : LOCK_SH) | (wait ? 0 : LOCK_NB);
    int got;
    do
        got = flock(lock->fd, how);
    while (got != 0 && errno == EINTR);
    if (got == 0) {
        *taken = true;
        return STATUS_OK;
    }
    status = errno == EWOULDBLOCK ? STATUS_OK : file_trouble(err, "lock", path);
    close(lock->fd);
    lock->fd = -1;
    return status;
}

void os_lock_drop(struct os_lock *lock) {
    if (lock->fd >= 0)
        close(lock->fd);
    lock->fd = -1;
}

static double seconds(clockid_t id) {
    struct timespec t;
    clock_gettime(id, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double os_wall_s(void) {
    return seconds(CLOCK_MONOTONIC);
}
double os_thread_cpu_s(void) {
    return seconds(CLOCK_THREAD_CPUTIME_ID);
}
double os_process_cpu_s(void) {
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}
double os_unix_s(void) {
    return seconds(CLOCK_REALTIME);
}

int32_t os_cpu_count(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > 1024 ? 1024 : (int32_t)n;
}

long os_process_id(void) {
    return (long)getpid();
}

uint64_t os_peak_memory(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024u;
}

bool os_is_terminal(FILE *stream) {
    return isatty(fileno(stream)) != 0;
}

void *os_reserve(size_t size) {
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

void os_unreserve(void *at, size_t size) {
    if (at)
        munmap(at, size);
}

uint64_t os_address_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur;
}

void os_prepare(void) {
    for (int fd = 0; fd <= 2; fd++) /* read-only: writing to it still fails */
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != fd)
            break;
    signal(SIGXFSZ, SIG_IGN);
}

static atomic_int interrupts;
enum { GRACE_S = 3 };

static void on_signal(int number) {
    if (atomic_fetch_add(&interrupts, 1) > 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
    alarm(GRACE_S);
}

/* A stage that is at work on a section for long does not look at the flag. */
static void on_grace_over(int number) {
    static const char text[] = "terrane: interrupted\n";
    (void)number;
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(130);
}

void os_catch_interrupts(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = on_grace_over;
    sigaction(SIGALRM, &action, NULL);
}

bool os_interrupted(void) {
    return atomic_load(&interrupts) > 0;
}
