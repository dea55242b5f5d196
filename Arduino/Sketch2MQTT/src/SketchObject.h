#pragma once

#include <Arduino.h>

/// Reads a flat JSON object: members that are texts, numbers, `true`, `false` or `null`. In place, in RAM.
class SketchObject {
public:
  explicit SketchObject(const char *json) : json_(json) {}

  /// Whether it is a flat object, without spaces, and nothing else.
  bool isWhole() const;

  bool has(const __FlashStringHelper *key) const { return find(key) != nullptr; }

  /// Copies a text.
  /// @param size  The room, with the NUL.
  /// @return  False if there is no such text, or it is too long.
  bool text(const __FlashStringHelper *key, char *out, uint8_t size) const;

  /// @param decimals  The value is in units of the last of them.
  /// @return  False if there is no such number, or it has more than nine digits.
  bool number(const __FlashStringHelper *key, int32_t &value, uint8_t decimals = 0) const;

  /// @return  False if it is neither `true` nor `false`.
  bool flag(const __FlashStringHelper *key, bool &value) const;

  /// Reads a JSON text with its quotes and nothing behind. `out` may be where it lies.
  static bool readText(const char *json, char *out, uint8_t size);

private:
  const char *find(const __FlashStringHelper *key) const;

  const char *const json_;
};
