#include "SketchDigits.h"

#include <Arduino.h>

namespace SketchDigits {

int32_t scale(uint8_t decimals) {
  int32_t result = 1;
  while (decimals--) result *= 10;
  return result;
}

char *write(char *out, uint32_t magnitude, uint8_t decimals) {
  // From the last place on: zeros behind the point are left out, and the point where nothing stands behind
  // it.
  char *end = out;
  bool isKept = false;
  do {
    const uint8_t digit = magnitude % 10;
    magnitude /= 10;
    if (!decimals) {
      if (isKept) *end++ = '.';
      isKept = true;
    }
    decimals--;
    if (digit) isKept = true;
    if (isKept) *end++ = (char)('0' + digit);
  } while (magnitude || (int8_t)decimals >= 0);
  for (char *last = end; out < --last; out++) {
    const char byte = *out;
    *out = *last;
    *last = byte;
  }
  return end;
}

const char *read(const char *text, bool isInFlash, uint8_t decimals, int32_t &value) {
  int32_t number = 0;
  uint8_t digits = 0;
  bool isNegative = false, isFraction = false, isDigitDue = true;
  for (;; text++) {
    const char byte = isInFlash ? (char)pgm_read_byte(text) : *text;
    const uint8_t digit = (uint8_t)(byte - '0');
    if (digit <= 9) {
      isDigitDue = false;
      if (isFraction && !decimals) {
        if (digit) return nullptr;
        continue;
      }
      if (isFraction) decimals--;
      if (++digits > 9) return nullptr;
      number = number * 10 + digit;
    } else if (byte == '-' && !digits && !isNegative) {
      isNegative = true;
    } else if (byte == '.' && !isDigitDue && !isFraction) {
      isFraction = isDigitDue = true;
    } else {
      break;
    }
  }
  if (isDigitDue || digits + decimals > 9) return nullptr;
  while (decimals--) number *= 10;
  value = isNegative ? -number : number;
  return text;
}

const char *readSmall(const char *text, uint8_t &value) {
  const uint8_t first = (uint8_t)(*text++ - '0');
  if (first > 9) return nullptr;
  value = first;
  const uint8_t second = (uint8_t)(*text - '0');
  if (second > 9) return text;
  value = (uint8_t)(first * 10 + second);
  return text + 1;
}

uint8_t hexValue(char digit) {
  if (digit >= '0' && digit <= '9') return (uint8_t)(digit - '0');
  if (digit >= 'a' && digit <= 'f') return (uint8_t)(digit - 'a' + 10);
  return 255;
}

char hexDigit(uint8_t value) { return (char)(value < 10 ? '0' + value : 'a' - 10 + value); }

} // namespace SketchDigits
