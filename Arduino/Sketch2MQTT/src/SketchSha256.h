#pragma once

#include <stddef.h>
#include <stdint.h>

/// SHA-256 (FIPS 180-4), small enough for an UNO: 100 bytes of RAM while it is worked out.
class SketchSha256 {
public:
  static const uint8_t length = 32;

  void begin();
  void add(uint8_t byte) {
    block_[size_++ & 63] = byte;
    if ((size_ & 63) == 0) compress();
  }
  void add(const uint8_t *bytes, size_t count) {
    while (count--) add(*bytes++);
  }
  /// @param hash  Takes 32 bytes.
  void end(uint8_t *hash);

private:
  uint32_t wordAt(uint8_t at) const;
  void putWord(uint8_t at, uint32_t word);
  void compress();

  uint32_t state_[8];
  uint8_t block_[64];
  uint32_t size_;
};
