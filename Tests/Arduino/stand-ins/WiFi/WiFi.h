// A stand-in for the Wi-Fi shield's library: the same interface, on the network that the AVR simulator gives.
#pragma once

#include <Arduino.h>
#include <Client.h>
#include <IPAddress.h>
#include <Server.h>

typedef enum {
  WL_NO_SHIELD = 255,
  WL_IDLE_STATUS = 0,
  WL_NO_SSID_AVAIL,
  WL_SCAN_COMPLETED,
  WL_CONNECTED,
  WL_CONNECT_FAILED,
  WL_CONNECTION_LOST,
  WL_DISCONNECTED
} wl_status_t;

/// The simulator's network, reached through two registers that nothing else uses: arguments go into GPIOR0
/// byte by byte, then the letter of what is wanted into GPIOR1. A number is then in GPIOR1, bytes come from
/// GPIOR0.
namespace SimulatedNetwork {
const uint8_t noSocket = 255;
uint8_t ask(char what, const uint8_t *arguments = nullptr, uint8_t count = 0);
uint8_t nextByte();
} // namespace SimulatedNetwork

class WiFiClient : public Client {
public:
  explicit WiFiClient(uint8_t socket = SimulatedNetwork::noSocket) : socket_(socket) {}
  int connect(IPAddress address, uint16_t port) override;
  int connect(const char *host, uint16_t port) override;
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t *bytes, size_t count) override;
  int available() override;
  int read() override;
  int read(uint8_t *bytes, size_t count) override;
  int peek() override;
  void flush() override {}
  void stop() override;
  uint8_t connected() override;
  operator bool() override { return socket_ != SimulatedNetwork::noSocket; }
  using Print::write;

private:
  uint8_t socket_;
};

class WiFiServer : public Server {
public:
  explicit WiFiServer(uint16_t port)
      : port_(port), listener_(SimulatedNetwork::noSocket), client_(SimulatedNetwork::noSocket) {}
  void begin();
  /// The client that is connected; further ones wait.
  WiFiClient available();
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t *bytes, size_t count) override {
    return WiFiClient(client_).write(bytes, count);
  }
  using Print::write;

private:
  uint16_t port_;
  uint8_t listener_;
  uint8_t client_;
};

class WiFiClass {
public:
  int begin(char *network, const char *password);
  uint8_t status();
};
extern WiFiClass WiFi;
