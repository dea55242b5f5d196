// The TV's sketch: to phone apps by two letters, to a bridge in lines.
#include <unistd.h>

#include <algorithm>

#include "bench.h"

#include "../../../Arduino/TVVolume/TVVolume.ino"

static void start() {
  setup();
  bench::sketch = loop;
  bench::run(100);
}

static void say(const char *packet) {
  bench::wire.incoming += packet;
  bench::run(100);
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
  bench::run(500);
  return bench::received();
}

TEST("a phone turns the volume up once, and down twice") {
  start();
  say("I");
  EXPECT(played[VolumeUp] == 1 && played[VolumeDown] == 0);
  say("D");
  EXPECT(played[VolumeUp] == 1 && played[VolumeDown] == 2);
  say("I");
  EXPECT(played[VolumeUp] == 2);
}

TEST("it says nothing to a phone") {
  start();
  say("I");
  bench::run(5000);
  EXPECT_EQUAL(bench::wire.outgoing, "");
}

TEST("what is no command plays nothing") {
  start();
  for (const char *packet : {"X", "i", "0", "~", "Iabcdef", "D1b9b1", "P", "C01=1abcd"}) say(packet);
  EXPECT(std::all_of(played, played + CodeCount, [](uint16_t count) { return count == 0; }));
}

TEST("a code is as long as its timings, with the light on for a third to a half of each period") {
  start();
  unsigned light = 0, dark = 0, longest = 0;
  bench::waited = [&](unsigned microseconds) {
    (bench::levels[lightPin] == HIGH ? light : dark) += microseconds;
    longest = std::max(longest, microseconds);
  };
  play(Mute);
  // 9 ms and 33 marks of 560 µs, of which the light's waits are 8 of 26 µs.
  const unsigned marks = 9000 + 33 * 560;
  EXPECT(light > marks * 8 / 26 - 300 && light < marks * 8 / 26 + 300);
  EXPECT(dark > 4500 + 32 * 560);
  // What the core's function can wait at most.
  EXPECT(longest <= 16383);
  EXPECT(bench::levels[lightPin] == LOW);
}

TEST("each code has the form of the others, and its second half is the complement of its first") {
  for (const Code &code : codes) {
    EXPECT(code.count == 67);
    for (int bit = 0; bit < 8; bit++) {
      const bool first = pgm_read_word(code.timings + 2 + 2 * (16 + bit) + 1) > 1000;
      const bool second = pgm_read_word(code.timings + 2 + 2 * (24 + bit) + 1) > 1000;
      EXPECT(first != second);
    }
  }
}

TEST("a bridge plays keys and codes, and sees the last code") {
  start();
  const Lines lines = whatTheBridgeSees();
  EXPECT(std::count(lines.begin(), lines.end(), "v2=?") == 1);
  EXPECT_EQUAL(bench::ask("C00="), Lines{"a0+"});
  EXPECT_EQUAL(bench::ask("C11="), Lines{"a1+"});
  EXPECT(played[VolumeUp] == 1 && played[VolumeDown] == 2);
  EXPECT_EQUAL(bench::ask("C22=2"), Lines{"a2+", "v2=2"});
  EXPECT(played[Mute] == 1);
  EXPECT_EQUAL(bench::ask("C32=4"), Lines{"a3-r"});
  say("I");
  EXPECT(played[VolumeUp] == 1);
}
