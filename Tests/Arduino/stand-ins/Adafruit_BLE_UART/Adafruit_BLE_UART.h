// A stand-in for Adafruit_nRF8001: the same interface, on the board's serial port in place of the radio.
//
// In the simulator the pin of the radio's `ready` is high while a central is connected, and each packet has a
// byte before it that says how long it is.
#pragma once

#include <Arduino.h>

enum aci_evt_opcode_t {
  ACI_EVT_DEVICE_STARTED = 0x81,
  ACI_EVT_CONNECTED = 0x85,
  ACI_EVT_DISCONNECTED = 0x86
};

/// Whether a central is there; for tests on the host.
struct Central {
  static bool &isConnected() {
    static bool value = true;
    return value;
  }
};

class Adafruit_BLE_UART : public Stream {
public:
  Adafruit_BLE_UART(int8_t, int8_t ready, int8_t) : readyPin_((uint8_t)ready) {}
  bool begin(uint16_t = 0, uint16_t = 80) {
    Serial.begin(115200);
    return true;
  }
  void setDeviceName(const char *) {}
  void pollACI() {}
  aci_evt_opcode_t getState() { return isConnected() ? ACI_EVT_CONNECTED : ACI_EVT_DEVICE_STARTED; }
  int available() { return Serial.available(); }
  int read() { return Serial.read(); }
  int peek() { return Serial.peek(); }
  void flush() {}
  /// One packet. As the real one, it overrides nothing, and returns 0 for what fits into one packet.
  size_t write(uint8_t *bytes, uint8_t count) {
#ifdef ARDUINO_ARCH_AVR
    Serial.write(&count, 1);
#endif
    Serial.write((const uint8_t *)bytes, (size_t)count);
    return 0;
  }
  /// A packet of one byte.
  size_t write(uint8_t byte) { return write(&byte, 1); }

private:
  bool isConnected() {
#ifdef ARDUINO_ARCH_AVR
    return digitalRead(readyPin_) == HIGH;
#else
    return Central::isConnected();
#endif
  }

  uint8_t readyPin_;
};
