// A thermostat: the target temperature is set from Home Assistant, the relay is on pin 13.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Thermostat");
SKETCH_NUMBER(target, "Target temperature", WITH_RANGE(5, 30, 0.5), WITH_UNIT("°C"),
              WITH_CLASS("temperature"), WITH_DECIMALS(1));
SKETCH_SENSOR(temperature, "Temperature", WITH_UNIT("°C"), WITH_CLASS("temperature"), WITH_MEASUREMENT,
              WITH_DECIMALS(1));

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  target.set(20);
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  temperature.set(analogRead(A0) * 0.05f);
  digitalWrite(LED_BUILTIN, temperature.value() < target.value());
  board.loop();
}
