// An infra-red receiver (TSOP 38238 and its kind) on 4, if it is fitted: RECEIVER FITTED. It takes Timer 2 of an AVR.
#pragma once

#include "Signal.h"

#define ABSENT 1
#define FITTED 2

#if RECEIVER == FITTED

const uint8_t receiverPin = 4;

// Measures light and darkness. Called by an interrupt at each tick; the code is the loop's while `isDone()`.
class Receiver {
public:
  static const uint8_t tick = 50; // microseconds
  static const uint16_t pause = 25000 / tick; // ends a code
  static const uint8_t fewest = 6; // timings of a code; less is a flash of the sun

  explicit Receiver(Signal &signal) : signal_(signal) {}

  bool isDone() const { return state_ == Done; }
  void listen() { state_ = Idle; }
  // While the board itself plays, or keeps another code in the same place.
  void beDeaf() { state_ = Deaf; }

  void sample(bool isLight) {
    if (state_ == Done || state_ == Deaf) return;
    if (state_ == Idle) {
      if (!isLight) return;
      signal_.clear();
      state_ = Hearing;
      isLight_ = true;
      ticks_ = 1;
      return;
    }
    if (isLight == isLight_) {
      if (++ticks_ < pause) return;
      // Light for so long is a lamp's.
      state_ = isLight || state_ == Lost || signal_.length() < fewest ? isLight ? Lost : Idle : Done;
      if (state_ == Done) signal_.end();
      ticks_ = 0;
      return;
    }
    if (state_ == Hearing && !signal_.add((uint32_t)ticks_ * tick)) state_ = Lost;
    isLight_ = isLight;
    ticks_ = 1;
  }

private:
  // Lost: too long, or of too many durations; what is left of it is passed over.
  enum State : uint8_t { Idle, Hearing, Lost, Done, Deaf };

  Signal &signal_;
  volatile State state_;
  bool isLight_;
  uint16_t ticks_;
};

extern Receiver receiver;

#ifdef ARDUINO_ARCH_AVR

void beginReceiver() {
  pinMode(receiverPin, INPUT_PULLUP);
  TCCR2A = _BV(WGM21);
  TCCR2B = _BV(CS21); // an eighth of the clock
  OCR2A = F_CPU / 8 / 1000000 * Receiver::tick - 1;
  TIMSK2 = _BV(OCIE2A);
}

// An interrupt in the middle of the light would bend its carrier.
void closeReceiver() {
  TIMSK2 = 0;
  receiver.beDeaf();
}

void openReceiver() {
  receiver.listen();
  TIMSK2 = _BV(OCIE2A);
}

ISR(TIMER2_COMPA_vect) {
  receiver.sample(!(*portInputRegister(digitalPinToPort(receiverPin)) & digitalPinToBitMask(receiverPin)));
}

#else

void beginReceiver() { pinMode(receiverPin, INPUT_PULLUP); }
void closeReceiver() { receiver.beDeaf(); }
void openReceiver() { receiver.listen(); }

#endif

#else

void closeReceiver() {}
void openReceiver() {}

#endif
