// A doorbell on pin 2 that tells a short ring from a long one.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Doorbell");
SKETCH_EVENT(bell, "Bell", WITH_CLASS("doorbell"), WITH_OPTIONS("short", "long"));

uint32_t pressedAt;
bool wasPressed;

void setup() {
  pinMode(2, INPUT_PULLUP);
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  const bool isPressed = digitalRead(2) == LOW;
  const uint32_t held = millis() - pressedAt;
  if (isPressed && !wasPressed) pressedAt = millis();
  if (!isPressed && wasPressed && held > 30) bell.fire(held < 800 ? 0 : 1);
  wasPressed = isPressed;
  board.loop();
}
