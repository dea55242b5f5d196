// libjansson has no module map of its own.
#include <jansson.h>

// The library's function and its enumeration share the name json_error_code, which Swift cannot tell apart.
static inline int json_error_code_value(const json_error_t *error) { return (int)json_error_code(error); }

// The library keeps the text in an array, which Swift imports as a tuple.
static inline const char *json_error_text(const json_error_t *error) { return error->text; }
