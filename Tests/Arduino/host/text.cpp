#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD_TAKING(80, board, "Display");
SKETCH_TEXT(message, 20, "Message");

TEST("a text describes its length") {
  board.begin(bench::wire);
  bench::run(100);
  EXPECT_EQUAL(bench::received().at(0).substr(11), "||80|1|Display");
  EXPECT_EQUAL(bench::ask("D"), Lines{"d0|xmessage|Message|l20"});
}

TEST("a text can be set from outside") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=\"Grüße \\5c\\7e\\0a|="), Lines{"a0+", "v0=\"Grüße \\5c\\7e\\0a|="});
  EXPECT_EQUAL(message.value(), "Grüße \\~\n|=");
}

TEST("a handler may refuse a text, which then stays") {
  message.set("before");
  message.onCommand([](const char *value) { return strcmp(value, "no") != 0; });
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=\"no"), Lines{"a0-n"});
  EXPECT_EQUAL(message.value(), "before");
}

TEST("a text set at the board is cut, and never within a character") {
  board.begin(bench::wire);
  bench::greet();
  message.set("0123456789012345678ü");
  bench::run(200);
  EXPECT_EQUAL(bench::received(), Lines{"v0=\"0123456789012345678"});
  message.set(F("012345678901234567ü9"));
  bench::run(200);
  EXPECT_EQUAL(bench::received(), Lines{"v0=\"012345678901234567ü"});
  message.set("");
  bench::run(200);
  EXPECT_EQUAL(bench::received(), Lines{"v0=\""});
}

TEST("a text of a question mark is not unknown") {
  board.begin(bench::wire);
  bench::greet();
  message.set("?");
  bench::run(200);
  EXPECT_EQUAL(bench::received(), Lines{"v0=\"?"});
  message.forget();
  bench::run(200);
  EXPECT_EQUAL(bench::received(), Lines{"v0=?"});
}

TEST("a line beyond the board's limit is dropped whole") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=\"" + std::string(80, 'x')), Lines{});
  EXPECT_EQUAL(bench::ask("P"), Lines{"p2|1|0"});
}
