// A thermometer (TMP36 on A0) appears in Home Assistant. USB serial.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Thermometer");
SKETCH_SENSOR(temperature, "Temperature", WITH_UNIT("°C"), WITH_CLASS("temperature"), WITH_MEASUREMENT,
              WITH_DECIMALS(1));

void setup() {
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  const float volts = analogRead(A0) * (5.0f / 1024);
  if (volts < 0.05f) {
    temperature.forget(); // not connected: unknown rather than -50
  } else {
    temperature.set((volts - 0.5f) * 100);
  }
  board.loop();
}
