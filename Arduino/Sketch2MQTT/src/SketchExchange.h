#pragma once

#include "SketchBoard.h"
#include "SketchHmac.h"
#include "SketchSecret.h"
#include "SketchTextSensor.h"

/// The board's side of an exchange by which it knows who commands: it tells a challenge, and obeys the answer
/// that only who has its key can make. What is overheard is of no use a second time.
///
///     #include <SketchExchange.h>
///     #include <SketchStarts.h>
///     SKETCH_SECRET(key, "64 hexadecimal digits");
///     SKETCH_TEXT_SENSOR(challenge, 32, "Challenge");
///     SKETCH_TEXT(authorize, 65, "Authorize");
///     SketchExchange exchange(key, challenge);
///
///     bool wanted(const char *word) {
///       SketchHmac right;
///       exchange.beginAnswer(right, "gate-1");
///       right.add(word[0]);
///       const bool isRight = exchange.isTag(right, word + 1);
///       exchange.renew();
///       ...
///     }
///
///     void setup() { exchange.begin(SketchStarts<8>::next()); authorize.onCommand(wanted); ... }
///     void loop() { exchange.loop(board); board.loop(); }
///
/// The example Gate has the whole of it.
class SketchExchange {
public:
  static const uint8_t challengeLength = 16;

  /// @param key  Of 32 bytes, in flash: SKETCH_SECRET.
  /// @param challenge  Tells the challenge: a text sensor of 32 bytes.
  SketchExchange(const uint8_t *key, SketchTextSensor &challenge)
      : key_(key), challenge_(&challenge), starts_(0), count_(0), madeAt_(0), wasHeard_(false) {}

  /// Makes the first challenge.
  /// @param starts  How often the board was started, so that no challenge comes twice: SketchStarts.h.
  void begin(uint32_t starts);

  /// Makes another challenge when the bridge has gone, and after a while. To be called as often as the sketch's
  /// loop turns.
  void loop(const SketchBoard &board);

  /// Makes another challenge: after each answer, right or wrong.
  void renew();

  /// Begins the tag of what an answer says: the name and version of the exchange, the challenge, and what the
  /// sketch adds.
  void beginAnswer(SketchHmac &hmac, const char *name) const;

  /// Begins the tag of something else by the same key, under a name of its own.
  void beginTag(SketchHmac &hmac, const char *name) const;

  /// Ends a tag and compares it.
  /// @param digits  64 lower-case hexadecimal digits and nothing behind; anything else is no tag.
  static bool isTag(SketchHmac &hmac, const char *digits);

  /// Writes two digits for each byte and a NUL; returns the end.
  static char *writeHex(char *out, const uint8_t *bytes, uint8_t count);
  /// Reads two lower-case digits for each byte; returns what stands behind, null if they are none.
  static const char *readHex(const char *digits, uint8_t *bytes, uint8_t count);

  /// Milliseconds that a challenge is good for.
  static const uint16_t lifetime = 15000;

private:
  const uint8_t *key_;
  // What is told is what is good.
  SketchTextSensor *challenge_;
  uint32_t starts_, count_, madeAt_;
  bool wasHeard_;
};
