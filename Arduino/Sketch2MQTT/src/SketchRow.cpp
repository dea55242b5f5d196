#include "SketchRow.h"

#include "SketchDigits.h"

void SketchRow::put(char byte) {
  if (!out_) return;
  if (byte == '~' || byte == '\\' || byte == 0x7F) escapes_ += 2;
  if (out_ == last_ || (out_ - begin_) + escapes_ >= longest) {
    out_ = nullptr;
  } else {
    *out_++ = byte;
  }
}

void SketchRow::beginMember(const __FlashStringHelper *key) {
  put(out_ == begin_ ? '{' : ',');
  put('"');
  const char *letter = (const char *)key;
  for (char byte; (byte = (char)pgm_read_byte(letter)) != 0; letter++) put(byte);
  put('"');
  put(':');
}

void SketchRow::text(const __FlashStringHelper *key, const char *value) {
  beginMember(key);
  put('"');
  for (char byte; (byte = *value) != 0; value++) {
    if ((uint8_t)byte < 0x20) {
      put('\\');
      put('u');
      put('0');
      put('0');
      put(SketchDigits::hexDigit((uint8_t)byte >> 4));
      byte = SketchDigits::hexDigit((uint8_t)byte & 15);
    } else if (byte == '"' || byte == '\\') {
      put('\\');
    }
    put(byte);
  }
  put('"');
}

void SketchRow::number(const __FlashStringHelper *key, int32_t value) {
  beginMember(key);
  if (value < 0) put('-');
  char digits[12];
  *SketchDigits::write(digits, value < 0 ? 0 - (uint32_t)value : (uint32_t)value) = 0;
  for (const char *digit = digits; *digit; digit++) put(*digit);
}

void SketchRow::flag(const __FlashStringHelper *key, bool value) {
  beginMember(key);
  for (const char *letter = value ? "true" : "false"; *letter; letter++) put(*letter);
}

void SketchRow::end() {
  if (out_ == begin_) {
    out_ = nullptr;
  } else {
    put('}');
  }
  if (out_) {
    *out_ = 0;
  } else {
    memcpy(begin_, "null", 5);
  }
}
