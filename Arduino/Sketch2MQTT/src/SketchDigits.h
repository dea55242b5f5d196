#pragma once

#include <stdint.h>

/// Numbers as text. A decimal number is kept as the whole number of its last place: 21.5 with two decimals is
/// 2150. No floating point.
///
/// A number has nine digits at most, its decimals included.
namespace SketchDigits {

const int32_t largest = 999999999;

/// Appends a number without needless zeros, at most 11 characters; returns the end.
char *write(char *out, uint32_t magnitude, uint8_t decimals = 0);

/// Reads a number: digits, after a `-` if negative, before a `.` and digits if a fraction.
/// @param text  In RAM, or in flash.
/// @param decimals  That many are taken; further ones must be 0.
/// @return  Behind the number; null for what is none or has too many digits.
const char *read(const char *text, bool isInFlash, uint8_t decimals, int32_t &value);

/// Reads a whole number of one or two digits.
/// @return  Behind the number; null for what is none.
const char *readSmall(const char *text, uint8_t &value);

/// 10 to the power of `decimals`.
int32_t scale(uint8_t decimals);

/// The value of a lower-case hexadecimal digit; 255 for what is none.
uint8_t hexValue(char digit);
char hexDigit(uint8_t value);

} // namespace SketchDigits
