#pragma once

#include <stdint.h>

/// The two checksums of the line form.
namespace SketchChecksum {

/// Guards a line: CRC-16/IBM-3740 (polynomial 0x1021, start 0xFFFF, not reflected). "123456789" gives 0x29B1.
const uint16_t lineStart = 0xFFFF;
uint16_t line(uint16_t sum, uint8_t byte) __attribute__((noinline));

/// Stands for a whole description: CRC-32 as in Ethernet and zlib. The result is the complement of the last
/// sum. "123456789" gives 0xCBF43926.
const uint32_t tokenStart = 0xFFFFFFFF;
uint32_t token(uint32_t sum, uint8_t byte);

} // namespace SketchChecksum
