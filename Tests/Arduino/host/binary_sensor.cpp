#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "House");
SKETCH_BINARY_SENSOR(window, "Window", WITH_CLASS("window"));

TEST("a binary sensor describes itself") {
  board.begin(bench::wire);
  bench::hello();
  EXPECT_EQUAL(bench::ask("D"), Lines{"d0|bwindow|Window|cwindow"});
}

TEST("changes are sent, repetitions are not") {
  board.begin(bench::wire);
  bench::greet();
  window.set(false);
  bench::run(100);
  EXPECT_EQUAL(bench::received(), Lines{"v0=0"});
  window.set(false);
  bench::run(100);
  EXPECT_EQUAL(bench::received(), Lines{});
  window.set(true);
  bench::run(100);
  EXPECT_EQUAL(bench::received(), Lines{"v0=1"});
  EXPECT(window.isOn());
}

TEST("a binary sensor takes no commands") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=1"), Lines{"a0-o"});
}
