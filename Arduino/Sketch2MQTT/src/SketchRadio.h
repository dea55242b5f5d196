#pragma once

#include <Adafruit_BLE_UART.h>
#include <SPI.h>

/// An nRF8001 as a Stream that writes whole packets: its library sends each byte apart unless it is called by
/// the writing function of its own, and does not say how much it has sent. That function waits while no
/// central listens; so nothing is written before one is connected.
///
/// SCK, MISO and MOSI are the SPI pins: 13, 12, 11 on an UNO, 52, 50, 51 on a Mega.
class SketchRadio : public Stream {
public:
  SketchRadio(int8_t request, int8_t ready, int8_t reset) : module_(request, ready, reset) {}

  /// @param name  Seven characters at most; the bridge looks for names that begin with `S2M`.
  void begin(const char *name) {
    module_.setDeviceName(name);
    module_.begin();
  }

  /// To be called as often as the loop turns: the radio is served by it.
  bool isConnected() {
    module_.pollACI();
    return module_.getState() == ACI_EVT_CONNECTED;
  }

  int available() override { return module_.available(); }
  int read() override { return module_.read(); }
  int peek() override { return module_.peek(); }
  void flush() override {}
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t *bytes, size_t count) override {
    module_.write(const_cast<uint8_t *>(bytes), (uint8_t)count);
    return count;
  }

private:
  Adafruit_BLE_UART module_;
};
