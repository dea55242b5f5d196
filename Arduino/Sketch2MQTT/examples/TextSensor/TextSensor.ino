// What a washing machine is doing, in words of the sketch's own.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Washing machine");
SKETCH_TEXT_SENSOR(phase, 12, "Phase");

void setup() {
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  const int current = analogRead(A0);
  phase.set(current < 20 ? F("off") : current < 300 ? F("rinsing") : F("spinning"));
  board.loop();
}
