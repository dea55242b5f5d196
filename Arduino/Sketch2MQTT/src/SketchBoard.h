#pragma once

#include <Arduino.h>

#include "SketchDescription.h"
#include "SketchEntity.h"
#include "SketchLineReader.h"

/// Declares the board: SKETCH_BOARD(board, "Greenhouse", WITH_MODEL("UNO"), WITH_VERSION("1.2"));
#define SKETCH_BOARD(variable, ...) SKETCH_BOARD_TAKING(48, variable, __VA_ARGS__)

/// The same with room for longer commands: `bytes` is 48 unless a text needs more, 24 to 250.
#define SKETCH_BOARD_TAKING(bytes, variable, ...) \
  static_assert(bytes >= 24 && bytes <= 250, "24 to 250 bytes"); \
  SKETCH_DESCRIPTION(variable, "", __VA_ARGS__) \
  static char variable##Incoming[bytes]; \
  static constexpr unsigned variable##Patience = SketchDescription::patience(variable##Description); \
  static_assert(variable##Patience >= 2 && variable##Patience <= 35, "a patience is 2 to 35 seconds"); \
  SketchBoard variable(variable##Description, variable##Incoming, bytes, variable##Patience)

/// Why a command is refused.
enum SketchRefusal : char {
  NotNow = 'n',
  Busy = 'b',
  LockedOut = 'l',
  Full = 'f',
  OutOfRange = 'r',
  Invalid = 'i'
};

/// The board's side of the line form, over one Stream. A sketch has one board.
///
/// It announces itself until a bridge answers, describes itself when asked, sends what has changed while a
/// bridge listens, and obeys commands. loop() never waits.
class SketchBoard {
public:
  SketchBoard(const char *description, char *incoming, uint8_t size, uint8_t patience);
  SketchBoard(const SketchBoard &) = delete;
  SketchBoard &operator=(const SketchBoard &) = delete;

  /// @param link  Already begun; it stays in use.
  void begin(Stream &link);

  /// To be called as often as the sketch's loop turns.
  void loop();

  /// Tells two boards of one name apart: a number of the owner's choice, not 0. Before begin().
  void identify(uint32_t identity) { identity_ = identity; }

  /// As identify(), for a board that can keep what a bridge gives it. See SketchStoredIdentity.h.
  /// @param identity  What is kept; 0 for nothing yet.
  /// @param keep  Takes the eight hexadecimal digits that the bridge gives; returns the number, or 0 to
  /// refuse.
  void identify(uint32_t identity, uint32_t (*keep)(const char *)) {
    identity_ = identity;
    keep_ = keep;
  }

  /// How fast to send: packets of up to 20 bytes, at least this many milliseconds apart; 20 unless set.
  void pace(uint8_t milliseconds) { pace_ = milliseconds; }

  /// Announces nothing unasked: for links on which programs listen that know only the sketch's own protocol.
  void beQuiet() { isQuiet_ = true; }

  /// For links that know of it: somebody is connected, or nobody is any more.
  void linkUp();
  void linkDown() { isUp_ = false; }

  /// Whether a bridge listens.
  bool isHeard() const { return isHeard_; }

  /// Whether a line is under way. What a sketch sends of its own has to wait for its end.
  bool isSending() const { return isSending_ || packetSent_ != packetLength_; }

  /// Takes the bytes outside of lines, while no bridge listens.
  /// @param other  Returns true to get the next byte too, whatever it is.
  void onOther(bool (*other)(uint8_t)) { other_ = other; }

  /// To be returned by a handler: `return board.refuse(NotNow, F("the door is moving"));`
  bool refuse(SketchRefusal reason, const __FlashStringHelper *words = nullptr) {
    answer_ = reason;
    words_ = (const char *)words;
    return false;
  }

  /// Lines that arrived broken since a bridge began to listen.
  uint16_t dropped() const { return dropped_; }

private:
  // The members without a value in the constructor begin at zero, as all global objects do.

  friend class SketchEntity;

  enum Owed : uint8_t { Hello = 1, Greeting = 2, Pong = 4, LastPong = 8 };
  static const uint8_t packetSize = 20;
  static const uint8_t mostEntities = 100;

  static void breakOffLine(const SketchEntity *entity);
  static bool isListenedTo() { return only_ && only_->isHeard_; }
  static void countLostEvent() { only_->lostEvents_++; }

  void receive();
  void obeyLine();
  void obeyCommand(char *sequence);
  void describe(const char *which);
  void listen(const char *token);
  void keepIdentity(const char *digits);
  void sendAll();
  void stopListening(uint8_t ticksToHello);
  void keepTime();
  void tick();

  void transmit();
  bool compose();
  void composeHello(bool withToken);
  void composeDescription(uint8_t index);
  void composeAnswer();
  void composePong();
  bool composeValue();
  void begin(char type);
  void put(char byte) __attribute__((noinline)); // inline it would cost more flash than it saves time
  void clearHead();
  void putHexDigit(uint8_t value);
  void putNumber(uint16_t number);
  void putHex(uint32_t number);
  uint8_t nextByte();
  uint8_t nextOfBody();
  void computeToken();
  static SketchEntity *entity(uint8_t index);

  const char *const description_;
  Stream *link_;
  uint32_t identity_;
  uint32_t token_;
  uint32_t (*keep_)(const char *);
  bool (*other_)(uint8_t);

  char *const incoming_;
  SketchLineReader reader_;

  // The line that is being sent is made byte by byte: a head in RAM, then a tail where it lies.
  char head_[30];
  uint8_t headLength_;
  uint8_t position_;
  const char *tail_;
  const SketchEntity *sending_;
  uint16_t checksum_;
  bool isTailInFlash_;
  bool isSending_;

  uint8_t packet_[packetSize];
  uint8_t packetLength_;
  uint8_t packetSent_;

  uint8_t owed_;
  uint8_t describeFrom_;
  uint8_t describeEnd_;
  uint8_t count_;
  uint8_t turnIndex_;
  SketchEntity *turn_;
  char sequence_;
  char lastSequence_;
  char answer_;
  const char *words_;

  uint16_t sent_;
  uint16_t dropped_;
  uint16_t lostEvents_;

  uint16_t tickAt_;
  uint16_t packetAt_;
  uint8_t pace_;
  const uint8_t ticksOfBridgeSilence_;
  uint8_t silentTicks_;
  uint8_t ticksToHello_;
  uint8_t helloWait_;
  bool isUp_;
  bool isHeard_;
  bool isQuiet_;
  bool wantsOther_;

  static SketchBoard *only_;
};
