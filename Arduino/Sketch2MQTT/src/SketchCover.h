#pragma once

#include "SketchEntity.h"

/// SKETCH_COVER(garage, "Garage door", WITH_CLASS("garage"), CAN_CLOSE, CAN_STOP);
#define SKETCH_COVER(key, ...) SKETCH_ENTITY(SketchCover, "c", key, __VA_ARGS__)

/// A door, a blind, an awning. The sketch tells where it stands; a command is no evidence.
class SketchCover : public SketchEntity {
public:
  enum State : uint8_t { Closed = 0, Open = 1, Opening = 2, Closing = 3, Stopped = 4 };
  enum Command : uint8_t { CommandClose = 0, CommandOpen = 1, CommandStop = 2 };

  explicit SketchCover(const char *description) : SketchEntity(description) {}

  void set(State value) { store(value); }
  State value() const { return (State)number(); }

  /// Only what the cover can do is asked. False refuses. Without a handler every command is refused.
  /// @param handler  Takes a Command.
  void onCommand(bool (*handler)(uint8_t command)) { handleBy((Handler)handler); }
};
