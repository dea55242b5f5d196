// How the board is reached: chosen by LINK in PetDoor.ino.
#pragma once

#define NRF8001 1 // Adafruit's breakout, or any with its library (Adafruit_nRF8001)
#define HM10 2 // HM-10 or another BLE serial module, with SoftwareSerial on pins 8 (RX) and A5 (TX)
#define USB 3 // the serial port

#if LINK == NRF8001
#include <Adafruit_BLE_UART.h>
#include <SPI.h>

// The radio as a Stream that writes whole packets: its library sends each byte apart unless it is called by
// the writing function of its own, and does not say how much it has sent. That function waits while no
// central listens; so nothing is written before one is connected.
class Radio : public Stream {
public:
  void begin() {
    module_.setDeviceName("S2MDoor"); // what the bridge looks for; seven characters at most
    module_.begin();
  }
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
  // SCK 13, MISO 12, MOSI 11 (Mega: 52, 50, 51), and these: REQ, RDY, RST.
  Adafruit_BLE_UART module_ = Adafruit_BLE_UART(10, 2, 9);
};

Radio connection;

void beginLink() { connection.begin(); }

bool isLinked() { return connection.isConnected(); }

#elif LINK == HM10
#include <SoftwareSerial.h>

SoftwareSerial connection(8, A5);

// The module is named once by hand: AT+NAMES2MDoor.
void beginLink() { connection.begin(9600); }

bool isLinked() { return true; }

#else
HardwareSerial &connection = Serial;

void beginLink() { Serial.begin(115200); }

bool isLinked() { return true; }
#endif
