// A Wi-Fi shield on the bench: its one client is at the end of the bench's wire.
#pragma once

#include <Arduino.h>

enum { WL_IDLE_STATUS = 0, WL_CONNECTED = 3, WL_CONNECTION_LOST = 5 };

/// What the shield meets; for tests.
struct Air {
  bool isThere = true;
  bool hasClient = true;
  /// The network's time, from which the bench's clock goes on; 0 when nobody answers.
  uint32_t time = 0;
  int joins = 0;
  /// Called when the shield begins to join, which takes it seconds.
  void (*joining)() = nullptr;
  int asked = 0;
};
extern Air air;

class WiFiClient : public Stream {
public:
  explicit WiFiClient(bool isThere = false) : isThere_(isThere) {}
  uint8_t connected() { return isThere_ && air.hasClient; }
  operator bool() { return isThere_; }
  void stop() { isThere_ = false; }
  int available() override { return Serial.available(); }
  int read() override { return Serial.read(); }
  int peek() override { return Serial.peek(); }
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t *bytes, size_t count) override { return Serial.write(bytes, count); }

private:
  bool isThere_;
};

class WiFiServer {
public:
  explicit WiFiServer(uint16_t) {}
  void begin() {}
  WiFiClient available() { return WiFiClient(air.hasClient); }
};

struct WiFiClass {
  int begin(char *, const char *) {
    air.joins++;
    if (air.joining) air.joining();
    return status();
  }
  uint8_t status() { return air.isThere ? WL_CONNECTED : WL_CONNECTION_LOST; }
};
extern WiFiClass WiFi;
