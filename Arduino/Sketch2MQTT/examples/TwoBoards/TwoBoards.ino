// One sketch for several boards: each gets a number of its own from the first bridge that it meets, and keeps
// it in its EEPROM (six bytes from address 0 on).
#include <Sketch2MQTT.h>
#include <SketchStoredIdentity.h>

SKETCH_BOARD(board, "Plant", WITH_VERSION("1.0"));
SKETCH_SENSOR(moisture, "Moisture", WITH_UNIT("%"), WITH_CLASS("moisture"), WITH_MEASUREMENT,
              WITH_DECIMALS(0));

void setup() {
  Serial.begin(115200);
  SketchStoredIdentity<0>::use(board);
  board.begin(Serial);
}

void loop() {
  moisture.set(map(analogRead(A0), 0, 1023, 0, 100));
  board.loop();
}
