/* Owns the reading of the JSON that we write ourselves: manifests of half a megabyte, at several times
 * jansson's pace. What is unusual in any way (escapes, mistakes, numbers of many digits) is left to jansson:
 * the result, and the message of a mistake, are the same. */
#ifndef GEN_JSON_READ_H
#define GEN_JSON_READ_H
#include <jansson.h>
#include <stdbool.h>

/* json_loadb; unique: keys that come twice in an object are a mistake. problem may be NULL. */
json_t *json_read(const void *bytes, size_t size, bool unique, json_error_t *problem);
/* One member of the outermost object; the rest is only looked through. NULL: not there, or something unusual
 * comes before it: json_read knows more. */
json_t *json_read_member(const void *bytes, size_t size, const char *key);

#endif
