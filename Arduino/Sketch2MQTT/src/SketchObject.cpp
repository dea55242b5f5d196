#include "SketchObject.h"

#include "SketchDigits.h"

// The character at `at`, behind which `at` is moved; 0 for a wrong escape and at the end. A bridge escapes
// quotes, backslashes and control characters, nothing else.
static char character(const char *&at) {
  const char byte = *at++;
  if (byte != '\\') return (uint8_t)byte < 0x20 ? 0 : byte;
  const char escaped = *at++;
  switch (escaped) {
    case '"':
    case '\\':
    case '/': return escaped;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'u': break;
    default: return 0;
  }
  if (*at++ != '0' || *at++ != '0') return 0;
  const uint8_t high = SketchDigits::hexValue(*at++);
  if (high > 7) return 0;
  const uint8_t low = SketchDigits::hexValue(*at++);
  return low > 15 ? 0 : (char)(high << 4 | low);
}

// Behind the text that begins at `at`; null for what is none. Copied unless `out` is null.
static const char *copyText(const char *at, char *out, uint8_t size) {
  if (*at++ != '"') return nullptr;
  while (*at != '"') {
    const char byte = character(at);
    if (!byte) return nullptr;
    if (!out) continue;
    if (--size == 0) return nullptr;
    *out++ = byte;
  }
  if (out) *out = 0;
  return at + 1;
}

static const char *skipWord(const char *at, const char *word) {
  while (*word) {
    if (*at++ != *word++) return nullptr;
  }
  return at;
}

static const char *skipNumber(const char *at) {
  int32_t whole;
  const char *end = SketchDigits::read(at, false, 6, whole);
  return end ? end : SketchDigits::read(at, false, 0, whole);
}

// Behind the value that begins at `at`; null for what is none.
static const char *skipValue(const char *at) {
  switch (*at) {
    case '"': return copyText(at, nullptr, 0);
    case 't': return skipWord(at, "true");
    case 'f': return skipWord(at, "false");
    case 'n': return skipWord(at, "null");
    default: return skipNumber(at);
  }
}

bool SketchObject::isWhole() const {
  const char *at = json_;
  if (*at++ != '{') return false;
  if (*at == '}') return at[1] == 0;
  for (;;) {
    at = copyText(at, nullptr, 0);
    if (!at || *at++ != ':') return false;
    at = skipValue(at);
    if (!at) return false;
    if (*at == '}') return at[1] == 0;
    if (*at++ != ',') return false;
  }
}

const char *SketchObject::find(const __FlashStringHelper *key) const {
  const char *at = json_;
  if (at[1] == '}') return nullptr;
  do {
    const char *letter = (const char *)key, *mine = at + 2;
    at = copyText(at + 1, nullptr, 0) + 1;
    while (pgm_read_byte(letter) && (char)pgm_read_byte(letter) == *mine) {
      letter++;
      mine++;
    }
    if (!pgm_read_byte(letter) && *mine == '"') return at;
    at = skipValue(at);
  } while (*at == ',');
  return nullptr;
}

bool SketchObject::text(const __FlashStringHelper *key, char *out, uint8_t size) const {
  const char *at = find(key);
  return at && copyText(at, out, size);
}

bool SketchObject::number(const __FlashStringHelper *key, int32_t &value, uint8_t decimals) const {
  const char *at = find(key);
  if (!at) return false;
  at = SketchDigits::read(at, false, decimals, value);
  return at && (*at == ',' || *at == '}');
}

bool SketchObject::flag(const __FlashStringHelper *key, bool &value) const {
  const char *at = find(key);
  if (!at || (*at != 't' && *at != 'f')) return false;
  value = *at == 't';
  return true;
}

bool SketchObject::readText(const char *json, char *out, uint8_t size) {
  const char *end = copyText(json, out, size);
  return end && *end == 0;
}
