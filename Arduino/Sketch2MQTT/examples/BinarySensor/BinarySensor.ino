// A reed switch on pin 2 tells whether a window is open.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Window");
SKETCH_BINARY_SENSOR(window, "Window", WITH_CLASS("window"));

void setup() {
  pinMode(2, INPUT_PULLUP);
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  window.set(digitalRead(2) == HIGH);
  board.loop();
}
