#pragma once

#include "SketchEntity.h"

/// SKETCH_NUMBER(target, "Target temperature", WITH_RANGE(5, 30, 0.5), WITH_UNIT("°C"), WITH_DECIMALS(1));
#define SKETCH_NUMBER(key, ...) \
  SKETCH_ENTITY(SketchNumber, "n", key, __VA_ARGS__); \
  SKETCH_NEEDS(key, 'r', "WITH_RANGE")

/// A number that can be set from outside, within its range.
class SketchNumber : public SketchEntity {
public:
  explicit SketchNumber(const char *description) : SketchEntity(description) {}

  void set(int value) { storeWhole(value); }
  void set(long value) { storeWhole(value); }
  void set(float value) { storeFraction(value); }
  void set(double value) { storeFraction((float)value); }
  float value() const { return fraction(); }

  /// Asked before a command changes the value; false refuses it. A value that the handler sets itself stands.
  void onCommand(bool (*handler)(float value)) { handleFractionBy(handler); }
};
