#pragma once

#include <WiFi.h>

/// A Wi-Fi shield that listens on a TCP port, as a Stream of the one client that it serves.
///
/// Joining the network is the shield's library's and waits for it, ten seconds at most; it is tried again
/// every half minute. Before anything that waits, isConnected() has said once that the client is gone.
class SketchWiFiLink : public Stream {
public:
  SketchWiFiLink(const char *network, const char *password, uint16_t port)
      : network_(network), password_(password), server_(port) {}

  void begin() {
    isJoined_ = WiFi.begin(const_cast<char *>(network_), password_) == WL_CONNECTED;
    triedAt_ = millis();
    if (isJoined_) server_.begin();
  }

  bool isJoined() const { return isJoined_; }

  /// To be called as often as the loop turns.
  bool isConnected() {
    // A network that is gone takes its clients with it, whatever the shield thinks of them.
    if (client_ && client_.connected() && WiFi.status() == WL_CONNECTED) return isServing_ = true;
    if (isServing_) return isServing_ = false;
    client_.stop();
    if (isJoined_ && WiFi.status() != WL_CONNECTED) isJoined_ = false;
    if (!isJoined_) {
      if (millis() - triedAt_ > 30000) begin();
      return false;
    }
    client_ = server_.available();
    return isServing_ = client_;
  }

  int available() override { return client_.available(); }
  int read() override { return client_.available() ? client_.read() : -1; }
  int peek() override { return client_.available() ? client_.peek() : -1; }
  void flush() override {}
  size_t write(uint8_t byte) override { return client_.write(&byte, 1); }
  size_t write(const uint8_t *bytes, size_t count) override { return client_.write(bytes, count); }

private:
  const char *const network_;
  const char *const password_;
  WiFiServer server_;
  WiFiClient client_;
  bool isJoined_;
  bool isServing_;
  uint32_t triedAt_;
};
