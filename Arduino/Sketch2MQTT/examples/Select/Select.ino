// A fan with four speeds (PWM on pin 9). The handler is asked before a command is taken.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Fan");
SKETCH_SELECT(speed, "Speed", WITH_OPTIONS("off", "low", "medium", "high"));

bool speedWanted(uint8_t option) {
  const uint8_t duty[] = {0, 80, 160, 255};
  analogWrite(9, duty[option]);
  return true;
}

void setup() {
  speed.onCommand(speedWanted);
  speed.set(0);
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() { board.loop(); }
