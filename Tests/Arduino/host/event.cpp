#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "Door");
SKETCH_EVENT(bell, "Bell", WITH_CLASS("doorbell"), WITH_OPTIONS("short", "long"));
SKETCH_EVENT(cat, "Cat", WITH_OPTIONS("in", "out"));

TEST("an event describes its types and has no state") {
  board.begin(bench::wire);
  const std::string token = bench::hello();
  EXPECT_EQUAL(bench::ask("D0"), Lines{"d0|ebell|Bell|cdoorbell|oshort|olong"});
  EXPECT_EQUAL(bench::ask("G" + token), Lines{"g" + token, "p0|0|0"});
}

TEST("events are sent each once, in their order") {
  board.begin(bench::wire);
  bench::greet();
  bell.fire(0);
  bell.fire(1);
  bell.fire(0);
  bell.fire(0);
  bench::run(500);
  EXPECT_EQUAL(bench::received(), Lines{"e0=0", "e0=1", "e0=0", "e0=0"});
  cat.fire(1);
  bench::run(500);
  EXPECT_EQUAL(bench::received(), Lines{"e1=1"});
}

TEST("a fifth event that finds no room is counted as lost") {
  board.begin(bench::wire);
  bench::greet();
  for (int time = 0; time < 6; time++) bell.fire(1);
  bench::run(500);
  EXPECT(bench::received().size() == 4);
  EXPECT_EQUAL(bench::ask("P"), Lines{"p5|0|2"});
}

TEST("what happens while nobody listens is not kept") {
  board.begin(bench::wire);
  bell.fire(0);
  const std::string token = bench::hello();
  bell.fire(1);
  EXPECT_EQUAL(bench::ask("G" + token), Lines{"g" + token, "p0|0|0"});
}

TEST("what waits when the bridge goes is not told to the next") {
  board.begin(bench::wire);
  bench::greet();
  bench::wire.room = 0;
  for (int time = 0; time < 4; time++) bell.fire(1);
  bench::run(40);
  board.linkDown();
  board.linkUp();
  bench::wire.room = 1000;
  bench::wire.outgoing.clear();
  const std::string token = bench::hello();
  EXPECT_EQUAL(bench::ask("G" + token), Lines{"g" + token, "p0|0|0"});
  bench::run(1000);
  EXPECT_EQUAL(bench::received(), Lines{});
}

TEST("an event takes no commands") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=0"), Lines{"a0-o"});
}
