#pragma once

#include "SketchEntity.h"

/// SKETCH_EVENT(bell, "Bell", WITH_OPTIONS("short", "long"));
#define SKETCH_EVENT(key, ...) \
  SKETCH_ENTITY(SketchEvent, "e", key, __VA_ARGS__); \
  SKETCH_NEEDS(key, 'o', "WITH_OPTIONS")

/// Something that happens. What happens while no bridge listens is not kept.
class SketchEvent : public SketchEntity {
public:
  explicit SketchEvent(const char *description) : SketchEntity(description) {}

  /// @param type  Its number among the options, from 0.
  void fire(uint8_t type) { storeEvent(type); }
};
