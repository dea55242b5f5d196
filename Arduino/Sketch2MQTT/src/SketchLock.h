#pragma once

#include "SketchEntity.h"

/// SKETCH_LOCK(door, "Door");
#define SKETCH_LOCK(key, ...) SKETCH_ENTITY(SketchLock, "l", key, __VA_ARGS__)

/// A lock. The sketch tells where it stands; a command is no evidence.
class SketchLock : public SketchEntity {
public:
  enum State : uint8_t { Unlocked = 0, Locked = 1, Locking = 2, Unlocking = 3, Jammed = 4 };

  explicit SketchLock(const char *description) : SketchEntity(description) {}

  void set(State value) { store(value); }
  State value() const { return (State)number(); }

  /// False refuses. Without a handler every command is refused.
  void onCommand(bool (*handler)(uint8_t lock)) { handleBy((Handler)handler); }
};
