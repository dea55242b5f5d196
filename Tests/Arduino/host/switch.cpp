#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "Garden");
SKETCH_SWITCH(pump, "Pump", WITH_CLASS("outlet"), WITH_ASSUMED_STATE);
SKETCH_SWITCH(fan, "Fan");

TEST("a switch describes itself") {
  board.begin(bench::wire);
  bench::hello();
  EXPECT_EQUAL(bench::ask("D0"), Lines{"d0|wpump|Pump|coutlet|a"});
}

TEST("a switch without a handler takes what it is told") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT(!pump.isKnown());
  EXPECT_EQUAL(bench::ask("C00=1"), Lines{"a0+", "v0=1"});
  EXPECT(pump.isKnown() && pump.isOn());
  EXPECT_EQUAL(bench::ask("C10=0"), Lines{"a1+", "v0=0"});
  EXPECT(!pump.isOn());
}

TEST("a handler is asked first, and sees the value before") {
  static uint8_t asked = 9;
  static bool before;
  fan.set(true);
  fan.onCommand([](uint8_t on) {
    asked = on;
    before = fan.isOn();
    return true;
  });
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C01=0"), Lines{"a0+", "v1=0"});
  EXPECT(asked == 0 && before && !fan.isOn());
}

TEST("a refusal leaves the value as it was") {
  fan.set(false);
  fan.onCommand([](uint8_t) { return false; });
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C01=1"), Lines{"a0-n"});
  EXPECT(!fan.isOn());
}

TEST("a handler may say why, and its words are escaped") {
  fan.onCommand([](uint8_t) { return board.refuse(LockedOut, F("a ~ and a \\")); });
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C01=1"), Lines{"a0-l|a \\7e and a \\5c"});
}

TEST("words of an earlier refusal do not cling to a later one") {
  static int turn;
  fan.onCommand([](uint8_t) { return turn++ ? false : board.refuse(Busy, F("busy")); });
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C01=1"), Lines{"a0-b|busy"});
  EXPECT_EQUAL(bench::ask("C11=1"), Lines{"a1-n"});
}

TEST("a value that the handler sets itself stands") {
  fan.onCommand([](uint8_t) {
    fan.set(false);
    return true;
  });
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C01=1"), Lines{"a0+", "v1=0"});
}

TEST("a switch that is turned at the board says so at once") {
  board.begin(bench::wire);
  bench::greet();
  for (int turn = 1; turn <= 6; turn++) {
    fan.set(turn % 2);
    bench::run(40);
    EXPECT_EQUAL(bench::received(), Lines{turn % 2 ? "v1=1" : "v1=0"});
  }
}
