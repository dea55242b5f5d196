// A code that is not known beforehand: sent by a bridge to be played, or seen by the receiver to be told.
//
// It is kept as the few durations that it is made of and four bits for each timing, and goes over the link so too, in
// texts of one or more parts, parted by `;`:
//
//     b67,38000                begins a code: how many timings, the carrier in Hz; 0 for one that is not known
//     d562,1687,4500,9000      durations in microseconds, 16 in all
//     t00032000…               timings from the place 000 on, hexadecimal; each digit is the place of its duration
#pragma once

#include <SketchDigits.h>

class Signal {
public:
  static const uint16_t most = 512;
  static const uint8_t mostDurations = 16;
  static const uint32_t longest = 1600000; // microseconds in all

  // Whether the last timing has come.
  bool isWhole() const { return count_ && length_ == count_; }
  uint16_t length() const { return length_; }
  uint16_t hertz() const { return hertz_; }
  uint32_t timing(uint16_t place) const { return durations_[digit(place)] * 2UL; }

  void clear() { count_ = length_ = hertz_ = durationCount_ = 0; }

  // Takes a text of parts. False when it is wrong, or the code would be too long; all of it is forgotten then.
  bool take(const char *text) {
    do {
      text = takePart(text);
    } while (text && *text++ == ';');
    if (text && (!isWhole() || isShort())) return true;
    clear();
    return false;
  }

  // Takes a timing as it was measured. False when there is no room for it.
  bool add(uint32_t microseconds) {
    uint8_t place = 0;
    while (place < durationCount_ && !isAbout(microseconds, durations_[place] * 2UL)) place++;
    if (place == durationCount_ && !addDuration(microseconds)) return false;
    return addDigit(place);
  }

  // The code is as long as it is by now.
  void end() { count_ = length_; }

  // How much of a code has been told.
  struct Told {
    uint8_t durations;
    uint16_t timings;
  };
  static const uint8_t mostTold = 120;

  // Writes what is to be told next, of at most `mostTold` bytes and a zero. False when all is told.
  bool tell(Told &told, char *out) const {
    if (told.timings >= length_) return false;
    const char *const end = out + mostTold;
    bool isFirst = true;
    if (!told.durations) {
      *out++ = 'b';
      out = SketchDigits::write(out, length_);
      *out++ = ',';
      out = SketchDigits::write(out, hertz_);
      isFirst = false;
    }
    char mark = 'd';
    while (told.durations < durationCount_ && end - out >= 8) {
      if (mark == 'd' && !isFirst) *out++ = ';';
      *out++ = mark;
      out = SketchDigits::write(out, durations_[told.durations++] * 2UL);
      mark = ',';
      isFirst = false;
    }
    if (told.durations == durationCount_ && end - out >= 6) {
      if (!isFirst) *out++ = ';';
      *out++ = 't';
      for (int8_t shift = 8; shift >= 0; shift = (int8_t)(shift - 4)) {
        *out++ = SketchDigits::hexDigit((told.timings >> shift) & 15);
      }
      while (told.timings < length_ && out < end) *out++ = SketchDigits::hexDigit(digit(told.timings++));
    }
    *out = 0;
    return true;
  }

private:
  // Returns what stands behind the part; null for a wrong one.
  const char *takePart(const char *text) {
    switch (*text++) {
      case 'b': return takeBegin(text);
      case 'd': return takeDurations(text);
      case 't': return takeTimings(text);
      default: return nullptr;
    }
  }

  const char *takeBegin(const char *text) {
    int32_t count, hertz;
    clear();
    text = SketchDigits::read(text, false, 0, count);
    if (!text || *text != ',' || count < 1 || count > most) return nullptr;
    text = SketchDigits::read(text + 1, false, 0, hertz);
    if (!text || hertz < 30000 || hertz > 60000) return nullptr;
    count_ = (uint16_t)count;
    hertz_ = (uint16_t)hertz;
    return text;
  }

  const char *takeDurations(const char *text) {
    do {
      int32_t duration;
      text = SketchDigits::read(text, false, 0, duration);
      if (!text || !count_ || duration < 50 || !addDuration((uint32_t)duration)) return nullptr;
    } while (*text == ',' && *++text);
    return text;
  }

  const char *takeTimings(const char *text) {
    uint16_t place = 0;
    for (uint8_t left = 3; left; left--) {
      const uint8_t value = SketchDigits::hexValue(*text++);
      if (value > 15) return nullptr;
      place = (uint16_t)(place << 4 | value);
    }
    if (place != length_ || !*text || *text == ';') return nullptr;
    for (; *text && *text != ';'; text++) {
      const uint8_t value = SketchDigits::hexValue(*text);
      if (value >= durationCount_ || length_ >= count_ || !addDigit(value)) return nullptr;
    }
    return text;
  }

  bool addDuration(uint32_t microseconds) {
    if (durationCount_ == mostDurations || microseconds > 131000) return false;
    durations_[durationCount_++] = (uint16_t)(microseconds / 2);
    return true;
  }

  bool addDigit(uint8_t value) {
    if (length_ == most) return false;
    uint8_t &pair = digits_[length_ / 2];
    pair = length_ % 2 ? (uint8_t)(pair | value << 4) : value;
    length_++;
    return true;
  }

  uint8_t digit(uint16_t place) const {
    return place % 2 ? digits_[place / 2] >> 4 : digits_[place / 2] & 15;
  }

  // The same duration, measured twice.
  static bool isAbout(uint32_t measured, uint32_t known) {
    const uint32_t difference = measured > known ? measured - known : known - measured;
    return difference <= known / 8 + 100;
  }

  bool isShort() const {
    uint32_t sum = 0;
    for (uint16_t i = 0; i < length_; i++) sum += timing(i);
    return sum <= longest;
  }

  // In units of two microseconds.
  uint16_t durations_[mostDurations];
  uint8_t digits_[most / 2];
  uint16_t count_;
  uint16_t length_;
  uint16_t hertz_;
  uint8_t durationCount_;
};
