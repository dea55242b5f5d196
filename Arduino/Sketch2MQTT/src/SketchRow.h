#pragma once

#include <Arduino.h>

/// Writes a row of a table: a flat JSON object. What does not fit makes the row empty.
class SketchRow {
public:
  /// @param buffer  Room for `bytes` and a NUL.
  SketchRow(char *buffer, uint8_t bytes) : begin_(buffer), out_(buffer), last_(buffer + bytes), escapes_(0) {}

  void text(const __FlashStringHelper *key, const char *value);
  /// @param value  Of at most nine digits.
  void number(const __FlashStringHelper *key, int32_t value);
  void flag(const __FlashStringHelper *key, bool value);

private:
  /// Bytes of a row as it is sent.
  static const uint8_t longest = 240;

  friend class SketchTable;

  /// Closes the object, or leaves `null`.
  void end();
  void beginMember(const __FlashStringHelper *key);
  void put(char byte);

  char *const begin_;
  // Null once something did not fit.
  char *out_;
  char *const last_;
  // What escapes add on the wire, where a line is bounded.
  uint16_t escapes_;
};
