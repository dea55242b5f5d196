#pragma once

#include "SketchEntity.h"

/// SKETCH_ENUMERATION(wind, "Wind", WITH_OPTIONS("calm", "breeze", "storm"));
#define SKETCH_ENUMERATION(key, ...) \
  SKETCH_ENTITY(SketchEnumeration, "k", key, __VA_ARGS__); \
  SKETCH_NEEDS(key, 'o', "WITH_OPTIONS")

/// One of a fixed list of words, only read.
class SketchEnumeration : public SketchEntity {
public:
  explicit SketchEnumeration(const char *description) : SketchEntity(description) {}

  /// @param option  Its number in the list, from 0.
  void set(uint8_t option) { store(option); }
  uint8_t value() const { return (uint8_t)number(); }
};
