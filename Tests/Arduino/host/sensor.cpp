#include <Sketch2MQTT.h>

#include "bench.h"

SKETCH_BOARD(board, "Weather");
SKETCH_SENSOR(temperature, "Temperature", WITH_UNIT("°C"), WITH_CLASS("temperature"), WITH_MEASUREMENT,
              WITH_DECIMALS(1));
SKETCH_SENSOR(counter, "Counter", WITH_INCREASING_TOTAL, WITH_DECIMALS(0), AS_DIAGNOSTIC, DISABLED_AT_FIRST);
SKETCH_SENSOR(level, "Level", WITH_ICON("mdi:water"));

TEST("a sensor describes itself") {
  board.begin(bench::wire);
  bench::hello();
  EXPECT_EQUAL(bench::ask("D"), Lines{"d0|stemperature|Temperature|u°C|ctemperature|sm|p1",
                                      "d1|scounter|Counter|si|p0|gd|x", "d2|slevel|Level|imdi:water"});
}

TEST("a sensor is unknown until it is set") {
  board.begin(bench::wire);
  EXPECT(!temperature.isKnown());
  const std::string token = bench::hello();
  EXPECT_EQUAL(bench::ask("G" + token), Lines{"g" + token, "v0=?", "v1=?", "v2=?", "p3|0|0"});
}

TEST("a value is sent when it has changed in its decimals") {
  board.begin(bench::wire);
  bench::greet();
  temperature.set(21.54);
  bench::run(300);
  EXPECT_EQUAL(bench::received(), Lines{"v0=21.5"});
  temperature.set(21.46);
  bench::run(300);
  EXPECT_EQUAL(bench::received(), Lines{});
  temperature.set(21.44);
  bench::run(300);
  EXPECT_EQUAL(bench::received(), Lines{"v0=21.4"});
}

static std::string sent(double value) {
  level.set(value);
  bench::run(300);
  const Lines lines = bench::received();
  return lines.size() == 1 ? lines[0] : std::to_string(lines.size()) + " lines";
}

TEST("fractions are rounded to their decimals and lose needless zeros") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(sent(1), "v2=1");
  EXPECT_EQUAL(sent(-1), "v2=-1");
  EXPECT_EQUAL(sent(0.5), "v2=0.5");
  EXPECT_EQUAL(sent(-0.05), "v2=-0.05");
  EXPECT_EQUAL(sent(0.004), "v2=0");
  EXPECT_EQUAL(sent(0.006), "v2=0.01");
  EXPECT_EQUAL(sent(-0.006), "v2=-0.01");
  EXPECT_EQUAL(sent(10), "v2=10");
  EXPECT_EQUAL(sent(100), "v2=100");
  EXPECT_EQUAL(sent(99.999), "0 lines");
  EXPECT_EQUAL(sent(-273.15), "v2=-273.15");
}

TEST("what is no number, or too large, is unknown") {
  board.begin(bench::wire);
  bench::greet();
  for (double wrong : {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e10, -1e10, 1e38}) {
    level.set(1);
    bench::run(300);
    bench::received();
    EXPECT_EQUAL(sent(wrong), "v2=?");
  }
}

TEST("whole numbers keep all their digits") {
  board.begin(bench::wire);
  bench::greet();
  counter.set(999999999L);
  level.set(9999999);
  bench::run(300);
  EXPECT_EQUAL(bench::received(), Lines{"v1=999999999", "v2=9999999"});
  counter.set(1000000000L);
  level.set(-10000000L);
  bench::run(300);
  EXPECT_EQUAL(bench::received(), Lines{"v1=?", "v2=?"});
  counter.set(4000000000UL);
  counter.set(-999999999L);
  level.set(7u);
  bench::run(300);
  EXPECT_EQUAL(bench::received(), Lines{"v1=-999999999", "v2=7"});
}

TEST("a sensor that always changes is sent four times a second, and keeps no other waiting") {
  board.begin(bench::wire);
  bench::greet();
  int turn = 0;
  bench::sketch = [&] {
    temperature.set(++turn % 100);
    if (turn == 1000) counter.set(1);
  };
  bench::run(2000);
  int values = 0, counts = 0;
  for (const std::string &body : bench::received()) (body[1] == '0' ? values : counts)++;
  EXPECT(values >= 7 && values <= 9);
  EXPECT(counts == 1);
}

TEST("a forgotten value is told as unknown, once") {
  board.begin(bench::wire);
  bench::greet();
  temperature.set(3);
  bench::run(300);
  temperature.forget();
  temperature.forget();
  bench::run(600);
  EXPECT_EQUAL(bench::received(), Lines{"v0=3", "v0=?"});
}

TEST("a sensor takes no commands") {
  board.begin(bench::wire);
  bench::greet();
  EXPECT_EQUAL(bench::ask("C00=5"), Lines{"a0-o"});
}

TEST("the value can be read back") {
  temperature.set(21.5);
  EXPECT(fabs(temperature.value() - 21.5) < 0.001);
}
