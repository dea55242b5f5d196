#pragma once

#include "SketchEntity.h"

/// SKETCH_SENSOR(temperature, "Temperature", WITH_UNIT("°C"), WITH_CLASS("temperature"), WITH_DECIMALS(1));
#define SKETCH_SENSOR(key, ...) SKETCH_ENTITY(SketchSensor, "s", key, __VA_ARGS__)

/// A number that is only read. Sent when it has changed in its decimals, four times a second at most.
class SketchSensor : public SketchEntity {
public:
  explicit SketchSensor(const char *description) : SketchEntity(description) {}

  void set(int value) { storeWhole(value); }
  void set(unsigned value) { set((unsigned long)value); }
  void set(long value) { storeWhole(value); }
  void set(unsigned long value) { value > 0x7FFFFFFFUL ? forget() : storeWhole((int32_t)value); }
  void set(float value) { storeFraction(value); }
  void set(double value) { storeFraction((float)value); }
  float value() const { return fraction(); }
};
