// libyaml has no module map of its own.
#include <yaml.h>
