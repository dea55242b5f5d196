#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "Washer");
SKETCH_TEXT_SENSOR(phase, 12, "Phase", AS_DIAGNOSTIC);

TEST("a text sensor describes itself") {
  board.begin(bench::wire);
  bench::hello();
  EXPECT_EQUAL(bench::ask("D"), Lines{"d0|tphase|Phase|gd|l12"});
}

TEST("a text sensor sends changes and copies what it is given") {
  board.begin(bench::wire);
  bench::greet();
  char words[] = "rinsing";
  phase.set(words);
  memset(words, 'x', 3);
  bench::run(300);
  EXPECT_EQUAL(bench::received(), Lines{"v0=\"rinsing"});
  phase.set(F("rinsing"));
  bench::run(300);
  EXPECT_EQUAL(bench::received(), Lines{});
  phase.set("spinning and more");
  bench::run(300);
  EXPECT_EQUAL(bench::received(), Lines{"v0=\"spinning and"});
  EXPECT_EQUAL(phase.value(), "spinning and");
}

TEST("a text sensor takes no commands") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=\"x"), Lines{"a0-o"});
}
