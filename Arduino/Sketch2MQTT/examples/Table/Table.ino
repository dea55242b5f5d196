// A table of timers that are put and deleted by name: {"name":"eggs","minutes":6}.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Kitchen");
SKETCH_TABLE(timers, 4, 40, "Timers");

struct Timer {
  char name[9];
  uint8_t minutes;
};
Timer kept[4];

void writeRow(uint8_t row, SketchRow &out) {
  if (!kept[row].name[0]) return;
  out.text(F("name"), kept[row].name);
  out.number(F("minutes"), kept[row].minutes);
}

// The row of a name; the first empty one for "", 4 if there is none.
uint8_t rowOf(const char *name) {
  uint8_t row = 0;
  while (row < 4 && strcmp(kept[row].name, name) != 0) row++;
  return row;
}

bool putTimer(const SketchObject &given) {
  Timer timer;
  int32_t minutes;
  if (!given.text(F("name"), timer.name, sizeof timer.name) || !timer.name[0]) return board.refuse(Invalid);
  if (!given.number(F("minutes"), minutes)) return board.refuse(Invalid);
  if (minutes < 1 || minutes > 99) return board.refuse(OutOfRange);
  timer.minutes = (uint8_t)minutes;
  uint8_t row = rowOf(timer.name);
  if (row == 4) row = rowOf("");
  if (row == 4) return board.refuse(Full);
  kept[row] = timer;
  timers.changed(row);
  return true;
}

bool deleteTimer(const char *name) {
  const uint8_t row = rowOf(name);
  if (row == 4 || !*name) return board.refuse(Invalid, F("no such timer"));
  kept[row].name[0] = 0;
  timers.changed(row);
  return true;
}

void setup() {
  timers.onRow(writeRow);
  timers.onPut(putTimer);
  timers.onDelete(deleteTimer);
  timers.changed();
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() { board.loop(); }
