#pragma once

#include "SketchEntity.h"

/// SKETCH_BINARY_SENSOR(window, "Window", WITH_CLASS("window"));
#define SKETCH_BINARY_SENSOR(key, ...) SKETCH_ENTITY(SketchBinarySensor, "b", key, __VA_ARGS__)

/// On or off, only read. What on means is the class's: an open window, motion, a problem.
class SketchBinarySensor : public SketchEntity {
public:
  explicit SketchBinarySensor(const char *description) : SketchEntity(description) {}

  void set(bool value) { store(value); }
  bool isOn() const { return number(); }
};
