// The PINs in the EEPROM: slots of six bytes, a flag and five characters. Slot 0 is the master's.
#pragma once

#include <Arduino.h>
#include <EEPROM.h>

namespace Pins {

const uint8_t length = 5, slotLength = 6, count = 20;
const uint8_t used = 1;

inline int address(uint8_t slot) { return slot * slotLength; }
inline bool isUsed(uint8_t slot) { return EEPROM.read(address(slot)) == used; }

inline void read(uint8_t slot, uint8_t *pin) {
  for (uint8_t at = 0; at < length; at++) pin[at] = EEPROM.read(address(slot) + 1 + at);
}

inline bool holds(uint8_t slot, const uint8_t *pin) {
  uint8_t at = 0;
  if (!isUsed(slot)) return false;
  while (at < length && EEPROM.read(address(slot) + 1 + at) == pin[at]) at++;
  return at == length;
}

inline void clear(uint8_t slot) { EEPROM.update(address(slot), 0); }

/// Should the power go half-way, the slot holds no PIN rather than one that nobody chose.
inline void write(uint8_t slot, const uint8_t *pin) {
  if (holds(slot, pin)) return;
  clear(slot);
  for (uint8_t at = 0; at < length; at++) EEPROM.update(address(slot) + 1 + at, pin[at]);
  EEPROM.update(address(slot), used);
}

/// The slot that holds a PIN, or `count`.
inline uint8_t find(const uint8_t *pin) {
  uint8_t slot = 0;
  while (slot < count && !holds(slot, pin)) slot++;
  return slot;
}

inline bool add(const uint8_t *pin) {
  for (uint8_t slot = 1; slot < count; slot++) {
    if (isUsed(slot)) continue;
    write(slot, pin);
    return true;
  }
  return false;
}

} // namespace Pins
