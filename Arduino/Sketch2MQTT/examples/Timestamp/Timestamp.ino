// When the fish are fed next. A real sketch reads the time from a clock chip.
#include <Sketch2MQTT.h>

const uint32_t startOfClock = 1700000000;
const uint32_t interval = 8 * 3600UL;

SKETCH_BOARD(board, "Fish feeder");
SKETCH_TIMESTAMP(next_feeding, "Next feeding");

void setup() {
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  const uint32_t seconds = millis() / 1000;
  next_feeding.set(startOfClock + (seconds / interval + 1) * interval);
  board.loop();
}
