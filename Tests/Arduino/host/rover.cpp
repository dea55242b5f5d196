// The rover's sketch: to phone apps as classic rovers speak, to a bridge in lines.
#include <unistd.h>

#include <algorithm>

#include "bench.h"

#include "../../../Arduino/Rover/Rover.ino"

WireBus Wire;

struct Wheels {
  bool isForward;
  int left, right;
  bool operator==(const Wheels &other) const {
    return isForward == other.isForward && left == other.left && right == other.right;
  }
};

static Wheels wheels() {
  EXPECT(bench::levels[leftDirectionPin] == bench::levels[rightDirectionPin]);
  return {bench::levels[leftDirectionPin] == HIGH, bench::levels[leftSpeedPin], bench::levels[rightSpeedPin]};
}
static bool isStanding() { return wheels().left == 0 && wheels().right == 0; }

static void setDistance(int centimetres) { bench::readings[eyePin] = centimetres < 80 ? 4800 / centimetres + 20 : 0; }

// In steps of 3.9 mg, little-endian at 0x32 and after it.
static void setTilt(int16_t across, int16_t along) {
  Wire.registers[2] = (uint8_t)across;
  Wire.registers[3] = (uint8_t)((uint16_t)across >> 8);
  Wire.registers[4] = (uint8_t)along;
  Wire.registers[5] = (uint8_t)((uint16_t)along >> 8);
}

static void start() {
  Wire.address = 0x53;
  setDistance(80);
  setTilt(0, 0);
  bench::power(setup, loop, 300);
}

TEST("a phone drives it") {
  start();
  EXPECT(isStanding());
  bench::say("F");
  bench::say("T=100");
  EXPECT((wheels() == Wheels{true, 255, 255}));
  bench::say("R=50");
  EXPECT((wheels() == Wheels{true, 255, 127}));
  bench::say("L=50");
  EXPECT((wheels() == Wheels{true, 127, 255}));
  bench::say("L=0");
  EXPECT((wheels() == Wheels{true, 255, 255}));
  bench::say("T=0");
  EXPECT(isStanding());
  bench::say("B");
  bench::say("T=50");
  EXPECT((wheels() == Wheels{false, 127, 127}));
}

TEST("packets that come close together are all obeyed") {
  start();
  bench::say("L=0T=20R=50");
  EXPECT((wheels() == Wheels{true, 51, 25}));
  bench::say("T=0BT=60");
  EXPECT((wheels() == Wheels{false, 153, 153}));
}

TEST("a lower throttle lets no wheel race") {
  start();
  bench::say("FT=100R=50");
  bench::say("T=20");
  EXPECT((wheels() == Wheels{true, 51, 25}));
}

TEST("throttle 0 straightens, and another direction stops") {
  start();
  bench::say("FT=50R=50");
  bench::say("T=0");
  bench::say("T=50");
  EXPECT((wheels() == Wheels{true, 127, 127}));
  bench::say("B");
  EXPECT(isStanding());
  EXPECT(!wheels().isForward);
}

TEST("what is no command does nothing") {
  start();
  for (const char *packet : {"T", "T=", "T=101", "T=1000", "T=-5", "X", "FX", "R50", "T=50;", "t=50", "~", "C11=50abcd",
                             "T=50T=50T=50T=50T=50T=50T=50", "G1234abcd", "Bb1d4"}) {
    bench::say(packet);
    EXPECT(isStanding());
    EXPECT(wheels().isForward);
  }
}

TEST("it tells its tilt five times a second, as classic rovers do") {
  start();
  setTilt(-8, 31);
  const Lines all = bench::packets(2000);
  EXPECT(all.size() >= 9 && all.size() <= 11);
  EXPECT_EQUAL(all.back(), "-0.30:1.18");
  setTilt(0, -262);
  EXPECT_EQUAL(bench::packets(500).back(), "0.00:-10.02");
  setTilt(-511, 511);
  EXPECT_EQUAL(bench::packets(500).back(), "-19.54:19.54");
}

TEST("it says nothing while nobody is connected") {
  start();
  Central::isConnected() = false;
  EXPECT_EQUAL(bench::packets(1500), Lines{});
}

TEST("it stops when its link drops, and does not go on when it is back") {
  start();
  bench::say("FT=50");
  EXPECT(!isStanding());
  Central::isConnected() = false;
  bench::run(20);
  EXPECT(isStanding());
  Central::isConnected() = true;
  bench::run(1000);
  EXPECT(isStanding());
  bench::say("R=10");
  EXPECT(isStanding());
}

TEST("an obstacle stops it, and what is said afterwards does not set it going") {
  start();
  bench::say("FT=50");
  setDistance(19);
  bench::run(60);
  EXPECT(isStanding());
  EXPECT(bench::levels[lightPin] == HIGH);
  for (const char *packet : {"F", "T=50", "R=20"}) {
    bench::say(packet);
    EXPECT(isStanding());
  }
  setDistance(40);
  bench::run(100);
  EXPECT(isStanding());
  EXPECT(bench::levels[lightPin] == LOW);
  bench::say("T=50");
  EXPECT(!isStanding());
}

TEST("away from an obstacle it drives") {
  start();
  setDistance(15);
  bench::run(60);
  bench::say("B");
  bench::say("T=50");
  EXPECT((wheels() == Wheels{false, 127, 127}));
}

TEST("a bridge sees everything, and the old form is silent") {
  start();
  setTilt(-8, 31);
  setDistance(40);
  bench::run(500);
  const Lines lines = bench::meet();
  for (const char *line : {"v0=0", "v1=0", "v2=0", "v4=-0.3", "v5=1.18", "v6=0", "v7=40"}) {
    EXPECT(bench::has(lines, line));
  }
  EXPECT_EQUAL(bench::packets(1500), Lines{});
}

TEST("a bridge drives it") {
  start();
  bench::meet();
  EXPECT_EQUAL(bench::ask("C01=50"), Lines{"a0+", "v1=50"});
  EXPECT((wheels() == Wheels{true, 127, 127}));
  EXPECT_EQUAL(bench::ask("C12=-50"), Lines{"a1+", "v2=-50"});
  EXPECT((wheels() == Wheels{true, 63, 127}));
  const Lines turned = bench::ask("C20=1");
  EXPECT(bench::has(turned, "a2+") && bench::has(turned, "v0=1") && bench::has(turned, "v1=0") && bench::has(turned, "v2=0"));
  EXPECT(isStanding());
  bench::ask("C31=30");
  const Lines stopped = bench::ask("C43=");
  EXPECT(bench::has(stopped, "a4+") && bench::has(stopped, "v1=0"));
  EXPECT(isStanding());
  EXPECT_EQUAL(bench::ask("C51=101"), Lines{"a5-r"});
}

TEST("a bridge is told of an obstacle, and refused what leads into it") {
  start();
  bench::meet();
  bench::ask("C01=50");
  setDistance(15);
  bench::run(400);
  const Lines lines = bench::received();
  EXPECT(bench::has(lines, "v6=1") && bench::has(lines, "v1=0") && bench::has(lines, "v7=15"));
  EXPECT_EQUAL(bench::ask("C11=50"), Lines{"a1-n|something is in the way"});
  bench::ask("C20=1");
  EXPECT(bench::has(bench::ask("C31=50"), "a3+"));
  EXPECT(!isStanding());
}

TEST("it stops when the bridge says goodbye, or nothing any more") {
  bench::life([] {
    start();
    bench::meet();
    bench::ask("C01=50");
    bench::send("B");
    bench::run(50);
    EXPECT(isStanding());
  });
  bench::life([] {
    start();
    bench::meet();
    bench::ask("C01=50");
    bench::run(2200);
    EXPECT(!isStanding());
    bench::run(800);
    EXPECT(isStanding());
  });
}

TEST("a bridge that only pings lets it drive, also when every second ping is lost") {
  start();
  bench::meet();
  bench::ask("C01=50");
  for (int second = 0; second < 60; second++) {
    if (second % 2 == 0) bench::send("P");
    bench::run(1000);
    EXPECT(!isStanding());
  }
}

TEST("the watchdog is on exactly while the motors turn") {
  start();
  EXPECT(!Watchdog::isOn());
  bench::say("T=50");
  EXPECT(Watchdog::isOn());
  bench::say("T=0");
  EXPECT(!Watchdog::isOn());
  bench::say("T=50");
  setDistance(15);
  bench::run(60);
  EXPECT(isStanding() && !Watchdog::isOn());
}

TEST("without an accelerometer it drives, and tells no tilt that it does not know") {
  Wire.isThere = false;
  start();
  bench::meet();
  EXPECT(bench::has(bench::ask("C01=50"), "a0+"));
  EXPECT(!isStanding());
}
