#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "Weather");
SKETCH_ENUMERATION(wind, "Wind", WITH_OPTIONS("calm", "breeze", "storm"));

TEST("an enumeration describes its options and sends their numbers") {
  board.begin(bench::wire);
  bench::hello();
  EXPECT_EQUAL(bench::ask("D"), Lines{"d0|kwind|Wind|ocalm|obreeze|ostorm"});
  bench::greet();
  wind.set(2);
  bench::run(100);
  EXPECT_EQUAL(bench::received(), Lines{"v0=2"});
  EXPECT(wind.value() == 2);
}

TEST("an enumeration takes no commands") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=1"), Lines{"a0-o"});
}
