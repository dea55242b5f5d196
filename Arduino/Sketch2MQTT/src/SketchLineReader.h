#pragma once

#include <stdint.h>

/// Finds lines in a stream of bytes, and again after bytes were lost.
///
/// A line is `~`, a body, four digits of checksum and a newline. A `~` always begins a line: what was open is
/// broken off.
class SketchLineReader {
public:
  enum Result : uint8_t {
    /// The byte belongs to no line.
    Outside,
    /// The line is not at its end, or what is left of a broken one is passed over.
    Inside,
    /// A whole line: its body is in the buffer, with a NUL behind it.
    Line,
    /// A `~` came before the line's end. The byte has begun the next line.
    Interrupted,
    /// More bytes than the buffer takes.
    TooLong,
    /// A control character within a line.
    ControlCharacter,
    /// Too short for a checksum and one letter.
    TooShort,
    /// The checksum does not match, or is not four lower-case hexadecimal digits.
    WrongChecksum
  };

  /// @param buffer  Room for body and checksum.
  /// @param size  Its length in bytes, at least 6.
  SketchLineReader(char *buffer, uint8_t size) : buffer_(buffer), size_(size), length_(0), state_(Hunting) {}

  Result take(uint8_t byte);

  uint8_t size() const { return size_; }

  /// Whether the next byte, unless it is a `~`, belongs to no line.
  bool isBetweenLines() const { return state_ == Hunting; }

  /// Forgets an open line.
  void reset() { state_ = Hunting; }

private:
  enum State : uint8_t { Hunting, Reading, Ending, Skipping };

  Result finish();

  char *buffer_;
  uint8_t size_;
  uint8_t length_;
  State state_;
};
