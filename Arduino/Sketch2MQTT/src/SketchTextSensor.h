#pragma once

#include "SketchEntity.h"

/// SKETCH_TEXT_SENSOR(phase, 12, "Washing phase"); of at most 12 bytes of UTF-8.
#define SKETCH_TEXT_SENSOR(key, bytes, ...) \
  static_assert(bytes >= 1 && bytes <= 200, "1 to 200 bytes"); \
  static char key##Text[bytes + 1]; \
  SKETCH_DESCRIPTION(key, "t" #key "|", __VA_ARGS__, "|l" #bytes) \
  SKETCH_KEY(key); \
  SketchTextSensor key(key##Description, key##Text)

/// A text that is only read. Sent when it has changed, four times a second at most.
class SketchTextSensor : public SketchEntity {
public:
  SketchTextSensor(const char *description, char *buffer) : SketchEntity(description, buffer) {}

  /// Copies the text; what is too long is cut.
  void set(const char *value) { storeText(value, false); }
  void set(const __FlashStringHelper *value) { storeText((const char *)value, true); }
  const char *value() const { return text(); }
};
