#include "SketchChecksum.h"

namespace SketchChecksum {

uint16_t line(uint16_t sum, uint8_t byte) {
  sum = (uint16_t)((sum >> 8) | (sum << 8));
  sum ^= byte;
  sum ^= (uint8_t)(sum & 0xFF) >> 4;
  sum ^= (uint16_t)(sum << 12);
  sum ^= (uint16_t)((sum & 0xFF) << 5);
  return sum;
}

uint32_t token(uint32_t sum, uint8_t byte) {
  sum ^= byte;
  for (uint8_t bit = 0; bit < 8; bit++) sum = (sum & 1) ? (sum >> 1) ^ 0xEDB88320UL : sum >> 1;
  return sum;
}

} // namespace SketchChecksum
