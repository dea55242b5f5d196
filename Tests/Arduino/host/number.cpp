#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "Heating");
SKETCH_NUMBER(target, "Target", WITH_RANGE(5, 30, 0.5), WITH_UNIT("°C"), WITH_DECIMALS(1));
SKETCH_NUMBER(offset, "Offset", WITH_RANGE(-10.25, -0.5, 0.25));
SKETCH_NUMBER(millions, "Millions", WITH_RANGE(-999999999, 999999999, 1), WITH_DECIMALS(0));

TEST("a number describes itself") {
  board.begin(bench::wire);
  bench::hello();
  EXPECT_EQUAL(bench::ask("D0"), Lines{"d0|ntarget|Target|r5:30:0.5|u°C|p1"});
}

TEST("a handler gets the fraction") {
  static float got;
  target.onCommand([](float value) {
    got = value;
    return value < 25;
  });
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=21.5"), Lines{"a0+", "v0=21.5"});
  EXPECT(fabs(got - 21.5) < 0.001 && fabs(target.value() - 21.5) < 0.001);
  EXPECT_EQUAL(bench::ask("C10=29"), Lines{"a1-n"});
  EXPECT(fabs(target.value() - 21.5) < 0.001);
}

TEST("limits are kept to the last decimal, below zero too") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C01=-10.25"), Lines{"a0+", "v1=-10.25"});
  EXPECT_EQUAL(bench::ask("C11=-10.26"), Lines{"a1-r"});
  EXPECT_EQUAL(bench::ask("C21=-0.5"), Lines{"a2+", "v1=-0.5"});
  EXPECT_EQUAL(bench::ask("C31=-0.49"), Lines{"a3-r"});
  EXPECT_EQUAL(bench::ask("C41=0"), Lines{"a4-r"});
}

TEST("nine digits are exact") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C02=-999999999"), Lines{"a0+", "v2=-999999999"});
  EXPECT_EQUAL(bench::ask("C12=123456789"), Lines{"a1+", "v2=123456789"});
  EXPECT_EQUAL(bench::ask("C22=1000000000"), Lines{"a2-i"});
  EXPECT_EQUAL(bench::ask("C31=-12345678.25"), Lines{"a3-i"});
}

TEST("a number can be set at the board") {
  board.begin(bench::wire);
  bench::greet();
  target.set(12);
  offset.set(-1.5f);
  millions.set(-5L);
  bench::run(200);
  EXPECT_EQUAL(bench::received(), Lines{"v0=12", "v1=-1.5", "v2=-5"});
}
