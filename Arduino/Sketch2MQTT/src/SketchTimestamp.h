#pragma once

#include "SketchEntity.h"

/// SKETCH_TIMESTAMP(next_feeding, "Next feeding");
#define SKETCH_TIMESTAMP(key, ...) SKETCH_ENTITY(SketchTimestamp, "i", key, __VA_ARGS__)

/// A moment, only read.
class SketchTimestamp : public SketchEntity {
public:
  explicit SketchTimestamp(const char *description) : SketchEntity(description) {}

  /// @param seconds  Since 1970-01-01, UTC.
  void set(uint32_t seconds) { store((int32_t)seconds); }
  uint32_t value() const { return (uint32_t)number(); }
};
