// Plays a TV's remote control: an infra-red LED on 3, through a transistor and 47 Ω to 5 V. The radio is wired as the
// library's SketchLink.h says.
//
// Two ways of speaking, on one link:
// - as it always did, to phone apps: a packet that begins with `I` turns the volume up, one with `D` down, by two steps.
// - to a bridge that greets it, in lines (library Sketch2MQTT), with every code that it has learnt (Codes.h), and with
//   codes that the bridge sends as they are. With a receiver (Receiver.h) it tells those that it sees.

#ifndef LINK
#define LINK NRF8001
#endif
#define LINK_NAME "S2MTV"
#define LINK_RX 8
#define LINK_TX A3
#define LINK_NETWORK "network"
#define LINK_PASSWORD "password"
#define LINK_PORT 230

#ifndef RECEIVER
#define RECEIVER ABSENT
#endif

#include <SketchLink.h>

#include <EEPROM.h>
#include <Sketch2MQTT.h>
#include <SketchStoredIdentity.h>

#include "Codes.h"
#include "Light.h"
#include "Receiver.h"
#include "Signal.h"

const uint16_t gap = 40000; // between two codes, microseconds
const uint16_t usualHertz = 38000;

SKETCH_BOARD_TAKING(100, board, "TV", WITH_VERSION("1.1"));
SKETCH_BUTTON(volume_up, "Volume up");
SKETCH_BUTTON(volume_down, "Volume down");
SKETCH_SELECT(code, "Code", WITH_OPTIONS(CODE_NAMES));
SKETCH_TEXT(infrared, 88, "Infrared");

// The code that is being sent to the board, or that it sees.
Signal shown;

#if RECEIVER == FITTED
SKETCH_TEXT_SENSOR(infrared_received, 120, "Infrared received");
Receiver receiver(shown);
#endif

// Counts what was played, for whoever looks for a fault.
uint16_t played[CodeCount];
uint16_t playedShown;

void emit(uint16_t place, uint32_t microseconds) {
  if (place % 2) {
    stayDark(microseconds);
  } else {
    shine(microseconds);
  }
}

// Takes some 70 ms, in which bytes wait in the radio.
void play(uint8_t which) {
  const Code &code = codes[which];
  closeReceiver();
  tune(usualHertz);
  for (uint8_t i = 0; i < code.count; i++) emit(i, pgm_read_word(code.timings + i));
  stayDark(gap);
  openReceiver();
  played[which]++;
}

void playShown() {
  tune(shown.hertz());
  for (uint16_t i = 0; i < shown.length(); i++) emit(i, shown.timing(i));
  stayDark(gap);
  shown.clear();
  openReceiver();
  playedShown++;
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

// The texts of a code; with its last timing it is whole and played. They are nobody's state.
bool infraredWanted(const char *text) {
  closeReceiver();
  const bool isRight = shown.take(text);
  infrared.forget();
  if (!isRight) {
    openReceiver();
    return board.refuse(Invalid);
  }
  if (shown.isWhole()) playShown();
  return true;
}

#if RECEIVER == FITTED

Signal::Told told;
uint32_t toldAt;

// The value is sent four times a second at most, and each text is to be sent.
void tellReceived() {
  if (!receiver.isDone() || millis() - toldAt < 300) return;
  char text[Signal::mostTold + 1];
  // What was told is not said anew to who greets the board later, and the same code may come again.
  infrared_received.forget();
  if (board.isHeard() && shown.tell(told, text)) {
    infrared_received.set(text);
    toldAt = millis();
    return;
  }
  told = Signal::Told();
  openReceiver();
}

#endif

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
  infrared.onCommand(infraredWanted);
#if RECEIVER == FITTED
  beginReceiver();
#endif
  beginLink();
  SketchStoredIdentity<0>::use(board);
  board.onOther(takeByte);
  board.beQuiet();
  board.begin(connection);
  board.linkDown();
}

void loop() {
  watchLink();
  // Also when a bridge has greeted the board right behind the packet.
  if (wasLinked) obeyPacket();
#if RECEIVER == FITTED
  tellReceived();
#endif
  board.loop();
}
