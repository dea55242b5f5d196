#pragma once

#include "SketchEntity.h"

/// SKETCH_TEXT(message, 20, "Message on the display"); of at most 20 bytes of UTF-8.
///
/// A command must fit the board's incoming line: bytes + 10, and two more for each byte that is escaped.
#define SKETCH_TEXT(key, bytes, ...) \
  static_assert(bytes >= 1 && bytes <= 200, "1 to 200 bytes"); \
  static char key##Text[bytes + 1]; \
  SKETCH_DESCRIPTION(key, "x" #key "|", __VA_ARGS__, "|l" #bytes) \
  SKETCH_KEY(key); \
  SketchText key(key##Description, key##Text)

/// A text that can be set from outside.
class SketchText : public SketchEntity {
public:
  SketchText(const char *description, char *buffer) : SketchEntity(description, buffer) {}

  /// Copies the text; what is too long is cut.
  void set(const char *value) { storeText(value, false); }
  void set(const __FlashStringHelper *value) { storeText((const char *)value, true); }
  const char *value() const { return text(); }

  /// Asked before a text from outside is taken; false refuses it.
  void onCommand(bool (*handler)(const char *value)) { handleBy((Handler)handler); }
};
