#pragma once

#include <stddef.h>
#include <stdint.h>

/// SHA-256 (FIPS 180-4), small enough for an UNO: 100 bytes of RAM while it is worked out.
class SketchSha256 {
public:
  static const uint8_t length = 32;

  void begin();
  void add(uint8_t byte) {
    ((uint8_t *)block_)[(size_++ & 63) ^ 3] = byte;
    if ((size_ & 63) == 0) compress();
  }
  void add(const uint8_t *bytes, size_t count) {
    while (count--) add(*bytes++);
  }
  /// @param hash  Takes 32 bytes.
  void end(uint8_t *hash);

private:
  // The schedule is a ring of sixteen words in place of the block.
  uint32_t &wordAt(uint8_t at) { return block_[at & 15]; }
  void compress();

  uint32_t state_[8];
  uint32_t block_[16];
  uint32_t size_;
};

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the bytes of a word are put in by their place from its end");
