#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "Garage");
SKETCH_COVER(garage, "Garage", WITH_CLASS("garage"), CAN_CLOSE, CAN_STOP);
SKETCH_COVER(hatch, "Hatch");
SKETCH_COVER(blind, "Blind", CAN_STOP);

TEST("a cover describes what it can do") {
  board.begin(bench::wire);
  bench::hello();
  EXPECT_EQUAL(bench::ask("D"),
               Lines{"d0|cgarage|Garage|cgarage|k|h", "d1|chatch|Hatch", "d2|cblind|Blind|h"});
}

TEST("a cover is asked only for what it can do") {
  static int asked;
  for (SketchCover *each : {&garage, &hatch, &blind}) {
    each->onCommand([](uint8_t) {
      asked++;
      return true;
    });
  }
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C01=0"), Lines{"a0-u"});
  EXPECT_EQUAL(bench::ask("C11=2"), Lines{"a1-u"});
  EXPECT_EQUAL(bench::ask("C22=0"), Lines{"a2-u"});
  EXPECT(asked == 0);
  EXPECT_EQUAL(bench::ask("C31=1"), Lines{"a3+", "v1=?"});
  EXPECT_EQUAL(bench::ask("C42=2"), Lines{"a4+", "v2=?"});
  EXPECT_EQUAL(bench::ask("C50=0"), Lines{"a5+", "v0=?"});
  EXPECT(asked == 3);
}

TEST("the sketch tells where a cover stands") {
  board.begin(bench::wire);
  bench::greet();
  garage.set(SketchCover::Opening);
  bench::run(100);
  garage.set(SketchCover::Open);
  bench::run(100);
  EXPECT_EQUAL(bench::received(), Lines{"v0=2", "v0=1"});
  EXPECT(garage.value() == SketchCover::Open);
}

TEST("a cover without a handler refuses") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=1"), Lines{"a0-n"});
}
