/// A sketch that tells the sketch2mqtt bridge what it is made of.
///
///     #include <Sketch2MQTT.h>
///     SKETCH_BOARD(board, "Greenhouse");
///     SKETCH_SENSOR(temperature, "Temperature", WITH_UNIT("°C"), WITH_CLASS("temperature"));
///     SKETCH_SWITCH(lamp, "Lamp");
///
///     void setup() { Serial.begin(115200); board.begin(Serial); }
///     void loop() { temperature.set(readTemperature()); digitalWrite(13, lamp.isOn()); board.loop(); }
#pragma once

#include "SketchBinarySensor.h"
#include "SketchBoard.h"
#include "SketchButton.h"
#include "SketchCover.h"
#include "SketchEnumeration.h"
#include "SketchEvent.h"
#include "SketchLock.h"
#include "SketchNumber.h"
#include "SketchSelect.h"
#include "SketchSensor.h"
#include "SketchSwitch.h"
#include "SketchTable.h"
#include "SketchText.h"
#include "SketchTextSensor.h"
#include "SketchTimestamp.h"
