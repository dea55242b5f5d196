#pragma once

#include "SketchSha256.h"

/// HMAC-SHA-256 (RFC 2104): the tag of a message that only who has the key can make.
class SketchHmac {
public:
  static const uint8_t length = SketchSha256::length;

  /// @param key  Of any length; one of more than 64 bytes is cut down to its hash first.
  void begin(const uint8_t *key, size_t count);
  void add(uint8_t byte) { hash_.add(byte); }
  void add(const uint8_t *bytes, size_t count) { hash_.add(bytes, count); }
  /// @param tag  Takes 32 bytes.
  void end(uint8_t *tag);

  /// Takes as long for a wrong tag as for a right one.
  static bool isEqual(const uint8_t *left, const uint8_t *right);

private:
  void addKey(uint8_t pad);

  SketchSha256 hash_;
  uint8_t key_[64];
};
