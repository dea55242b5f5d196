// Ten entities in one sketch: one of each that Home Assistant can show and set.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Greenhouse", WITH_MODEL("UNO"), WITH_VERSION("1.0"));
SKETCH_SENSOR(temperature, "Temperature", WITH_UNIT("°C"), WITH_CLASS("temperature"), WITH_MEASUREMENT,
              WITH_DECIMALS(1));
SKETCH_BINARY_SENSOR(window, "Window", WITH_CLASS("window"));
SKETCH_SWITCH(pump, "Pump");
SKETCH_NUMBER(target, "Target temperature", WITH_RANGE(5, 30, 0.5), WITH_UNIT("°C"),
              WITH_CLASS("temperature"), WITH_DECIMALS(1));
SKETCH_SELECT(mode, "Mode", WITH_OPTIONS("automatic", "manual", "away"));
SKETCH_BUTTON(water, "Water now");
SKETCH_TEXT(message, 16, "Message on the display");
SKETCH_EVENT(bell, "Bell", WITH_OPTIONS("short", "long"));
SKETCH_LOCK(door, "Door");
SKETCH_COVER(roof, "Roof window", WITH_CLASS("window"), CAN_CLOSE, CAN_STOP);

bool rang;

bool waterNow() { return !window.isOn() || board.refuse(NotNow, F("the window is open")); }

bool lockDoor(uint8_t lock) {
  door.set(lock ? SketchLock::Locked : SketchLock::Unlocked);
  return true;
}

bool moveRoof(uint8_t command) {
  roof.set(command == SketchCover::CommandOpen ? SketchCover::Open : SketchCover::Closed);
  return true;
}

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  pinMode(2, INPUT_PULLUP);
  pinMode(3, INPUT_PULLUP);
  water.onPress(waterNow);
  door.onCommand(lockDoor);
  roof.onCommand(moveRoof);
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  temperature.set(analogRead(A0) * 0.1f);
  window.set(digitalRead(2) == HIGH);
  const bool rings = digitalRead(3) == LOW;
  if (rings && !rang) bell.fire(0);
  rang = rings;
  digitalWrite(LED_BUILTIN, pump.isOn() && temperature.value() < target.value());
  board.loop();
}
