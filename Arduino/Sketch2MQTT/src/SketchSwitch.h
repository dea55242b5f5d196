#pragma once

#include "SketchEntity.h"

/// SKETCH_SWITCH(pump, "Pump");
#define SKETCH_SWITCH(key, ...) SKETCH_ENTITY(SketchSwitch, "w", key, __VA_ARGS__)

/// On or off, and can be switched from outside.
class SketchSwitch : public SketchEntity {
public:
  explicit SketchSwitch(const char *description) : SketchEntity(description) {}

  void set(bool value) { store(value); }
  bool isOn() const { return number(); }

  /// Asked before a command changes the value; false refuses it. A value that the handler sets itself stands.
  void onCommand(bool (*handler)(uint8_t on)) { handleBy((Handler)handler); }
};
