// How strong the wind is: one of a fixed list of words, so that Home Assistant knows them all.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Weather station");
SKETCH_ENUMERATION(wind, "Wind", WITH_OPTIONS("calm", "breeze", "storm"), WITH_ICON("mdi:weather-windy"));

void setup() {
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  const int speed = analogRead(A0);
  wind.set(speed < 100 ? 0 : speed < 600 ? 1 : 2);
  board.loop();
}
