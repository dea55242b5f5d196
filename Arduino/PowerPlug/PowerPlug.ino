// A mains plug that keeps a schedule of its own, also while nobody is connected and after a power cut.
//
// Wiring: pin 5 through 330 Ω to the LED of an optocoupler for triacs (MOC3041), which switches the triac.
// Mains voltage kills: a closed case, and no USB cable while the plug is in the wall. The link is wired as the
// library's SketchLink.h says. A Wi-Fi shield has pins 4, 7 and 10 to 13 for itself, and brings the time; with
// any other link a clock chip (DS3231) brings it, on A4 and A5, on a Mega on 20 and 21.
//
// The schedule is kept in the EEPROM, or as a file on the shield's SD card: STORE CARD, which takes a Mega,
// for the card's library needs half of an UNO's memory.
//
// Two ways of speaking, on one link:
// - as it always did, to phone apps: `S`, mode, state to who connects; `A` brings the schedule, `U` and `D`
//   write and clear a slot of it, `S` 0 and 1 switch by hand, `S` 2 gives the plug back to its schedule.
// - to a bridge that greets it, in lines (library Sketch2MQTT).

#ifndef LINK
#define LINK WIFI
#endif
#define LINK_NAME "S2MPlug"
#define LINK_RX 8
#define LINK_TX 9
#define LINK_NETWORK "network"
#define LINK_PASSWORD "password"
#define LINK_PORT 230

#ifndef STORE
#define STORE CELLS
#endif

#include <SketchLink.h>

#include <EEPROM.h>
#include <Sketch2MQTT.h>
#include <SketchStoredIdentity.h>

#include "Activation.h"
#include "Calendar.h"
#include "Clock.h"
#include "Store.h"

const uint8_t triacPin = 5;
const uint8_t slotCount = 10;
const uint16_t turnInterval = 500, commandTime = 2000;
const uint8_t packetInterval = LINK == WIFI || LINK == USB ? 1 : 20;

SKETCH_BOARD_TAKING(112, board, "Power plug", WITH_VERSION("1.0"));
SKETCH_SWITCH(power, "", WITH_CLASS("outlet"));
SKETCH_SELECT(mode, "Mode", WITH_OPTIONS("automatic", "manual"));
SKETCH_TABLE(schedule, 10, 112, "Schedule", WITH_ICON("mdi:calendar-multiple"));
SKETCH_TIMESTAMP(next_switch, "Next switch");
SKETCH_TEXT_SENSOR(running, 20, "Running");
SKETCH_BINARY_SENSOR(clash, "Clash", WITH_CLASS("problem"));

enum Mode : uint8_t { Automatic = 0, Manual = 1 };

Activation table[slotCount];
bool isOn, wasLinked, isStale;
Mode operation;
uint32_t turnedAt, staleAt;

// MARK: Switching

void setPower(bool on) {
  isOn = on;
  power.set(on);
  digitalWrite(triacPin, on);
}

bool isOnAt(uint32_t time) {
  for (const Activation &each : table) {
    if (each.isOnAt(time)) return true;
  }
  return false;
}

// Where activations overlap or touch, their edges switch nothing.
uint32_t nextSwitchAfter(uint32_t time) {
  const bool before = isOnAt(time);
  for (uint8_t steps = 2 * slotCount + 2; steps; steps--) {
    uint32_t edge = 0;
    for (const Activation &each : table) {
      const uint32_t next = each.edgeAfter(time);
      if (next && (!edge || next < edge)) edge = next;
    }
    if (!edge) return 0;
    if (isOnAt(edge) != before) return edge;
    time = edge;
  }
  return 0;
}

bool hasClash(uint32_t time) {
  for (uint8_t slot = 1; slot < slotCount; slot++) {
    for (uint8_t other = 0; other < slot; other++) {
      if (table[slot].meets(table[other], time)) return true;
    }
  }
  return false;
}

void tellSchedule(uint32_t time) {
  isStale = false;
  staleAt = time;
  clash.set(hasClash(time));
  const Activation *first = nullptr;
  for (const Activation &each : table) {
    if (!first && operation == Automatic && time && each.isOnAt(time)) first = &each;
  }
  if (first) {
    running.set(first->name);
  } else {
    running.set(F("none"));
  }
  const uint32_t next = operation == Automatic && time ? nextSwitchAfter(time) : 0;
  if (next) {
    next_switch.set(next);
  } else {
    next_switch.forget();
  }
}

// What the schedule says now. Starts that move on are not stored: they are found again after a power cut, and
// the cells of an EEPROM wear.
void turn() {
  const uint32_t time = now();
  if (operation == Automatic) {
    for (uint8_t slot = 0; time && slot < slotCount; slot++) {
      if (!table[slot].moveOn(time)) continue;
      schedule.changed(slot);
      isStale = true;
    }
    const bool wanted = time && isOnAt(time);
    if (wanted != isOn) {
      setPower(wanted);
      isStale = true;
    }
  }
  if (isStale || time < staleAt || time - staleAt > 60) tellSchedule(time);
}

void setMode(Mode wanted) {
  operation = wanted;
  mode.set(wanted);
  isStale = true;
  turn();
}

void switchByHand(bool on) {
  setPower(on);
  setMode(Manual);
}

bool powerWanted(uint8_t on) {
  switchByHand(on);
  return true;
}

bool modeWanted(uint8_t wanted) {
  setMode((Mode)wanted);
  return true;
}

// MARK: The schedule

void keepSlot(uint8_t slot) {
  table[slot].name[20] = 0;
  storeTable(table, slotCount);
  schedule.changed(slot);
  isStale = true;
  turn();
}

void clearSlot(uint8_t slot) {
  memset(&table[slot], 0, sizeof table[slot]);
  keepSlot(slot);
}

// The slot of a name; the first free one for "", slotCount if there is none.
uint8_t slotOf(const char *name) {
  uint8_t slot = 0;
  while (slot < slotCount && strcmp(table[slot].name, name) != 0) slot++;
  return slot;
}

bool isPrintable(const char *text) {
  while (*text >= 0x20 && *text < 0x7F) text++;
  return !*text;
}

void writeRow(uint8_t row, SketchRow &out) {
  const Activation &each = table[row];
  if (each.isFree() || !isPrintable(each.name)) return;
  char moment[momentLength + 1];
  writeMoment(moment, each.start);
  out.text(F("name"), each.name);
  out.text(F("start"), moment);
  out.number(F("length"), each.length);
  out.number(F("period"), each.period);
}

bool putActivation(const SketchObject &given) {
  Activation wanted;
  char moment[momentLength + 1];
  uint32_t start;
  int32_t length, period;
  const bool isNamed = given.text(F("name"), wanted.name, sizeof wanted.name) && wanted.name[0];
  if (!isNamed || !isPrintable(wanted.name)) {
    return board.refuse(Invalid, F("a name has 1 to 20 printable ASCII characters"));
  }
  if (!given.text(F("start"), moment, sizeof moment) || !readMoment(moment, start)) {
    return board.refuse(Invalid, F("a start is written 2027-05-01T06:00:00Z"));
  }
  if (!given.number(F("length"), length) || !given.number(F("period"), period)) {
    return board.refuse(Invalid, F("length and period are minutes"));
  }
  if (length < 1 || length > 65535 || period < 0 || period > 65535 || (period && length >= period)) {
    return board.refuse(OutOfRange, F("a length is 1 at least and shorter than the period"));
  }
  uint8_t slot = slotOf(wanted.name);
  if (slot == slotCount) slot = slotOf("");
  if (slot == slotCount) return board.refuse(Full);
  memset(&table[slot], 0, sizeof table[slot]);
  strcpy(table[slot].name, wanted.name);
  table[slot].start = start;
  table[slot].length = (uint16_t)length;
  table[slot].period = (uint16_t)period;
  keepSlot(slot);
  return true;
}

bool deleteActivation(const char *name) {
  const uint8_t slot = slotOf(name);
  if (slot == slotCount || !*name) return board.refuse(Invalid, F("no activation has this name"));
  clearSlot(slot);
  return true;
}

// MARK: As it always spoke

// `U`, a slot and its bytes is the longest.
uint8_t command[2 + sizeof(Activation)];
uint8_t commandLength;
uint32_t commandAt, packetAt;
// How much of the schedule's message is sent; behind its end while none is.
const uint16_t tableEnd = 1 + sizeof table;
uint16_t tableAt = tableEnd;

void sendStatus() {
  const uint8_t status[] = {'S', operation, isOn};
  connection.write(status, sizeof status);
}

void sendTable() {
  if (tableAt == tableEnd || board.isSending() || millis() - packetAt < packetInterval) return;
  packetAt = millis();
  uint8_t packet[20];
  uint8_t length = 0;
  while (length < sizeof packet && tableAt + length < tableEnd) {
    const uint16_t at = (uint16_t)(tableAt + length);
    packet[length++] = at ? ((const uint8_t *)table)[at - 1] : 'A';
  }
  tableAt = (uint16_t)(tableAt + connection.write(packet, length));
}

void obeyCommand() {
  const uint8_t argument = command[1];
  switch (command[0]) {
    case 'A':
      if (!LINK_KNOWS_CLIENTS) sendStatus();
      tableAt = 0;
      break;
    case 'U':
      if (argument >= slotCount) break;
      memcpy(&table[argument], command + 2, sizeof(Activation));
      keepSlot(argument);
      break;
    case 'D':
      if (argument < slotCount) clearSlot(argument);
      break;
    case 'S':
      if (argument <= 1) {
        switchByHand(argument);
      } else if (argument == 2) {
        setMode(Automatic);
      }
      break;
  }
}

uint8_t lengthOf(uint8_t letter) {
  switch (letter) {
    case 'A': return 1;
    case 'S':
    case 'D': return 2;
    case 'U': return sizeof command;
    default: return 0;
  }
}

bool takeByte(uint8_t byte) {
  if (millis() - commandAt > commandTime) commandLength = 0;
  commandAt = millis();
  if (!commandLength && !lengthOf(byte)) return false;
  command[commandLength++] = byte;
  if (commandLength < lengthOf(command[0])) return true;
  commandLength = 0;
  obeyCommand();
  return false;
}

void speakAsEver() {
  const bool isLinkedNow = isLinked();
  if (isLinkedNow != wasLinked) {
    wasLinked = isLinkedNow;
    commandLength = 0;
    tableAt = tableEnd;
    if (isLinkedNow) {
      board.linkUp();
      sendStatus();
    } else {
      board.linkDown();
    }
  }
  if (isLinkedNow && !board.isHeard()) sendTable();
}

void setup() {
  pinMode(triacPin, OUTPUT);
  beginStore();
  if (!loadTable(table, slotCount)) memset(table, 0, sizeof table);
  for (Activation &each : table) each.name[20] = 0;

  power.set(false);
  mode.set(Automatic);
  schedule.changed();
  isStale = true;
  power.onCommand(powerWanted);
  mode.onCommand(modeWanted);
  schedule.onRow(writeRow);
  schedule.onPut(putActivation);
  schedule.onDelete(deleteActivation);

  beginLink();
  beginClock();
  SketchStoredIdentity<0>::use(board);
  board.onOther(takeByte);
  board.beQuiet();
  board.begin(connection);
  board.linkDown();
}

void loop() {
  turnClock();
  if (millis() - turnedAt >= turnInterval) {
    turnedAt = millis();
    turn();
  }
  speakAsEver();
  board.loop();
}
