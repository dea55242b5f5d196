// A stand-in for SD: a card with room for one file, which lies in the EEPROM from cell 512 on.
#pragma once

#include <Arduino.h>
#include <EEPROM.h>

#define FILE_READ 1
#define FILE_WRITE 2

class File {
public:
  File(bool isThere = false, int at = 0) : at_(at), isThere_(isThere) {}
  operator bool() const { return isThere_; }
  size_t write(const uint8_t *bytes, size_t count) {
    for (size_t each = 0; each < count; each++) EEPROM.update(first + at_++, bytes[each]);
    EEPROM.update(lengthAt, (uint8_t)at_);
    EEPROM.update(lengthAt + 1, (uint8_t)(at_ >> 8));
    return count;
  }
  int read(void *bytes, uint16_t count) {
    int taken = 0;
    while (taken < (int)count && at_ < length()) ((uint8_t *)bytes)[taken++] = EEPROM.read(first + at_++);
    return taken;
  }
  void close() { isThere_ = false; }

  static int length() {
    const int length = EEPROM.read(lengthAt) | EEPROM.read(lengthAt + 1) << 8;
    return length > 510 ? 0 : length;
  }

private:
  friend class SDClass;
  static const int lengthAt = 512, first = 514;
  int at_;
  bool isThere_;
};

class SDClass {
public:
  bool begin(uint8_t) { return true; }
  bool remove(char *) {
    EEPROM.update(File::lengthAt, 0);
    EEPROM.update(File::lengthAt + 1, 0);
    return true;
  }
  File open(const char *, uint8_t mode = FILE_READ) {
    return File(mode == FILE_WRITE || File::length() > 0, mode == FILE_WRITE ? File::length() : 0);
  }
};
static SDClass SD __attribute__((unused));
