// A pump that can be switched from Home Assistant, and with a push button at the board (pin 2).
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Fountain");
SKETCH_SWITCH(pump, "Pump", WITH_ICON("mdi:fountain"));

bool wasPressed;

void setup() {
  pinMode(2, INPUT_PULLUP);
  pinMode(LED_BUILTIN, OUTPUT);
  pump.set(false);
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  const bool isPressed = digitalRead(2) == LOW;
  if (isPressed && !wasPressed) pump.set(!pump.isOn());
  wasPressed = isPressed;
  digitalWrite(LED_BUILTIN, pump.isOn());
  board.loop();
}
