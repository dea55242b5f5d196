// An EEPROM that survives the ends of the processes which share it.
#pragma once

#include <stdint.h>
#include <string.h>

struct EEPROMClass {
  uint8_t *cells;
  // After so many changes of a cell the power is gone; negative: it stays.
  int writesLeft = -1;

  uint8_t read(int address) { return cells[address]; }
  void update(int address, uint8_t value) {
    if (cells[address] == value || writesLeft == 0) return;
    if (writesLeft > 0) writesLeft--;
    cells[address] = value;
  }

  template <class T>
  T &get(int address, T &value) {
    memcpy(&value, cells + address, sizeof value);
    return value;
  }
  template <class T>
  const T &put(int address, const T &value) {
    for (int at = 0; at < (int)sizeof value; at++) update(address + at, ((const uint8_t *)&value)[at]);
    return value;
  }
};
extern EEPROMClass EEPROM;
