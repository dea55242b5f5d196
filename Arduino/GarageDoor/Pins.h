// The PINs in the EEPROM: slots of six bytes, a flag and five characters. Slot 0 is the master's.
#pragma once

#include <Arduino.h>
#include <EEPROM.h>

namespace Pins {

const uint8_t length = 5, slotLength = 6, count = 20;
const uint8_t used = 1;

// Checks made while compiling.

constexpr bool isGiven(const char *text) { return *text != 0; }
constexpr bool isPin(const char *text, uint8_t left = length) {
  return left == 0 ? *text == 0 : *text >= 0x20 && *text <= 0x7E && isPin(text + 1, left - 1);
}
constexpr bool isSame(const char *left, const char *right) {
  return *left == *right && (*left == 0 || isSame(left + 1, right + 1));
}
/// Whether each character is as much more than the one before: 00000, 12345, 97531.
constexpr bool isCounting(const char *pin, uint8_t at = 2) {
  return at >= length || (pin[at] - pin[at - 1] == pin[1] - pin[0] && isCounting(pin, at + 1));
}
/// None that is counted, and none of those that stand in the documentation.
constexpr bool isUnguessed(const char *pin) {
  return !isCounting(pin) && !isSame(pin, "48151") && !isSame(pin, "04711") && !isSame(pin, "90909") &&
         !isSame(pin, "62342") && !isSame(pin, "05513") && !isSame(pin, "93127");
}

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
