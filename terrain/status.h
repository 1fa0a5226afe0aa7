/* Owns how a call says that it failed. Knows nothing of files, stages or the program.
 *
 * What can fail returns enum status and takes struct error *err last; err may be NULL. The values are the
 * program's exit codes. */
#ifndef TERRAIN_STATUS_H
#define TERRAIN_STATUS_H
#include <stdint.h>

enum status {
    STATUS_OK = 0,
    STATUS_DIFFERENT = 1, /* the answer is no: differences found, verify failed, a budget broken */
    STATUS_USAGE = 2,
    STATUS_INPUT = 3, /* what the user wrote or drew is wrong */
    STATUS_FILE = 4,  /* missing, unreadable, unwritable, disk full */
    STATUS_LIMIT = 5, /* too large, or out of memory */
    STATUS_FAULT = 6, /* a mistake of the program */
    STATUS_INTERRUPTED = 130
};

enum { ERROR_FILE_MAX = 1024, ERROR_MESSAGE_MAX = 2048 };

struct error {
    enum status status;
    int32_t line, column;      /* 1-based; 0 when unknown */
    char file[ERROR_FILE_MAX]; /* empty when the error is in no file */
    char message[ERROR_MESSAGE_MAX];
};

#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/* Fills err (when not NULL) and returns status. */
enum status error_set(struct error *err, enum status status, const char *format, ...) PRINTF_LIKE(3, 4);
/* The same with a place: file, and line and column (1-based, 0 unknown). */
enum status error_at(struct error *err, enum status status, const char *file, int32_t line, int32_t column,
                     const char *format, ...) PRINTF_LIKE(6, 7);
/* Puts "context: " before the message and returns err's status (STATUS_FAULT when err is NULL). */
enum status error_context(struct error *err, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
