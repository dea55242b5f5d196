// A sketch that has always taken one letter at a time, and still does: `1` and `0` switch the lamp. While a
// bridge listens, letters outside of its lines are ignored.
//
// A byte counts as a letter only if it stands alone for a while: what is left of a damaged line then switches
// nothing.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Lamp");
SKETCH_SWITCH(lamp, "Lamp");

uint8_t letter;
uint8_t lettersSeen;
uint32_t letterAt;

bool takeLetter(uint8_t byte) {
  letter = byte;
  letterAt = millis();
  if (lettersSeen < 255) lettersSeen++;
  return false;
}

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  lamp.set(false);
  Serial.begin(115200);
  board.onOther(takeLetter);
  board.begin(Serial);
}

void loop() {
  if (lettersSeen && millis() - letterAt > 50) {
    if (lettersSeen == 1 && (letter == '0' || letter == '1')) lamp.set(letter == '1');
    lettersSeen = 0;
  }
  digitalWrite(LED_BUILTIN, lamp.isOn());
  board.loop();
}
