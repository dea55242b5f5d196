// libjansson has no module map of its own.
#include <jansson.h>
