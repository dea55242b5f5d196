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

static uint32_t turned(uint32_t word, uint8_t by) { return word >> by | word << (32 - by); }

// The schedule is kept as a ring of sixteen words in the block itself.
uint32_t SketchSha256::wordAt(uint8_t at) const {
  const uint8_t *bytes = block_ + (at & 15) * 4;
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

void SketchSha256::putWord(uint8_t at, uint32_t word) {
  uint8_t *bytes = block_ + (at & 15) * 4;
  for (uint8_t byte = 0; byte < 4; byte++) bytes[byte] = (uint8_t)(word >> (24 - byte * 8));
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
      const uint32_t early = wordAt(round - 15), late = wordAt(round - 2);
      putWord(round, wordAt(round) + wordAt(round - 7) + (turned(early, 7) ^ turned(early, 18) ^ early >> 3) +
                     (turned(late, 17) ^ turned(late, 19) ^ late >> 10));
    }
    const uint32_t first = v[7] + (turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)) +
                           ((v[4] & v[5]) ^ (~v[4] & v[6])) + pgm_read_dword(rounds + round) + wordAt(round);
    const uint32_t second = (turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)) +
                            ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
    for (uint8_t at = 7; at; at--) v[at] = v[at - 1];
    v[4] += first;
    v[0] = first + second;
  }
  for (uint8_t at = 0; at < 8; at++) state_[at] += v[at];
}
