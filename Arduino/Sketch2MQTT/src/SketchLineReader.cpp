#include "SketchLineReader.h"

#include "SketchChecksum.h"
#include "SketchDigits.h"

SketchLineReader::Result SketchLineReader::take(uint8_t byte) {
  const State before = state_;
  if (byte == '~') {
    state_ = Reading;
    length_ = 0;
    return before == Reading || before == Ending ? Interrupted : Inside;
  }
  if (before == Hunting) return Outside;
  if (byte == '\n') {
    state_ = Hunting;
    return before == Skipping ? Inside : finish();
  }
  if (before == Skipping) return Inside;
  if (byte == '\r' && before == Reading) {
    state_ = Ending;
    return Inside;
  }
  Result result = TooLong;
  if (before == Ending || byte < 0x20 || byte == 0x7F) {
    result = ControlCharacter;
  } else if (length_ < size_) {
    buffer_[length_++] = (char)byte;
    return Inside;
  }
  state_ = Skipping;
  return result;
}

SketchLineReader::Result SketchLineReader::finish() {
  if (length_ < 5) return TooShort;
  length_ -= 4;
  uint16_t sum = SketchChecksum::lineStart;
  for (uint8_t at = 0; at < length_; at++) sum = SketchChecksum::line(sum, (uint8_t)buffer_[at]);
  for (uint8_t at = 0; at < 4; at++) {
    if (buffer_[length_ + at] != SketchDigits::hexDigit((uint8_t)(sum >> 12))) return WrongChecksum;
    sum = (uint16_t)(sum << 4);
  }
  buffer_[length_] = 0;
  return Line;
}
