// A stand-in for the Wi-Fi shield's datagrams: only a time server answers, with the simulator's time.
#pragma once

#include "WiFi.h"

class WiFiUDP {
public:
  uint8_t begin(uint16_t) { return 1; }
  int beginPacket(const char *, uint16_t port) { return port == 123; }
  size_t write(const uint8_t *, size_t count) { return count; }
  int endPacket();
  int parsePacket();
  int read(uint8_t *packet, size_t count);

private:
  /// Since 1900, the greatest first.
  uint8_t seconds_[4];
  bool isAnswered_ = false;
};
