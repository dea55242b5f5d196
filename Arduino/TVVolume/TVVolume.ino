// Plays a TV's remote control: an infra-red LED on 3, through a transistor and 47 Ω to 5 V. The radio is wired as the
// library's SketchLink.h says.
//
// Two ways of speaking, on one link:
// - as it always did, to phone apps: a packet that begins with `I` turns the volume up, one with `D` down, by two steps.
// - to a bridge that greets it, in lines (library Sketch2MQTT), with every code that it has learnt (Codes.h).

#ifndef LINK
#define LINK NRF8001
#endif
#define LINK_NAME "S2MTV"
#define LINK_RX 8
#define LINK_TX A3
#define LINK_NETWORK "network"
#define LINK_PASSWORD "password"
#define LINK_PORT 230

#include <SketchLink.h>

#include <EEPROM.h>
#include <Sketch2MQTT.h>
#include <SketchStoredIdentity.h>

#include "Codes.h"

const uint8_t lightPin = 3;
const uint16_t gap = 40000; // between two codes, microseconds

SKETCH_BOARD(board, "TV", WITH_VERSION("1.0"));
SKETCH_BUTTON(volume_up, "Volume up");
SKETCH_BUTTON(volume_down, "Volume down");
SKETCH_SELECT(code, "Code", WITH_OPTIONS(CODE_NAMES));

// Counts what was played, for whoever looks for a fault.
uint16_t played[CodeCount];

// 38 kHz for so long; writing a pin takes its part of each period.
void shine(uint16_t microseconds) {
  for (uint16_t periods = microseconds / 26; periods; periods--) {
    digitalWrite(lightPin, HIGH);
    delayMicroseconds(8);
    digitalWrite(lightPin, LOW);
    delayMicroseconds(9);
  }
}

// Takes some 70 ms, in which bytes wait in the radio.
void play(uint8_t which) {
  const Code &code = codes[which];
  for (uint8_t i = 0; i < code.count; i++) {
    const uint16_t time = pgm_read_word(code.timings + i);
    if (i % 2) {
      delayMicroseconds(time);
    } else {
      shine(time);
    }
  }
  for (uint16_t rest = gap; rest; rest -= 10000) delayMicroseconds(10000);
  played[which]++;
}

void turnUp() { play(VolumeUp); }

// Advertisements come suddenly: down is twice as fast as up.
void turnDown() {
  play(VolumeDown);
  play(VolumeDown);
}

// MARK: In lines

bool upWanted() {
  turnUp();
  return true;
}

bool downWanted() {
  turnDown();
  return true;
}

bool codeWanted(uint8_t option) {
  play(option);
  return true;
}

// MARK: As it always spoke

// The first byte of a packet counts. Six bytes and more may be what is left of a damaged line: they count for nothing.
uint8_t packetFirst, packetLength;
uint32_t packetAt;

bool takeByte(uint8_t byte) {
  if (!packetLength) packetFirst = byte;
  if (packetLength < 255) packetLength++;
  packetAt = millis();
  return false;
}

void obeyPacket() {
  if (!packetLength || millis() - packetAt < 50) return;
  const bool isPacket = packetLength < 6;
  packetLength = 0;
  if (!isPacket) return;
  if (packetFirst == 'I') turnUp();
  if (packetFirst == 'D') turnDown();
}

bool wasLinked;

void watchLink() {
  const bool isLinkedNow = isLinked();
  if (isLinkedNow == wasLinked) return;
  wasLinked = isLinkedNow;
  packetLength = 0;
  if (isLinkedNow) {
    board.linkUp();
  } else {
    board.linkDown();
  }
}

void setup() {
  pinMode(lightPin, OUTPUT);
  volume_up.onPress(upWanted);
  volume_down.onPress(downWanted);
  code.onCommand(codeWanted);
  beginLink();
  SketchStoredIdentity<0>::use(board);
  board.onOther(takeByte);
  board.beQuiet();
  board.begin(connection);
  board.linkDown();
}

void loop() {
  watchLink();
  if (wasLinked && !board.isHeard()) obeyPacket();
  board.loop();
}
