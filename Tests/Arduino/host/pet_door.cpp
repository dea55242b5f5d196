// The pet door's sketch: to phone apps as it always spoke, to a bridge in lines.
#include <unistd.h>

#include <algorithm>

#include "bench.h"

#include "../../../Arduino/PetDoor/PetDoor.ino"

static void setLight(int value) { bench::readings[A0] = value; }
static void setTemperature(float degrees) { bench::readings[A1] = (int)((degrees + 50) * 2); }
static void setLatch(bool isOpen) { bench::levels[latchPin] = isOpen ? LOW : HIGH; }

// The latch follows the servo unless it is stuck.
static bool isStuck;
static bool isServoLocked() { return servo.read() == lockedAngle; }

static void start(int brightness = 900, float degrees = 20) {
  setLight(brightness);
  setTemperature(degrees);
  setup();
  setLatch(false);
  bench::sketch = [] {
    loop();
    if (!isStuck) setLatch(!isServoLocked());
  };
}

TEST("a phone hears the manual lock once, then latch and temperature ten times a second") {
  start(900, 21.5);
  EXPECT_EQUAL(bench::packets(500), Lines{"m:0"});
  const Lines all = bench::packets(3000);
  EXPECT(all.size() >= 19 && all.size() <= 26);
  EXPECT_EQUAL(all.back(), "s:1;t:21.50");
}

TEST("temperatures have two decimals on either side of zero") {
  for (const auto &each : std::vector<std::pair<float, std::string>>{{0, "0.00"},
                                                                     {-0.5f, "-0.50"},
                                                                     {-10, "-10.00"},
                                                                     {-12.5f, "-12.50"},
                                                                     {33, "33.00"},
                                                                     {85, "85.00"}}) {
    bench::life([&] {
      start(900, each.first);
      bench::run(2500);
      EXPECT_EQUAL(bench::packets(200).back().substr(4), "t:" + each.second);
    });
  }
  bench::life([] {
    start();
    bench::readings[A1] = 0;
    bench::run(2500);
    EXPECT_EQUAL(bench::packets(200).back().substr(4), "t:-127.00");
  });
}

TEST("nobody hears anything while nobody is connected") {
  start();
  Central::isConnected() = false;
  EXPECT_EQUAL(bench::packets(5000), Lines{});
  Central::isConnected() = true;
  EXPECT_EQUAL(bench::packets(20).at(0), "m:0");
}

TEST("a phone locks and gives back with one byte") {
  start();
  bench::run(3000);
  EXPECT(!isServoLocked());
  bench::wire.incoming = "1";
  EXPECT(bench::packets(500).front() == "s:1;t:20.00");
  EXPECT(isServoLocked());
  bench::wire.incoming = "0";
  bench::run(100);
  EXPECT(!isServoLocked());
  for (const char *other : {"x", "10", "\x31\x0d\x0a"}) {
    bench::wire.incoming = other;
    bench::run(100);
    EXPECT(isServoLocked());
    bench::wire.incoming = "0";
    bench::run(100);
    EXPECT(!isServoLocked());
  }
}

TEST("the manual lock is told after a change") {
  start();
  bench::run(3000);
  bench::wire.incoming = "1";
  const Lines all = bench::packets(500);
  EXPECT(std::count(all.begin(), all.end(), "m:1") == 1);
}

TEST("what is left of a damaged line locks nothing") {
  start();
  bench::run(3000);
  for (const char *body : {"C01=1", "W", "P", "D12"}) {
    bench::wire.incoming = bench::framed(body).substr(1);
    bench::run(200);
    EXPECT(!isServoLocked());
  }
}

TEST("the latch goes by light, with hysteresis") {
  start(700, 20);
  bench::run(2500);
  EXPECT(isServoLocked());
  for (const auto &step : std::vector<std::pair<int, bool>>{
           {730, true}, {731, false}, {700, false}, {670, false}, {669, true}, {700, true}, {731, false}}) {
    setLight(step.first);
    bench::run(1100);
    EXPECT(isServoLocked() == step.second);
  }
}

TEST("the latch goes by temperature, both ends included") {
  start();
  for (const auto &step : std::vector<std::pair<float, bool>>{
           {2, false}, {1.5f, true}, {2, false}, {33, false}, {33.5f, true}, {-20, true}, {20, false}}) {
    setTemperature(step.first);
    bench::run(2500);
    EXPECT(isServoLocked() == step.second);
  }
}

TEST("a thermometer that fails changes nothing, and darkness still locks") {
  start();
  bench::run(2500);
  bench::readings[A1] = 0;
  bench::run(2500);
  EXPECT(!isServoLocked());
  setLight(100);
  bench::run(2500);
  EXPECT(isServoLocked());
  setLight(900);
  bench::run(2500);
  EXPECT(isServoLocked());
}

TEST("a bridge sees everything, and the old form is silent") {
  start(850, 21.5);
  bench::run(3000);
  const Lines lines = bench::meet();
  for (const char *line :
       {"v0=0", "v1=0", "v2=1", "v3=21.5", "v4=850", "v5=700", "v6=2", "v7=33", "v8=?", "v9=0", "v10=0"}) {
    EXPECT(bench::has(lines, line));
  }
  EXPECT_EQUAL(bench::packets(3000), Lines{});
}

TEST("a bridge locks, and sees the latch move") {
  start();
  bench::run(3000);
  bench::meet();
  isStuck = true;
  EXPECT_EQUAL(bench::ask("C00=1"), Lines{"a0+", "v0=2", "v1=1"});
  setLatch(false);
  bench::run(100);
  EXPECT_EQUAL(bench::received(), Lines{"v2=0", "v0=1"});
}

TEST("a latch that sticks is jammed after three seconds") {
  start();
  bench::run(3000);
  bench::meet();
  isStuck = true;
  bench::ask("C00=1");
  bench::run(2400);
  EXPECT_EQUAL(bench::received(), Lines{});
  bench::run(400);
  EXPECT_EQUAL(bench::received(), Lines{"v0=4"});
}

TEST("giving back in the dark leaves the door locked, not jammed") {
  start(100, 20);
  bench::run(3000);
  bench::meet();
  bench::ask("C00=1");
  EXPECT_EQUAL(bench::ask("C10=0", 5000), Lines{"a1+", "v0=1", "v1=0"});
}

TEST("thresholds survive a power cut, and do not cross") {
  bench::life([] {
    start();
    bench::run(2000);
    bench::meet();
    EXPECT_EQUAL(bench::ask("C05=500"), Lines{"a0+", "v5=500"});
    EXPECT_EQUAL(bench::ask("C16=-10"), Lines{"a1+", "v6=-10"});
    EXPECT_EQUAL(bench::ask("C27=-10"), Lines{"a2-r|the highest is above the lowest"});
    EXPECT_EQUAL(bench::ask("C36=33"), Lines{"a3-r|the lowest is below the highest"});
  });
  bench::life([] {
    start(540, -9);
    bench::run(2500);
    EXPECT(!isServoLocked());
    const Lines lines = bench::meet();
    EXPECT(bench::has(lines, "v5=500"));
    EXPECT(bench::has(lines, "v6=-10"));
  });
}

static void push(uint8_t pin, unsigned milliseconds) {
  bench::levels[pin] = LOW;
  bench::run(milliseconds);
}

static Lines sorted(Lines lines) {
  std::sort(lines.begin(), lines.end());
  return lines;
}

static void release() {
  bench::levels[outerPin] = bench::levels[innerPin] = HIGH;
  bench::run(5000);
}

TEST("passages are counted by their direction") {
  start();
  bench::run(3000);
  bench::meet();
  push(outerPin, 200);
  push(innerPin, 200);
  release();
  EXPECT_EQUAL(sorted(bench::received()), Lines{"e11=0", "v8=1", "v9=1"});
  push(innerPin, 200);
  push(outerPin, 200);
  release();
  EXPECT_EQUAL(sorted(bench::received()), Lines{"e11=1", "v10=1", "v8=0"});
}

TEST("a pet that only looks is not counted") {
  start();
  bench::run(3000);
  bench::meet();
  push(innerPin, 500);
  release();
  push(outerPin, 200);
  release();
  EXPECT_EQUAL(bench::received(), Lines{});
}

TEST("after the bridge has gone the old form is back") {
  start();
  bench::run(3000);
  bench::meet();
  bench::send("B");
  bench::run(1000);
  EXPECT_EQUAL(bench::packets(300).back(), "s:1;t:20.00");
}
