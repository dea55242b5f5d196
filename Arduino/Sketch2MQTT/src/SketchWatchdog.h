#pragma once

#include <Arduino.h>

#if __has_include(<avr/wdt.h>)
#include <avr/wdt.h>
#endif

/// Starts the board anew when its loop stands still for two seconds while something moves, as when the wires of an I2C
/// device break, or a radio's library waits for a central that does not listen: its outputs let go then, and setup()
/// begins again. While nothing moves the loop may wait as long as it likes.
///
/// Old bootloaders (Nano and Duemilanove with ATmegaBOOT, the first Megas) do not survive it: such a board stays off,
/// its outputs with it, until the power has been cut.
namespace SketchWatchdog {

#if __has_include(<avr/wdt.h>)
/// Whether something moves now; to be called before it begins to.
inline void watch(bool isMoving) {
  static bool isWatching;
  if (isMoving == isWatching) return;
  isWatching = isMoving;
  if (isMoving) {
    wdt_enable(WDTO_2S);
  } else {
    wdt_disable();
  }
}
/// As often as the loop turns.
inline void turn() { wdt_reset(); }
#else
inline void watch(bool) {}
inline void turn() {}
#endif

#ifdef ARDUINO_ARCH_AVR
// It goes on after it has bitten, and would not let setup() come to its end.
static void letGo() __attribute__((naked, used, section(".init3")));
static void letGo() {
  MCUSR = 0;
  wdt_disable();
}
#endif

} // namespace SketchWatchdog
