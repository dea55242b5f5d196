// Tells whether the watchdog is on.
#pragma once

#define WDTO_2S 7

struct Watchdog {
  static bool &isOn() {
    static bool value = false;
    return value;
  }
};

inline void wdt_enable(int) { Watchdog::isOn() = true; }
inline void wdt_disable() { Watchdog::isOn() = false; }
inline void wdt_reset() {}
