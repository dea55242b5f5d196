#include "SketchSha256.h"

#include <Arduino.h>

void SketchSha256::begin() {
  static const uint32_t first[8] PROGMEM = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (uint8_t at = 0; at < 8; at++) state_[at] = pgm_read_dword(first + at);
  size_ = 0;
}

void SketchSha256::end(uint8_t *hash) {
  const uint32_t bytes = size_;
  add(0x80);
  while ((size_ & 63) != 56) add(0);
  // The length is told in bits, of which 35 are enough.
  for (uint8_t at = 0; at < 3; at++) add(0);
  add((uint8_t)(bytes >> 29));
  for (int8_t shift = 21; shift > 0; shift = (int8_t)(shift - 8)) add((uint8_t)(bytes >> shift));
  add((uint8_t)(bytes << 3));
  for (uint8_t at = 0; at < length; at++) hash[at] = (uint8_t)(state_[at / 4] >> (24 - at % 4 * 8));
}

// An AVR shifts by one bit at a time, and moves whole bytes at once: to the right by so many bytes, then by so many
// bits, to the left if negative.
static uint32_t turned(uint32_t word, uint8_t bytes, int8_t bits) {
  while (bytes--) word = word >> 8 | word << 24;
  for (; bits > 0; bits--) {
    const bool isCarried = word & 1;
    word >>= 1;
    if (isCarried) word |= 0x80000000;
  }
  for (; bits < 0; bits++) {
    const bool isCarried = word & 0x80000000;
    word <<= 1;
    if (isCarried) word |= 1;
  }
  return word;
}

// The four sums of the standard, each of its turns made of the one before.
static uint32_t upperSum0(uint32_t word) { // by 2, 13 and 22
  return turned(word ^ turned(word ^ turned(word, 1, 1), 1, 3), 0, 2);
}
static uint32_t upperSum1(uint32_t word) { // by 6, 11 and 25
  return turned(word ^ turned(word ^ turned(word, 2, -2), 1, -3), 1, -2);
}
static uint32_t lowerSum0(uint32_t word) { // by 7 and 18, and 3 shifted out
  return turned(word ^ turned(word, 1, 3), 1, -1) ^ word >> 3;
}
static uint32_t lowerSum1(uint32_t word) { // by 17 and 19, and 10 shifted out
  return turned(word ^ turned(word, 0, 2), 2, 1) ^ word >> 10;
}

void SketchSha256::compress() {
  static const uint32_t rounds[64] PROGMEM = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  uint32_t v[8];
  for (uint8_t at = 0; at < 8; at++) v[at] = state_[at];
  for (uint8_t round = 0; round < 64; round++) {
    if (round >= 16) {
      wordAt(round) += wordAt(round - 7) + lowerSum0(wordAt(round - 15)) + lowerSum1(wordAt(round - 2));
    }
    const uint32_t first = v[7] + upperSum1(v[4]) + ((v[4] & v[5]) ^ (~v[4] & v[6])) +
                           pgm_read_dword(rounds + round) + wordAt(round);
    const uint32_t second = upperSum0(v[0]) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    for (uint8_t at = 7; at; at--) v[at] = v[at - 1];
    v[4] += first;
    v[0] = first + second;
  }
  for (uint8_t at = 0; at < 8; at++) state_[at] += v[at];
}
