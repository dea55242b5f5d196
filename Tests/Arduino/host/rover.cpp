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
  setup();
  setTilt(0, 0);
  bench::sketch = loop;
  bench::run(300);
}

static void say(const char *packet, unsigned milliseconds = 60) {
  bench::wire.incoming += packet;
  bench::run(milliseconds);
}

static Lines packets(unsigned milliseconds) {
  bench::wire.outgoing.clear();
  bench::wire.packets.clear();
  bench::run(milliseconds);
  Lines all;
  size_t at = 0;
  for (size_t length : bench::wire.packets) {
    all.push_back(bench::wire.outgoing.substr(at, length));
    at += length;
  }
  bench::wire.outgoing.clear();
  return all;
}

static Lines whatTheBridgeSees() {
  bench::wire.outgoing.clear();
  bench::send("W");
  bench::run(200);
  const size_t begin = bench::wire.outgoing.find("~h1|");
  EXPECT(begin != std::string::npos);
  bench::send("G" + bench::wire.outgoing.substr(begin + 4, 8));
  bench::run(100);
  bench::wire.outgoing.erase(0, bench::wire.outgoing.find("~g"));
  bench::run(1000);
  return bench::received();
}

static bool contains(const Lines &lines, const char *line) {
  return std::count(lines.begin(), lines.end(), line) > 0;
}

TEST("a phone drives it") {
  start();
  EXPECT(isStanding());
  say("F");
  say("T=100");
  EXPECT((wheels() == Wheels{true, 255, 255}));
  say("R=50");
  EXPECT((wheels() == Wheels{true, 255, 127}));
  say("L=50");
  EXPECT((wheels() == Wheels{true, 127, 255}));
  say("L=0");
  EXPECT((wheels() == Wheels{true, 255, 255}));
  say("T=0");
  EXPECT(isStanding());
  say("B");
  say("T=50");
  EXPECT((wheels() == Wheels{false, 127, 127}));
}

TEST("packets that come close together are all obeyed") {
  start();
  say("L=0T=20R=50");
  EXPECT((wheels() == Wheels{true, 51, 25}));
  say("T=0BT=60");
  EXPECT((wheels() == Wheels{false, 153, 153}));
}

TEST("a lower throttle lets no wheel race") {
  start();
  say("FT=100R=50");
  say("T=20");
  EXPECT((wheels() == Wheels{true, 51, 25}));
}

TEST("throttle 0 straightens, and another direction stops") {
  start();
  say("FT=50R=50");
  say("T=0");
  say("T=50");
  EXPECT((wheels() == Wheels{true, 127, 127}));
  say("B");
  EXPECT(isStanding());
  EXPECT(!wheels().isForward);
}

TEST("what is no command does nothing") {
  start();
  for (const char *packet : {"T", "T=", "T=101", "T=1000", "T=-5", "X", "FX", "R50", "T=50;", "t=50", "~", "C11=50abcd",
                             "T=50T=50T=50T=50T=50T=50T=50", "G1234abcd", "Bb1d4"}) {
    say(packet);
    EXPECT(isStanding());
    EXPECT(wheels().isForward);
  }
}

TEST("it tells its tilt five times a second, as classic rovers do") {
  start();
  setTilt(-8, 31);
  const Lines all = packets(2000);
  EXPECT(all.size() >= 9 && all.size() <= 11);
  EXPECT_EQUAL(all.back(), "-0.30:1.18");
  setTilt(0, -262);
  EXPECT_EQUAL(packets(500).back(), "0.00:-10.02");
  setTilt(-511, 511);
  EXPECT_EQUAL(packets(500).back(), "-19.54:19.54");
}

TEST("it says nothing while nobody is connected") {
  start();
  Central::isConnected() = false;
  EXPECT_EQUAL(packets(3000), Lines{});
}

TEST("it stops when its link drops, and does not go on when it is back") {
  start();
  say("FT=50");
  EXPECT(!isStanding());
  Central::isConnected() = false;
  bench::run(20);
  EXPECT(isStanding());
  Central::isConnected() = true;
  bench::run(1000);
  EXPECT(isStanding());
  say("R=10");
  EXPECT(isStanding());
}

TEST("an obstacle stops it, and what is said afterwards does not set it going") {
  start();
  say("FT=50");
  setDistance(19);
  bench::run(60);
  EXPECT(isStanding());
  EXPECT(bench::levels[lightPin] == HIGH);
  for (const char *packet : {"F", "T=50", "R=20"}) {
    say(packet);
    EXPECT(isStanding());
  }
  setDistance(40);
  bench::run(100);
  EXPECT(isStanding());
  EXPECT(bench::levels[lightPin] == LOW);
  say("T=50");
  EXPECT(!isStanding());
}

TEST("away from an obstacle it drives") {
  start();
  setDistance(15);
  bench::run(60);
  say("B");
  say("T=50");
  EXPECT((wheels() == Wheels{false, 127, 127}));
}

TEST("a bridge sees everything, and the old form is silent") {
  start();
  setTilt(-8, 31);
  setDistance(40);
  bench::run(500);
  const Lines lines = whatTheBridgeSees();
  for (const char *line : {"v0=0", "v1=0", "v2=0", "v4=-0.3", "v5=1.18", "v6=0", "v7=40"}) {
    EXPECT(contains(lines, line));
  }
  EXPECT_EQUAL(packets(3000), Lines{});
}

TEST("a bridge drives it") {
  start();
  whatTheBridgeSees();
  EXPECT_EQUAL(bench::ask("C01=50"), Lines{"a0+", "v1=50"});
  EXPECT((wheels() == Wheels{true, 127, 127}));
  EXPECT_EQUAL(bench::ask("C12=-50"), Lines{"a1+", "v2=-50"});
  EXPECT((wheels() == Wheels{true, 63, 127}));
  const Lines turned = bench::ask("C20=1");
  EXPECT(contains(turned, "a2+") && contains(turned, "v0=1") && contains(turned, "v1=0") && contains(turned, "v2=0"));
  EXPECT(isStanding());
  bench::ask("C31=30");
  const Lines stopped = bench::ask("C43=");
  EXPECT(contains(stopped, "a4+") && contains(stopped, "v1=0"));
  EXPECT(isStanding());
  EXPECT_EQUAL(bench::ask("C51=101"), Lines{"a5-r"});
}

TEST("a bridge is told of an obstacle, and refused what leads into it") {
  start();
  whatTheBridgeSees();
  bench::ask("C01=50");
  setDistance(15);
  bench::run(400);
  const Lines lines = bench::received();
  EXPECT(contains(lines, "v6=1") && contains(lines, "v1=0") && contains(lines, "v7=15"));
  EXPECT_EQUAL(bench::ask("C11=50"), Lines{"a1-n|something is in the way"});
  bench::ask("C20=1");
  EXPECT(contains(bench::ask("C31=50"), "a3+"));
  EXPECT(!isStanding());
}

TEST("it stops when the bridge says goodbye, or nothing any more") {
  bench::life([] {
    start();
    whatTheBridgeSees();
    bench::ask("C01=50");
    bench::send("B");
    bench::run(50);
    EXPECT(isStanding());
  });
  bench::life([] {
    start();
    whatTheBridgeSees();
    bench::ask("C01=50");
    bench::run(50000);
    EXPECT(!isStanding());
    bench::run(15000);
    EXPECT(isStanding());
  });
}

TEST("without an accelerometer it drives, and tells no tilt that it does not know") {
  Wire.isThere = false;
  start();
  whatTheBridgeSees();
  EXPECT(contains(bench::ask("C01=50"), "a0+"));
  EXPECT(!isStanding());
}
