#pragma once

#include <Arduino.h>

#ifdef ARDUINO_ARCH_AVR
#include <avr/wdt.h>
#endif

/// Starts the board anew when its loop stands still for two seconds, as when the wires of an I2C device break: its
/// outputs let go then, and setup() begins again. For what must not go on by itself. Not for a sketch that waits in
/// its loop: a Wi-Fi shield does when it joins its network. The oldest Megas' bootloaders do not survive it and stay
/// off until the power has been cut.
namespace SketchWatchdog {

#ifdef ARDUINO_ARCH_AVR
/// At the end of setup().
inline void begin() { wdt_enable(WDTO_2S); }
/// As often as the loop turns.
inline void turn() { wdt_reset(); }

// It goes on after it has bitten, and would not let setup() come to its end.
static void letGo() __attribute__((naked, used, section(".init3")));
static void letGo() {
  MCUSR = 0;
  wdt_disable();
}
#else
inline void begin() {}
inline void turn() {}
#endif

} // namespace SketchWatchdog
