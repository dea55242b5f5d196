// A relay across the button of a garage door's opener, for whoever knows a PIN.
//
// First of all: a key and a master PIN of your own, as KEY and MASTER_PIN say. Without them it does not compile.
//
// Wiring: relay 8, a contact that is closed (to ground) while the door is closed 7, light 6. Without the contact
// SENSOR is 0, and where the door is follows from the time. A relay module that closes at a low level is RELAY 0:
// otherwise it would open the door whenever the power comes. The link is wired as the library's SketchLink.h says.
//
// The relay is a toggle: a pulse of 300 ms starts the drive or turns it around. A while after opening a second
// pulse closes the door.
//
// Two ways of speaking, on one link:
// - as it always did, to phone apps, each message beginning with the sender's PIN: `O=1` opens; with the master's
//   `P` tells the PINs, `A` adds, `E` changes and `D` deletes one. Whoever overhears a PIN has it: with CLASSIC 0
//   nothing of this is heard any more. Who tries PINs is heard once in five seconds.
// - to a bridge that greets it, in lines (library Sketch2MQTT). There the door obeys only the answer to its
//   challenge, by a key that is never sent, and PINs are managed sealed with it: the documentation's page
//   GarageAuthentication.

#ifndef LINK
#define LINK NRF8001
#endif
#define LINK_NAME "S2MGate"
#define LINK_RX 9
#define LINK_TX 10

#ifndef SENSOR
#define SENSOR 1
#endif
#ifndef CLASSIC
#define CLASSIC 1
#endif
#ifndef RELAY
#define RELAY 1
#endif

// A file Secrets.h beside this one is a good place for both: it is yours, and newer sketches leave it alone.
#if __has_include("Secrets.h")
#include "Secrets.h"
#endif
// What the board shares with its bridge, and with no other board: 64 hexadecimal digits, as `openssl rand -hex 32`
// makes them. They stand as `key` in the bridge's configuration.
#ifndef KEY
#define KEY ""
#endif
// Five characters, by which PINs are managed.
#ifndef MASTER_PIN
#define MASTER_PIN ""
#endif

#define LINK_NETWORK "network"
#define LINK_PASSWORD "password"
#define LINK_PORT 230
#include <SketchLink.h>

#include <EEPROM.h>
#include <Sketch2MQTT.h>
#include <SketchExchange.h>
#include <SketchStarts.h>
#include <SketchStoredIdentity.h>
#include <SketchWatchdog.h>

#include "Pins.h"

SKETCH_SECRET(key, KEY);
static_assert(Pins::isGiven(MASTER_PIN), "the master PIN is missing: choose five characters");
static_assert(!Pins::isGiven(MASTER_PIN) || Pins::isPin(MASTER_PIN), "the master PIN has five characters");
static_assert(!Pins::isPin(MASTER_PIN) || Pins::isUnguessed(MASTER_PIN),
              "this master PIN is an example, or would be guessed: choose another one");

const uint8_t relayPin = 8, sensorPin = 7, lightPin = 6;
const uint16_t pulseTime = 300, pulseGap = 700, packetGap = 50;
const uint32_t travelTime = 15000, alertTime = 30000, unattendedTime = 600000, deafTime = 5000;
const uint8_t mostWrong = 5;
// Behind the PINs: the identity, the closing interval, how often the board was started.
const int identityAddress = 128, intervalAddress = 140, startsAddress = 144;

SKETCH_BOARD_TAKING(96, board, "Garage door", WITH_VERSION("1.1"));
#if SENSOR
SKETCH_COVER(door, "", WITH_CLASS("garage"), CAN_CLOSE);
#else
SKETCH_COVER(door, "", WITH_CLASS("garage"), CAN_CLOSE, WITH_ASSUMED_STATE);
#endif
SKETCH_NUMBER(closing_interval, "Closing interval", WITH_RANGE(5, 600, 1), WITH_UNIT("s"),
              WITH_CLASS("duration"), WITH_DECIMALS(0), AS_SETTING);
SKETCH_SWITCH(light, "Light", WITH_ICON("mdi:lightbulb"));
SKETCH_EVENT(alert, "Alert", WITH_OPTIONS("left_open"));
SKETCH_TEXT_SENSOR(challenge, 32, "Challenge", AS_DIAGNOSTIC, DISABLED_AT_FIRST);
SKETCH_TEXT(authorize, 77, "Authorize", AS_SETTING, DISABLED_AT_FIRST);
SKETCH_TEXT_SENSOR(pins, 76, "PINs", AS_DIAGNOSTIC, DISABLED_AT_FIRST);

SketchExchange exchange(key, challenge);

bool wasLinked, isPulsing, wasPulsed, closesLater, opensNow, closesNow, isClosing, hasAlerted;
uint32_t pulsedAt, openedAt, closedAt, attendedAt;

// MARK: The door

// A relay that stays closed is a button that stays pressed.
void setRelay(bool isOn) {
  SketchWatchdog::watch(isOn);
  digitalWrite(relayPin, isOn ? RELAY : !RELAY);
}

// Two pulses that run into each other would be one for the drive.
bool mayPulse() { return !wasPulsed || millis() - pulsedAt >= pulseTime + pulseGap; }

void pulse() {
  setRelay(true);
  isPulsing = wasPulsed = true;
  pulsedAt = millis();
}

void open() {
  pulse();
  closesLater = true;
  opensNow = closesNow = isClosing = hasAlerted = false;
  openedAt = millis();
}

void close() {
  pulse();
  closesLater = false;
  isClosing = true;
  closedAt = millis();
}

SketchCover::State position() {
  const bool isTravelling = isClosing ? millis() - closedAt < travelTime : millis() - openedAt < travelTime;
#if SENSOR
  if (digitalRead(sensorPin) == LOW && !(closesLater && isTravelling)) return SketchCover::Closed;
  if (isClosing) return isTravelling ? SketchCover::Closing : SketchCover::Open;
  return closesLater && isTravelling ? SketchCover::Opening : SketchCover::Open;
#else
  if (isClosing) return isTravelling ? SketchCover::Closing : SketchCover::Closed;
  if (!closesLater) return SketchCover::Closed;
  return isTravelling ? SketchCover::Opening : SketchCover::Open;
#endif
}

// Also one that was open when the power came, or that somebody opened by hand.
void watchForLeftOpen(SketchCover::State now) {
  if (now == SketchCover::Closed) isClosing = hasAlerted = false;
  if (now != SketchCover::Open || closesLater) attendedAt = millis();
  if (hasAlerted || millis() - attendedAt < (isClosing ? alertTime : unattendedTime)) return;
  hasAlerted = true;
  alert.fire(0);
}

void watchDoor() {
  if (isPulsing && millis() - pulsedAt >= pulseTime) {
    isPulsing = false;
    setRelay(false);
  }
  // So that much later the clock's turning over is no pulse.
  if (wasPulsed && mayPulse()) wasPulsed = false;
  if (opensNow && mayPulse()) open();
  const bool isDue = closesNow || millis() - openedAt >= (uint32_t)closing_interval.value() * 1000;
  if (closesLater && isDue && mayPulse()) {
    // A door that somebody closed by hand would be opened by a pulse.
    if (position() == SketchCover::Closed) {
      closesLater = false;
    } else {
      close();
    }
  }
  const SketchCover::State now = position();
  door.set(now);
  watchForLeftOpen(now);
}

// MARK: The authenticated exchange

// What is sealed: a place, and the PIN for it.
struct Change {
  uint8_t place, pin[Pins::length];
};

// `garage-1`, challenge, command, place, a byte 0, the PIN of who commands, and the one that was sealed.
void beginWord(SketchHmac &hmac, char command, uint8_t place) {
  exchange.beginAnswer(hmac, "garage-1");
  hmac.add((uint8_t)command);
  hmac.add(place);
  hmac.add(0);
}

void addPin(SketchHmac &hmac, uint8_t slot) {
  uint8_t pin[Pins::length];
  Pins::read(slot, pin);
  hmac.add(pin, sizeof pin);
}

// To move the door, by anybody's PIN but the master's.
bool isRight(char command, const char *tag) {
  bool isFound = false;
  SketchHmac begun;
  beginWord(begun, command, 0);
  for (uint8_t slot = 1; slot < Pins::count; slot++) {
    if (!Pins::isUsed(slot)) continue;
    SketchHmac hmac = begun;
    addPin(hmac, slot);
    if (SketchExchange::isTag(hmac, tag)) isFound = true;
  }
  return isFound;
}

// About a PIN, by the master's.
bool isRight(char command, const Change &change, const char *tag) {
  SketchHmac hmac;
  beginWord(hmac, command, change.place);
  addPin(hmac, 0);
  hmac.add(change.pin, sizeof change.pin);
  return SketchExchange::isTag(hmac, tag);
}

// The tag of `garage-s` and the tag is what the PIN is covered with.
bool unseal(Change &change, const char *digits) {
  uint8_t tag[SketchHmac::length];
  if (!SketchExchange::readHex(digits, tag, sizeof tag)) return false;
  SketchHmac hmac;
  exchange.beginTag(hmac, "garage-s");
  hmac.add(tag, sizeof tag);
  hmac.end(tag);
  for (uint8_t at = 0; at < Pins::length; at++) change.pin[at] ^= tag[at];
  return true;
}

// The word about a PIN behind its letter.
bool readChange(char command, const char *word, Change &change) {
  const char *tag = SketchExchange::readHex(word, (uint8_t *)&change, sizeof change);
  // The master's place is the sketch's.
  return tag && change.place > 0 && change.place < Pins::count && unseal(change, tag) &&
         isRight(command, change, tag);
}

// Who has the key can tell from them which PIN is where, and nobody else: the first two bytes of the tag of
// `garage-p`, the place and the PIN.
void tellPlaces() {
  char text[4 * (Pins::count - 1) + 1];
  char *out = text;
  for (uint8_t slot = 1; slot < Pins::count; slot++) {
    if (!Pins::isUsed(slot)) {
      memcpy(out, "----", 5);
      out += 4;
      continue;
    }
    uint8_t mark[SketchHmac::length];
    SketchHmac hmac;
    exchange.beginTag(hmac, "garage-p");
    hmac.add(slot);
    addPin(hmac, slot);
    hmac.end(mark);
    out = SketchExchange::writeHex(out, mark, 2);
  }
  pins.set(text);
}

bool changePin(char command, const Change &change) {
  if (command == 'D') {
    Pins::clear(change.place);
  } else {
    const uint8_t holder = Pins::find(change.pin);
    if (holder != Pins::count && holder != change.place) return board.refuse(Invalid, F("this PIN is taken"));
    Pins::write(change.place, change.pin);
  }
  tellPlaces();
  return true;
}

bool moveDoor(char command) {
  const SketchCover::State now = position();
  if (command == 'O') {
    if (now != SketchCover::Closed) return board.refuse(NotNow, F("the door is not closed"));
    opensNow = true;
  } else if (now == SketchCover::Open || now == SketchCover::Opening) {
    closesLater = closesNow = true;
  }
  // Now, or as soon as the relay may pulse again.
  watchDoor();
  return true;
}

// However many wrong answers come, the next right one is heard: nobody finds a tag by trying, and a lock would
// keep out its owner alone.
bool authorizeWanted(const char *word) {
  const char command = *word;
  const bool isOfPins = command == 'P' || command == 'D';
  Change change;
  const bool isGood = isOfPins ? readChange(command, word + 1, change)
                               : (command == 'O' || command == 'C') && isRight(command, word + 1);
  // Whatever it was, this challenge has had its answer.
  exchange.renew();
  authorize.set("");
  if (!isGood) return board.refuse(Invalid, F("not the answer to the challenge"));
  return isOfPins ? changePin(command, change) : moveDoor(command);
}

// Without an answer to the challenge the door stays as it is.
bool doorWanted(uint8_t) { return board.refuse(Invalid, F("authorize it")); }

// MARK: Settings

bool intervalWanted(float seconds) {
  EEPROM.put(intervalAddress, (uint16_t)seconds);
  return true;
}

bool lightWanted(uint8_t on) {
  digitalWrite(lightPin, on);
  return true;
}

// MARK: As it always spoke

uint8_t packet[12], packetLength, wrongInARow;
uint32_t packetAt, wrongAt;

bool takeByte(uint8_t byte) {
  // A longer one is none of ours.
  if (packetLength <= sizeof packet) packetLength++;
  if (packetLength <= sizeof packet) packet[packetLength - 1] = byte;
  packetAt = millis();
  return false;
}

void tellPins() {
  for (uint8_t slot = 1; slot < Pins::count; slot++) {
    if (!Pins::isUsed(slot)) continue;
    uint8_t entry[Pins::slotLength] = {slot};
    Pins::read(slot, entry + 1);
    connection.write(entry, sizeof entry);
  }
  const uint8_t end = 0xFF;
  connection.write(&end, 1);
}

void manage(const uint8_t *command, uint8_t length) {
  switch (command[0]) {
  case 'P':
    if (length == 1) tellPins();
    return;
  case 'A':
    if (length == 1 + Pins::length && Pins::find(command + 1) == Pins::count) Pins::add(command + 1);
    break;
  // The master's own place is the sketch's.
  case 'E':
    if (length == 2 + Pins::length && command[1] > 0 && command[1] < Pins::count) {
      Pins::write(command[1], command + 2);
    }
    break;
  case 'D':
    if (length == 2 && command[1] > 0 && command[1] < Pins::count) Pins::clear(command[1]);
    break;
  }
  tellPlaces();
}

// A PIN of five digits is found by trying, unless that takes long.
bool isTrying() { return wrongInARow >= mostWrong && millis() - wrongAt < deafTime; }

void obeyPacket() {
  if (!packetLength || millis() - packetAt < packetGap) return;
  const uint8_t length = packetLength;
  packetLength = 0;
  if (length <= Pins::length || length > sizeof packet || isTrying()) return;
  const uint8_t slot = Pins::find(packet);
  if (slot == Pins::count) {
    if (wrongInARow < mostWrong) wrongInARow++;
    wrongAt = millis();
    return;
  }
  wrongInARow = 0;
  const uint8_t *command = packet + Pins::length;
  if (length == Pins::length + 3 && !memcmp(command, "O=1", 3)) {
    if (mayPulse()) open();
  } else if (slot == 0) {
    manage(command, length - Pins::length);
  }
}

void speakAsEver() {
  const bool isLinkedNow = isLinked();
  if (isLinkedNow != wasLinked) {
    wasLinked = isLinkedNow;
    packetLength = 0;
    if (isLinkedNow) {
      board.linkUp();
    } else {
      board.linkDown();
    }
  }
#if CLASSIC
  if (isLinkedNow && !board.isHeard()) obeyPacket();
#endif
}

void setup() {
  setRelay(false);
  pinMode(relayPin, OUTPUT);
  pinMode(lightPin, OUTPUT);
  pinMode(sensorPin, INPUT_PULLUP);
  Pins::write(0, (const uint8_t *)MASTER_PIN);
  uint16_t interval;
  EEPROM.get(intervalAddress, interval);
  closing_interval.set((long)(interval >= 5 && interval <= 600 ? interval : 30));
  light.set(false);
  authorize.set("");
  exchange.begin(SketchStarts<startsAddress>::next());
  tellPlaces();

  door.onCommand(doorWanted);
  closing_interval.onCommand(intervalWanted);
  light.onCommand(lightWanted);
  authorize.onCommand(authorizeWanted);

  beginLink();
  SketchStoredIdentity<identityAddress>::use(board);
  board.onOther(takeByte);
  board.beQuiet();
  board.begin(connection);
  board.linkDown();
}

void loop() {
  SketchWatchdog::turn();
  watchDoor();
  exchange.loop(board);
  speakAsEver();
  board.loop();
}
