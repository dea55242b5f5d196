#pragma once

#include <EEPROM.h>

#include "SketchBoard.h"
#include "SketchChecksum.h"
#include "SketchDigits.h"

// How many cells an ESP8266 or ESP32 keeps in its flash, the same for all who use them: a smaller number would forget what
// lies behind it.
const int sketchCells = 512;

/// Keeps a board's identity in the EEPROM, so that the same sketch on two boards makes two devices.
///
///     #include <SketchStoredIdentity.h>
///     void setup() { Serial.begin(115200); SketchStoredIdentity<0>::use(board); board.begin(Serial); }
///
/// The first bridge that meets a board without an identity gives it one. Six bytes from `address` on are in
/// use.
template <int address>
class SketchStoredIdentity {
public:
  /// Before begin().
  static void use(SketchBoard &board) {
#if defined(ESP8266) || defined(ESP32)
    EEPROM.begin(sketchCells);
#endif
    Cell cell;
    EEPROM.get(address, cell);
    board.identify(cell.sum == sumOf(cell.identity) ? cell.identity : 0, keep);
  }

private:
  struct Cell {
    uint32_t identity;
    uint16_t sum;
  };

  static uint16_t sumOf(uint32_t identity) {
    uint16_t sum = SketchChecksum::lineStart;
    for (uint8_t byte = 0; byte < 4; byte++)
      sum = SketchChecksum::line(sum, (uint8_t)(identity >> (8 * byte)));
    return sum;
  }

  static uint32_t keep(const char *digits) {
    uint32_t identity = 0;
    for (uint8_t left = 8; left; left--) {
      const uint8_t digit = SketchDigits::hexValue(*digits++);
      if (digit > 15) return 0;
      identity = identity << 4 | digit;
    }
    if (*digits) return 0;
    const Cell cell = {identity, sumOf(identity)};
    EEPROM.put(address, cell);
#if defined(ESP8266) || defined(ESP32)
    EEPROM.commit();
#endif
    return identity;
  }
};
