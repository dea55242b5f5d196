// A bus with one chip of eight registers, of whose addresses only the last three bits count.
#pragma once

#include <Arduino.h>

struct WireBus {
  uint8_t registers[8];
  uint8_t address = 0x68;
  bool isThere = true;
  int reads = 0;

  void begin() {}
  void beginTransmission(uint8_t to) { isAddressed_ = isThere && to == address; }
  size_t write(uint8_t at) {
    at_ = at;
    return 1;
  }
  uint8_t endTransmission() { return isAddressed_ ? 0 : 2; }
  uint8_t requestFrom(uint8_t from, uint8_t count) {
    reads++;
    return isThere && from == address ? count : 0;
  }
  int read() { return registers[at_++ & 7]; }

private:
  uint8_t at_ = 0;
  bool isAddressed_ = false;
};
extern WireBus Wire;
