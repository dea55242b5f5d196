#pragma once

#include <Arduino.h>

#include "SketchDescription.h"

/// What all entities share: a description in flash, a value that may be unknown, and what is to be sent of
/// it.
///
/// Entities list themselves when they are constructed; their order is the order of the sketch.
class SketchEntity {
public:
  SketchEntity(const SketchEntity &) = delete;
  SketchEntity &operator=(const SketchEntity &) = delete;

  /// False until the sketch or a command has set a value.
  bool isKnown() const { return flags_ & Known; }

  /// Makes the value unknown, as when a sensor fails.
  void forget();

protected:
  typedef void (*Handler)();
  typedef bool (*ChoiceHandler)(uint8_t);
  typedef bool (*NumberHandler)(float);
  typedef bool (*TextHandler)(const char *);
  typedef bool (*PressHandler)();
  /// Obeys a command, and returns where it put the answer; or appends a row that is to be sent.
  typedef char *(*TableServer)(SketchEntity *table, char *text, bool isCommand);

  explicit SketchEntity(const char *description);
  SketchEntity(const char *description, char *buffer);

  /// Keeps a value; it is sent when it differs from the one before.
  void store(int32_t value);

  /// Keeps a whole number; unknown when it has more than nine digits, the entity's decimals included.
  void storeWhole(int32_t value);
  /// Keeps a fraction, rounded to the entity's decimals; unknown when it is no number or has more than nine
  /// digits.
  void storeFraction(float value);
  float fraction() const { return fractionOf(number_); }

  /// Keeps a copy of as much of a text as the entity takes.
  void storeText(const char *text, bool isInFlash);

  /// Queues an event; up to four wait to be sent.
  void storeEvent(uint8_t type);

  int32_t number() const { return number_; }
  const char *text() const { return text_; }
  void handleBy(Handler handler) { handler_ = handler; }
  void handleFractionBy(NumberHandler handler) {
    handler_ = (Handler)handler;
    asker_ = askForFraction;
  }

private:
  friend class SketchBoard;
  friend class SketchTable;

  enum Flag : uint8_t {
    Known = 1,
    /// The bridge does not have the present value.
    Unsent = 2,
    /// A handler has set the value itself.
    Touched = 4,
    /// Sent within the present interval; sensors then wait for the next.
    Held = 8,
    /// Of a table: all rows are to be sent, not only those that changed.
    Whole = 16
  };

  char kind() const { return (char)pgm_read_byte(description_); }
  uint8_t decimals() const;
  uint8_t longestText() const;
  void change(bool isDifferent);
  float fractionOf(int32_t number) const;
  static bool askForFraction(const SketchEntity *entity, int32_t number);

  /// Appends what stands behind the `=` of a value line, without the text of a text or the JSON of a row.
  char *writeValue(char *out);
  /// The type of the event that waits longest.
  uint8_t takeEvent();
  void forgetEvents() { number_ = flags_ = 0; }

  /// Obeys a command.
  /// @param value  What stands behind the `=`; it is changed in place.
  /// @return `+`, or the letter of the reason for a refusal.
  char obey(char *value);
  char obeyChoice(const char *value);
  char obeyNumber(const char *value);
  char obeyText(char *value);
  /// Moves a text one byte to the front and resolves its escapes.
  /// @return  Its end; null for a wrong escape.
  static char *unescape(char *text);

  SketchEntity *next_;
  const char *const description_;
  Handler handler_;
  union {
    /// Of a number, in units of its last decimal; of a choice, its place in the list.
    int32_t number_;
    char *text_;
    /// Of an event: the types that wait, each plus one; 0 is an empty place.
    uint8_t waiting_[4];
  };
  uint8_t flags_;

  static SketchEntity *first_;
  // Set by who has a handler for fractions, so that a sketch without pays nothing for them.
  static bool (*asker_)(const SketchEntity *, int32_t);
  // Set by a table, likewise.
  static TableServer server_;
};
