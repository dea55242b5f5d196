#pragma once

#include <EEPROM.h>

#include "SketchChecksum.h"
#include "SketchStoredIdentity.h"

/// Counts how often a board was started, in the EEPROM: the same number never comes twice.
///
/// Twelve bytes from `address` on are in use, as two cells that are written in turn. Should the power go while one
/// is written, the other has the number before, and the one that was not finished was never used.
template <int address>
class SketchStarts {
public:
  /// To be called once, in setup(). 1 on a board that was never started.
  static uint32_t next() {
#if defined(ESP8266) || defined(ESP32)
    EEPROM.begin(sketchCells);
#endif
    uint32_t last = 0;
    uint8_t place = 0;
    for (uint8_t at = 0; at < 2; at++) {
      Cell cell;
      EEPROM.get(address + at * (int)sizeof cell, cell);
      if (cell.check != checkOf(cell.count) || cell.count <= last) continue;
      last = cell.count;
      place = at ^ 1;
    }
    const Cell cell = {last + 1, checkOf(last + 1)};
    EEPROM.put(address + place * (int)sizeof cell, cell);
#if defined(ESP8266) || defined(ESP32)
    EEPROM.commit();
#endif
    return cell.count;
  }

private:
  struct __attribute__((packed)) Cell {
    uint32_t count;
    uint16_t check;
  };

  // Never right in cells that were erased or zeroed.
  static uint16_t checkOf(uint32_t count) {
    uint16_t sum = SketchChecksum::lineStart;
    for (uint8_t byte = 0; byte < 4; byte++) sum = SketchChecksum::line(sum, (uint8_t)(count >> (8 * byte)));
    return sum;
  }
};
