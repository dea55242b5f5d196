#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "Plug");
SKETCH_SELECT(mode, "Mode", WITH_OPTIONS("automatic", "manual", "away"), AS_SETTING);
SKETCH_SELECT(only, "Only", WITH_OPTIONS("one"));

TEST("a select describes its options in order") {
  board.begin(bench::wire);
  bench::hello();
  EXPECT_EQUAL(bench::ask("D"), Lines{"d0|omode|Mode|oautomatic|omanual|oaway|gc", "d1|oonly|Only|oone"});
}

TEST("options are counted, their words are not taken for attributes") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=2"), Lines{"a0+", "v0=2"});
  EXPECT(mode.value() == 2);
  EXPECT_EQUAL(bench::ask("C10=3"), Lines{"a1-r"});
  EXPECT_EQUAL(bench::ask("C21=0"), Lines{"a2+", "v1=0"});
  EXPECT_EQUAL(bench::ask("C31=1"), Lines{"a3-r"});
}

TEST("a handler may refuse an option") {
  mode.onCommand([](uint8_t option) { return option != 1; });
  mode.set(0);
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=1"), Lines{"a0-n"});
  EXPECT(mode.value() == 0);
}
