// The rover under a Wi-Fi shield: whatever its link does, nobody drives it unseen.
#include "bench.h"

#include <WiFi.h>
Air air;
WiFiClass WiFi;

#define LINK WIFI
#include "../../../Arduino/Rover/Rover.ino"

WireBus Wire;

static bool isStanding() { return bench::levels[leftSpeedPin] == 0 && bench::levels[rightSpeedPin] == 0; }

static void start() {
  Wire.address = 0x53;
  bench::power(setup, loop, 300);
  bench::say("T=50");
  EXPECT(!isStanding());
}

TEST("it stands when its client goes") {
  start();
  air.hasClient = false;
  bench::run(2);
  EXPECT(isStanding());
}

TEST("it stands before the shield tries for seconds to join again") {
  static bool stood = true;
  start();
  bench::run(31000);
  EXPECT(!isStanding());
  air.joining = [] { stood = stood && isStanding(); };
  air.isThere = air.hasClient = false;
  bench::run(10);
  EXPECT(air.joins >= 2 && stood);
}

TEST("it stands when the network goes, although the shield holds on to its client") {
  start();
  air.isThere = false;
  bench::run(2);
  EXPECT(isStanding());
}
