// A bus with one chip of eight registers; address 0x68.
#pragma once

#include <Arduino.h>

struct WireBus {
  uint8_t registers[8];
  bool isThere = true;
  int reads = 0;

  void begin() {}
  void beginTransmission(uint8_t address) { isAddressed_ = isThere && address == 0x68; }
  size_t write(uint8_t at) {
    at_ = at;
    return 1;
  }
  uint8_t endTransmission() { return isAddressed_ ? 0 : 2; }
  uint8_t requestFrom(uint8_t address, uint8_t count) {
    reads++;
    return isThere && address == 0x68 ? count : 0;
  }
  int read() { return registers[at_++ & 7]; }

private:
  uint8_t at_ = 0;
  bool isAddressed_ = false;
};
extern WireBus Wire;
