/// How a sketch is reached, chosen by one word. The sketch says first
///
///     #define LINK NRF8001         // or HM10, USB, WIFI
///     #define LINK_NAME "S2MDoor"  // what the bridge finds a radio by; an nRF8001 tells seven characters
///     #include <SketchLink.h>
///
/// and has then `connection`, which is a Stream, beginLink() and isLinked(), which is to be asked as often as
/// the loop turns. LINK_KNOWS_CLIENTS is 1 where isLinked() tells whether somebody is connected.
#pragma once

#define NRF8001 1 // Adafruit's breakout, or any with its library (Adafruit_nRF8001): REQ 10, RDY 2, RST 9
#define HM10 2 // HM-10 or another BLE serial module: on LINK_RX and LINK_TX, on a Mega on Serial1. With its pin STATE,
               // high while somebody is connected, on LINK_STATE, a link that drops is noticed
#define USB 3 // the serial port
#define WIFI 4 // the Wi-Fi shield: LINK_NETWORK, LINK_PASSWORD, LINK_PORT

#if LINK == NRF8001
#define LINK_KNOWS_CLIENTS 1
#include "SketchRadio.h"

SketchRadio connection(10, 2, 9);

void beginLink() { connection.begin(LINK_NAME); }
bool isLinked() { return connection.isConnected(); }

#elif LINK == WIFI
#define LINK_KNOWS_CLIENTS 1
#include "SketchWiFiLink.h"

SketchWiFiLink connection(LINK_NETWORK, LINK_PASSWORD, LINK_PORT);

void beginLink() { connection.begin(); }
bool isLinked() { return connection.isConnected(); }

#elif LINK == HM10
#ifdef LINK_STATE
#define LINK_KNOWS_CLIENTS 1
#else
#define LINK_KNOWS_CLIENTS 0
#endif
#ifdef HAVE_HWSERIAL1
HardwareSerial &connection = Serial1;
#else
#include <SoftwareSerial.h>
SoftwareSerial connection(LINK_RX, LINK_TX);
#endif

// The module is named once by hand: AT+NAME and LINK_NAME.
#ifdef LINK_STATE
void beginLink() {
  pinMode(LINK_STATE, INPUT);
  connection.begin(9600);
}
bool isLinked() { return digitalRead(LINK_STATE) == HIGH; }
#else
void beginLink() { connection.begin(9600); }
bool isLinked() { return true; }
#endif

#else
#define LINK_KNOWS_CLIENTS 0
HardwareSerial &connection = Serial;

void beginLink() { Serial.begin(115200); }
bool isLinked() { return true; }
#endif
