#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "Door");
SKETCH_LOCK(door, "Door");

TEST("a lock describes itself") {
  board.begin(bench::wire);
  bench::hello();
  EXPECT_EQUAL(bench::ask("D"), Lines{"d0|ldoor|Door"});
}

TEST("a command is no evidence: the state is the sketch's to tell") {
  static int asked = -1;
  door.set(SketchLock::Unlocked);
  door.onCommand([](uint8_t lock) {
    asked = lock;
    return true;
  });
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=1"), Lines{"a0+", "v0=0"});
  EXPECT(asked == 1);
  const SketchLock::State states[] = {SketchLock::Locking, SketchLock::Locked, SketchLock::Unlocking,
                                      SketchLock::Unlocked, SketchLock::Jammed};
  const char *const lines[] = {"v0=2", "v0=1", "v0=3", "v0=0", "v0=4"};
  for (int step = 0; step < 5; step++) {
    door.set(states[step]);
    bench::run(100);
    EXPECT_EQUAL(bench::received(), Lines{lines[step]});
    EXPECT(door.value() == states[step]);
  }
}

TEST("a lock without a handler refuses") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=1"), Lines{"a0-n"});
  EXPECT(!door.isKnown());
}
