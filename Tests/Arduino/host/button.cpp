#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "Feeder");
SKETCH_BUTTON(feed, "Feed now");
SKETCH_BUTTON(dead, "Without a handler");

TEST("a button describes itself and has no state") {
  board.begin(bench::wire);
  const std::string token = bench::hello();
  EXPECT_EQUAL(bench::ask("D0"), Lines{"d0|pfeed|Feed now"});
  EXPECT_EQUAL(bench::ask("G" + token), Lines{"g" + token, "p0|0|0"});
}

TEST("a press is handed on or refused") {
  static int presses;
  feed.onPress([] { return ++presses < 2 || board.refuse(Full, F("the bowl is full")); });
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00="), Lines{"a0+"});
  EXPECT_EQUAL(bench::ask("C10="), Lines{"a1-f|the bowl is full"});
  EXPECT(presses == 2);
}

TEST("a button without a handler refuses") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C01="), Lines{"a0-n"});
}
