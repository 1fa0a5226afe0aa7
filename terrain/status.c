#include "terrain/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 3, 0))) static void put(struct error *err, enum status status,
                                                      const char *format, va_list args) {
    err->status = status;
    vsnprintf(err->message, sizeof err->message, format, args);
}

enum status error_set(struct error *err, enum status status, const char *format, ...) {
    if (!err)
        return status;
    va_list args;
    va_start(args, format);
    put(err, status, format, args);
    va_end(args);
    err->file[0] = '\0';
    err->line = err->column = 0;
    return status;
}

enum status error_at(struct error *err, enum status status, const char *file, int32_t line, int32_t column,
                     const char *format, ...) {
    if (!err)
        return status;
    va_list args;
    va_start(args, format);
    put(err, status, format, args);
    va_end(args);
    snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    err->line = line;
    err->column = column;
    return status;
}

enum status error_context(struct error *err, const char *format, ...) {
    if (!err)
        return STATUS_FAULT;
    char text[ERROR_MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, ": %s", err->message);
    memcpy(err->message, text, sizeof text);
    return err->status;
}
