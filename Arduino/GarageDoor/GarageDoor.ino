// A relay across the button of a garage door's opener, for whoever knows a PIN.
//
// Wiring: relay 8, a contact that is closed (to ground) while the door is closed 7, light 6. Without the contact
// SENSOR is 0, and where the door is follows from the time. The link is wired as the library's SketchLink.h says.
//
// The relay is a toggle: a pulse of 300 ms starts the drive or turns it around. A while after opening a second
// pulse closes the door.
//
// Two ways of speaking, on one link:
// - as it always did, to phone apps, each message beginning with the sender's PIN: `O=1` opens; with the master's
//   `P` tells the PINs, `A` adds, `E` changes and `D` deletes one. Whoever overhears a PIN has it: with CLASSIC 0
//   nothing of this is heard any more.
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

#define LINK_NETWORK "network"
#define LINK_PASSWORD "password"
#define LINK_PORT 230
#include <SketchLink.h>

#include <EEPROM.h>
#include <Sketch2MQTT.h>
#include <SketchStoredIdentity.h>

#include "Hmac.h"
#include "Pins.h"

// To be chosen by the owner: five characters, and 32 bytes that nobody can guess.
const char masterPin[] = "00000";
const uint8_t key[32] PROGMEM = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a,
                                 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15,
                                 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f};

const uint8_t relayPin = 8, sensorPin = 7, lightPin = 6;
const uint16_t pulseTime = 300, packetGap = 50;
const uint32_t travelTime = 15000, alertTime = 30000, challengeTime = 60000, lockTime = 60000;
const uint8_t mostWrong = 5;
// Behind the PINs: the identity, how often the board was started, the closing interval.
const int identityAddress = 128, startsAddress = 136, intervalAddress = 140;

SKETCH_BOARD_TAKING(96, board, "Garage door", WITH_VERSION("1.0"));
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

bool wasLinked, wasHeard, isPulsing, closesLater, isClosing, hasAlerted, isLocked;
uint32_t pulsedAt, openedAt, closedAt, challengedAt, lockedAt;
uint32_t starts, challenges;
uint8_t nonce[16], wrongInARow;

// MARK: The door

void pulse() {
  digitalWrite(relayPin, HIGH);
  isPulsing = true;
  pulsedAt = millis();
}

void open() {
  pulse();
  closesLater = true;
  isClosing = hasAlerted = false;
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

void watchDoor() {
  if (isPulsing && millis() - pulsedAt >= pulseTime) {
    isPulsing = false;
    digitalWrite(relayPin, LOW);
  }
  if (closesLater && millis() - openedAt >= (uint32_t)closing_interval.value() * 1000) {
    // A door that somebody closed by hand would be opened by a pulse.
    if (position() == SketchCover::Closed) {
      closesLater = false;
    } else {
      close();
    }
  }
  const SketchCover::State now = position();
  door.set(now);
  if (now == SketchCover::Closed) {
    isClosing = hasAlerted = false;
  } else if (now == SketchCover::Open && isClosing && !hasAlerted &&
             millis() - closedAt >= travelTime + alertTime) {
    hasAlerted = true;
    alert.fire(0);
  }
}

// MARK: The authenticated exchange

char *putHex(char *out, const uint8_t *bytes, uint8_t count) {
  for (uint8_t at = 0; at < 2 * count; at++) {
    const uint8_t digit = at & 1 ? bytes[at / 2] & 15 : bytes[at / 2] >> 4;
    *out++ = digit < 10 ? '0' + digit : 'a' + digit - 10;
  }
  *out = 0;
  return out;
}

bool readHex(const char *digits, uint8_t *bytes, uint8_t count) {
  for (uint8_t at = 0; at < 2 * count; at++) {
    const char digit = digits[at];
    uint8_t value;
    if (digit >= '0' && digit <= '9') {
      value = digit - '0';
    } else if (digit >= 'a' && digit <= 'f') {
      value = digit - 'a' + 10;
    } else {
      return false;
    }
    bytes[at / 2] = (uint8_t)(at & 1 ? bytes[at / 2] | value : value << 4);
  }
  return true;
}

bool readTag(const char *digits, uint8_t *tag) {
  return readHex(digits, tag, Hmac::length) && digits[2 * Hmac::length] == 0;
}

void beginTag(Hmac &hmac) {
  uint8_t bytes[sizeof key];
  memcpy_P(bytes, key, sizeof key);
  hmac.begin(bytes, sizeof bytes);
}

// Nobody without the key can tell it before, and it never comes twice.
void renewChallenge() {
  uint8_t hash[Hmac::length];
  char text[2 * sizeof nonce + 1];
  const uint32_t parts[3] = {starts, ++challenges, (uint32_t)micros()};
  Hmac hmac;
  beginTag(hmac);
  hmac.add((const uint8_t *)"challenge", 9);
  hmac.add((const uint8_t *)parts, sizeof parts);
  hmac.end(hash);
  memcpy(nonce, hash, sizeof nonce);
  putHex(text, nonce, sizeof nonce);
  challenge.set(text);
  challengedAt = millis();
}

// What is sealed: a place, and the PIN for it.
struct Change {
  uint8_t place, pin[Pins::length];
};

// `garage-1`, challenge, command, place, a byte 0, the PIN of who commands, and the one that was sealed.
bool isRight(uint8_t slot, char command, const Change *change, const uint8_t *tag) {
  uint8_t own[Hmac::length], pin[Pins::length];
  Pins::read(slot, pin);
  Hmac hmac;
  beginTag(hmac);
  hmac.add((const uint8_t *)"garage-1", 8);
  hmac.add(nonce, sizeof nonce);
  hmac.add((uint8_t)command);
  hmac.add(change ? change->place : 0);
  hmac.add(0);
  hmac.add(pin, sizeof pin);
  if (change) hmac.add(change->pin, sizeof change->pin);
  hmac.end(own);
  return Hmac::isEqual(own, tag);
}

// To move the door, by anybody's PIN but the master's.
bool isRight(char command, const uint8_t *tag) {
  bool isFound = false;
  for (uint8_t slot = 1; slot < Pins::count; slot++) {
    if (Pins::isUsed(slot) && isRight(slot, command, nullptr, tag)) isFound = true;
  }
  return isFound;
}

// The tag of `garage-s` and the tag is what the PIN is covered with.
void unseal(Change &change, const uint8_t *tag) {
  uint8_t cover[Hmac::length];
  Hmac hmac;
  beginTag(hmac);
  hmac.add((const uint8_t *)"garage-s", 8);
  hmac.add(tag, Hmac::length);
  hmac.end(cover);
  for (uint8_t at = 0; at < Pins::length; at++) change.pin[at] ^= cover[at];
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
    uint8_t mark[Hmac::length], pin[Pins::length];
    Pins::read(slot, pin);
    Hmac hmac;
    beginTag(hmac);
    hmac.add((const uint8_t *)"garage-p", 8);
    hmac.add(slot);
    hmac.add(pin, sizeof pin);
    hmac.end(mark);
    out = putHex(out, mark, 2);
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
  if (command == 'O') {
    if (position() != SketchCover::Closed) return board.refuse(NotNow, F("the door is not closed"));
    open();
  } else if (position() == SketchCover::Open || position() == SketchCover::Opening) {
    close();
  }
  return true;
}

bool authorizeWanted(const char *word) {
  if (isLocked) return board.refuse(LockedOut, F("too many wrong answers"));
  const char command = *word++;
  const bool isOfPins = command == 'P' || command == 'D';
  bool isGood = isOfPins || command == 'O' || command == 'C';
  uint8_t tag[Hmac::length];
  Change change;
  if (isGood && isOfPins) {
    isGood = readHex(word, (uint8_t *)&change, sizeof change);
    // The master's place is the sketch's.
    isGood = isGood && change.place > 0 && change.place < Pins::count;
    word += 2 * sizeof change;
  }
  isGood = isGood && readTag(word, tag);
  if (isGood && isOfPins) unseal(change, tag);
  isGood = isGood && (isOfPins ? isRight(0, command, &change, tag) : isRight(command, tag));
  // Whatever it was, this challenge has had its answer.
  renewChallenge();
  authorize.set("");
  if (!isGood) {
    if (++wrongInARow >= mostWrong) {
      isLocked = true;
      lockedAt = millis();
    }
    return board.refuse(Invalid, F("not the answer to the challenge"));
  }
  wrongInARow = 0;
  return isOfPins ? changePin(command, change) : moveDoor(command);
}

// Without an answer to the challenge the door stays as it is.
bool doorWanted(uint8_t) { return board.refuse(Invalid, F("authorize it")); }

void watchChallenge() {
  const bool isHeard = board.isHeard();
  if ((wasHeard && !isHeard) || millis() - challengedAt >= challengeTime) renewChallenge();
  wasHeard = isHeard;
  if (isLocked && millis() - lockedAt >= lockTime) {
    isLocked = false;
    wrongInARow = 0;
  }
}

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

uint8_t packet[12], packetLength;
uint32_t packetAt;

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

void obeyPacket() {
  if (!packetLength || millis() - packetAt < packetGap) return;
  const uint8_t length = packetLength;
  packetLength = 0;
  if (length <= Pins::length || length > sizeof packet) return;
  const uint8_t slot = Pins::find(packet);
  if (slot == Pins::count) return;
  const uint8_t *command = packet + Pins::length;
  if (length == Pins::length + 3 && !memcmp(command, "O=1", 3)) {
    open();
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
  pinMode(relayPin, OUTPUT);
  pinMode(lightPin, OUTPUT);
  pinMode(sensorPin, INPUT_PULLUP);
  Pins::write(0, (const uint8_t *)masterPin);
  EEPROM.get(startsAddress, starts);
  EEPROM.put(startsAddress, ++starts);
  uint16_t interval;
  EEPROM.get(intervalAddress, interval);
  closing_interval.set((long)(interval >= 5 && interval <= 600 ? interval : 30));
  light.set(false);
  authorize.set("");
  renewChallenge();
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
  watchDoor();
  watchChallenge();
  speakAsEver();
  board.loop();
}
