#include "SketchDescription.h"

namespace SketchDescription {

// The attribute after `from`, which is the beginning of a field; the first two fields are key and name.
static const char *next(const char *from, char letter) {
  for (char byte; (byte = (char)pgm_read_byte(from)) != 0; from++) {
    if (byte == '|' && (char)pgm_read_byte(from + 1) == letter) return from + 2;
  }
  return nullptr;
}

static const char *attributes(const char *description) {
  while (pgm_read_byte(description++) != '|') {
  }
  return description;
}

const char *attribute(const char *description, char letter) { return next(attributes(description), letter); }

uint8_t count(const char *description, char letter) {
  uint8_t found = 0;
  const char *at = attributes(description);
  while ((at = next(at, letter)) != nullptr) found++;
  return found;
}

} // namespace SketchDescription
