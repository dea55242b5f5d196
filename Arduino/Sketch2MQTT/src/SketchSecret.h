#pragma once

#include <Arduino.h>

/// Declares a key of 32 bytes in flash: SKETCH_SECRET(key, "64 hexadecimal digits");
///
/// Each board has one of its own, which `openssl rand -hex 32` makes, and its bridge has the same digits. One that is
/// missing, an example's or made up does not compile.
#define SKETCH_SECRET(name, digits) \
  static_assert(SketchSecret::isGiven(digits), \
                "a key is missing: put in 64 hexadecimal digits of your own, made by openssl rand -hex 32"); \
  static_assert(!SketchSecret::isGiven(digits) || SketchSecret::isKey(digits), \
                "a key is 64 hexadecimal digits, made by openssl rand -hex 32"); \
  static_assert(!SketchSecret::isKey(digits) || SketchSecret::isUnguessed(digits), \
                "this key is an example, or can be guessed: make one by openssl rand -hex 32"); \
  static constexpr uint8_t name[SketchSecret::length] PROGMEM = { \
      SKETCH_SECRET_8(digits, 0), SKETCH_SECRET_8(digits, 8), SKETCH_SECRET_8(digits, 16), \
      SKETCH_SECRET_8(digits, 24)}

#define SKETCH_SECRET_8(digits, at) \
  SketchSecret::byte(digits, at), SketchSecret::byte(digits, at + 1), SketchSecret::byte(digits, at + 2), \
      SketchSecret::byte(digits, at + 3), SketchSecret::byte(digits, at + 4), \
      SketchSecret::byte(digits, at + 5), SketchSecret::byte(digits, at + 6), SketchSecret::byte(digits, at + 7)

/// Checks made while compiling.
namespace SketchSecret {

constexpr uint8_t length = 32;

constexpr bool isGiven(const char *digits) { return *digits != 0; }

/// 255 for what is no digit.
constexpr uint8_t digit(char byte) {
  return byte >= '0' && byte <= '9'   ? (uint8_t)(byte - '0')
         : byte >= 'a' && byte <= 'f' ? (uint8_t)(byte - 'a' + 10)
         : byte >= 'A' && byte <= 'F' ? (uint8_t)(byte - 'A' + 10)
                                      : 255;
}
constexpr bool areDigits(const char *digits, uint8_t left) {
  return left == 0 ? *digits == 0 : digit(*digits) != 255 && areDigits(digits + 1, left - 1);
}
constexpr bool isKey(const char *digits) { return areDigits(digits, 2 * length); }

/// 0 behind the end of what is too short.
constexpr uint8_t byte(const char *digits, uint8_t at) {
  return *digits == 0 || digits[1] == 0 ? 0
         : at                           ? byte(digits + 2, at - 1)
                                        : (uint8_t)(digit(digits[0]) << 4 | (digit(digits[1]) & 15));
}

constexpr bool isBefore(const char *digits, uint8_t at, uint8_t end) {
  return end > 0 && (byte(digits, end - 1) == byte(digits, at) || isBefore(digits, at, end - 1));
}
/// How many of the first bytes are not there before.
constexpr uint8_t different(const char *digits, uint8_t count) {
  return count == 0 ? 0 : different(digits, count - 1) + (isBefore(digits, count - 1, count - 1) ? 0 : 1);
}
/// Whether each byte is as much more than the one before.
constexpr bool isCounting(const char *digits, uint8_t at = 2) {
  return at == length ||
         ((uint8_t)(byte(digits, at) - byte(digits, at - 1)) == (uint8_t)(byte(digits, 1) - byte(digits, 0)) &&
          isCounting(digits, at + 1));
}
/// Of 32 bytes by chance 30 differ, and never as few as 20; of what is counted or repeated all do, or few.
constexpr bool isUnguessed(const char *digits) { return !isCounting(digits) && different(digits, length) > 20; }

} // namespace SketchSecret
