#pragma once

#include "SketchEntity.h"

/// SKETCH_BUTTON(feed, "Feed now");
#define SKETCH_BUTTON(key, ...) SKETCH_ENTITY(SketchButton, "p", key, __VA_ARGS__)

/// Something that can be done from outside; it has no state.
class SketchButton : public SketchEntity {
public:
  explicit SketchButton(const char *description) : SketchEntity(description) {}

  /// False refuses. Without a handler every press is refused.
  void onPress(bool (*handler)()) { handleBy((Handler)handler); }
};
