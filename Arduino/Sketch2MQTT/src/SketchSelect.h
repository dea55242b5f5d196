#pragma once

#include "SketchEntity.h"

/// SKETCH_SELECT(mode, "Mode", WITH_OPTIONS("automatic", "manual", "away"));
#define SKETCH_SELECT(key, ...) \
  SKETCH_ENTITY(SketchSelect, "o", key, __VA_ARGS__); \
  SKETCH_NEEDS(key, 'o', "WITH_OPTIONS")

/// One of a fixed list of words, which can be chosen from outside.
class SketchSelect : public SketchEntity {
public:
  explicit SketchSelect(const char *description) : SketchEntity(description) {}

  /// @param option  Its number in the list, from 0.
  void set(uint8_t option) { store(option); }
  uint8_t value() const { return (uint8_t)number(); }

  /// Asked before a command changes the value; false refuses it. A value that the handler sets itself stands.
  void onCommand(bool (*handler)(uint8_t option)) { handleBy((Handler)handler); }
};
