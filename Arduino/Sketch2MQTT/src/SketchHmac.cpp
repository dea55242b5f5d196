#include "SketchHmac.h"

#include <string.h>

void SketchHmac::begin(const uint8_t *key, size_t count) {
  memset(key_, 0, sizeof key_);
  hash_.begin();
  if (count > sizeof key_) {
    hash_.add(key, count);
    hash_.end(key_);
    hash_.begin();
  } else {
    memcpy(key_, key, count);
  }
  addKey(0x36);
}

void SketchHmac::addKey(uint8_t pad) {
  for (uint8_t byte : key_) hash_.add(byte ^ pad);
}

void SketchHmac::end(uint8_t *tag) {
  hash_.end(tag);
  hash_.begin();
  addKey(0x5C);
  hash_.add(tag, length);
  hash_.end(tag);
}

bool SketchHmac::isEqual(const uint8_t *left, const uint8_t *right) {
  uint8_t difference = 0;
  for (uint8_t at = 0; at < length; at++) difference |= left[at] ^ right[at];
  return difference == 0;
}
