// What the library uses of an Arduino core, for tests on the host. Time stands still until a test moves it.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PROGMEM
#define pgm_read_byte(address) (*(const uint8_t *)(address))

class __FlashStringHelper;
#define F(literal) ((const __FlashStringHelper *)(literal))

unsigned long millis();

class Print {
public:
  virtual ~Print() {}
  virtual size_t write(uint8_t byte) = 0;
  virtual size_t write(const uint8_t *bytes, size_t count) {
    size_t written = 0;
    while (written < count && write(bytes[written])) written++;
    return written;
  }
};

class Stream : public Print {
public:
  virtual int available() = 0;
  virtual int read() = 0;
  virtual int peek() = 0;
};
