// The rover behind a serial module that says by a pin whether somebody is connected.
#include "bench.h"

#define HAVE_HWSERIAL1
#define Serial1 Serial
#define LINK HM10
#define LINK_STATE 12
#include "../../../Arduino/Rover/Rover.ino"

WireBus Wire;

static bool isStanding() { return bench::levels[leftSpeedPin] == 0 && bench::levels[rightSpeedPin] == 0; }

TEST("it stands when its phone goes, and obeys nothing until one is there") {
  Wire.address = 0x53;
  bench::levels[LINK_STATE] = HIGH;
  bench::power(setup, loop, 300);
  bench::say("T=50");
  EXPECT(!isStanding());
  bench::levels[LINK_STATE] = LOW;
  bench::run(2);
  EXPECT(isStanding());
  bench::say("T=50");
  EXPECT(isStanding());
  bench::levels[LINK_STATE] = HIGH;
  bench::run(10);
  bench::say("T=50");
  EXPECT(!isStanding());
}
