#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "Feeder");
SKETCH_TIMESTAMP(next_feeding, "Next feeding");

TEST("a timestamp describes itself") {
  board.begin(bench::wire);
  bench::hello();
  EXPECT_EQUAL(bench::ask("D"), Lines{"d0|inext_feeding|Next feeding"});
}

TEST("a timestamp is good until 2106") {
  board.begin(bench::wire);
  bench::greet();
  for (uint32_t seconds : {0u, 1700000000u, 2147483648u, 4294967295u}) {
    next_feeding.set(seconds);
    bench::run(100);
    EXPECT_EQUAL(bench::received(), Lines{"v0=" + std::to_string(seconds)});
    EXPECT(next_feeding.value() == seconds);
  }
}
