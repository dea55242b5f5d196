// Only a time server answers.
#pragma once

#include "WiFi.h"

class WiFiUDP {
public:
  uint8_t begin(uint16_t) { return 1; }
  int beginPacket(const char *, uint16_t port) { return port == 123; }
  size_t write(const uint8_t *, size_t count) { return count; }
  int endPacket() {
    air.asked++;
    isAnswered_ = air.time != 0;
    return 1;
  }
  int parsePacket() {
    const bool isAnswered = isAnswered_;
    isAnswered_ = false;
    return isAnswered ? 48 : 0;
  }
  int read(uint8_t *packet, size_t count) {
    memset(packet, 0, count);
    packet[0] = 0x24;
    packet[1] = 2;
    const uint32_t seconds = air.time + 2208988800U;
    for (int byte = 0; byte < 4; byte++) packet[40 + byte] = (uint8_t)(seconds >> (24 - 8 * byte));
    return (int)count;
  }

private:
  bool isAnswered_ = false;
};
