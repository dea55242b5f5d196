// The plug's sketch on the serial port, with a clock chip and a card.
#include "bench.h"

#include <Wire.h>
WireBus Wire;

#define LINK USB
#define STORE CARD
#include "../../../Arduino/PowerPlug/PowerPlug.ino"

// 2027-05-01T05:59:50Z, a Saturday, in decimal digits of four bits each.
static void start(const std::string &registers = "50590507010527") {
  const std::string bytes = bench::fromHex(registers);
  for (size_t at = 0; at < bytes.size(); at++) Wire.registers[at] = (uint8_t)bytes[at];
  bench::power(setup, loop, 100);
}

static bool isTriacOn() { return bench::levels[triacPin] == HIGH; }

// "Lamp", from 2027-05-01T06:00:00Z, 30 minutes, daily.
static const std::string lamp = bench::fromHex("4c616d700000000000000000000000000000000000e074d56b1e00a005");

TEST("where nobody knows who is connected, the status comes with every answer") {
  start();
  EXPECT_EQUAL(bench::answer("A"), std::string("S\0\0A", 4) + std::string(290, 0));
  EXPECT_EQUAL(bench::answer("A").substr(0, 4), std::string("S\0\0A", 4));
}

TEST("the clock chip's time switches") {
  start();
  bench::answer(std::string("U\2", 2) + lamp);
  EXPECT(!isTriacOn());
  bench::run(11000);
  EXPECT(isTriacOn());
}

TEST("the chip is read again once an hour") {
  start();
  EXPECT(Wire.reads == 1);
  bench::run(3600000);
  EXPECT(Wire.reads == 2);
}

TEST("a chip that is not there is looked for every ten seconds") {
  Wire.isThere = false;
  start();
  bench::run(25000);
  EXPECT(now() == 0);
  Wire.isThere = true;
  bench::run(10000);
  EXPECT(now() != 0);
}

TEST("a clock that was never set, or says nonsense, is none") {
  for (const char *registers : {"d0590507010527", "50590507014027", "ffffffffffffff", "50992407010527"}) {
    bench::life([&] {
      start(registers);
      EXPECT(now() == 0);
    });
  }
}

TEST("the card keeps the schedule through a power cut") {
  bench::life([] {
    start();
    bench::answer(std::string("U\2", 2) + lamp);
    bench::answer("D\x01");
  });
  bench::life([] {
    start("00000607010527");
    EXPECT(bench::answer("A").substr(4 + 58, 29) == lamp);
    bench::run(1000);
    EXPECT(isTriacOn());
  });
}

TEST("a card that is empty or cut off is an empty schedule") {
  EEPROM.cells[512] = 100;
  EEPROM.cells[513] = 0;
  start();
  EXPECT_EQUAL(bench::answer("A"), std::string("S\0\0A", 4) + std::string(290, 0));
}
