// What the library uses of an Arduino core, for tests on the host. Time stands still until a test moves it.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PROGMEM
#define pgm_read_byte(address) (*(const uint8_t *)(address))
#define pgm_read_word(address) (*(const uint16_t *)(address))

#define pgm_read_dword(address) (*(const uint32_t *)(address))
#define memcpy_P memcpy

class __FlashStringHelper;
#define F(literal) ((const __FlashStringHelper *)(literal))

unsigned long millis();
inline unsigned long micros() { return millis() * 1000; }
void delayMicroseconds(unsigned int microseconds);

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
  virtual void flush() {}
};

#define LOW 0
#define HIGH 1
#define INPUT 0
#define OUTPUT 1
#define INPUT_PULLUP 2
#define A0 14
#define A1 15
#define A3 17
#define A5 19

void pinMode(uint8_t pin, uint8_t mode);
int digitalRead(uint8_t pin);
void digitalWrite(uint8_t pin, uint8_t level);
int analogRead(uint8_t pin);
void analogWrite(uint8_t pin, int value);
inline char *itoa(int value, char *text, int) {
  sprintf(text, "%d", value);
  return text;
}

/// The serial port is the bench's wire.
class HardwareSerial : public Stream {
public:
  void begin(unsigned long) {}
  int available() override;
  int read() override;
  int peek() override;
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t *bytes, size_t count) override;
};
extern HardwareSerial Serial;
