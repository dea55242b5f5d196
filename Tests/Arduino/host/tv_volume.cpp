// The TV's sketch: to phone apps by two letters, to a bridge in lines.
#include <unistd.h>

#include <algorithm>

#include "bench.h"

#include "../../../Arduino/TVVolume/TVVolume.ino"

static void start() {
  bench::power(setup, loop, 100);
}

TEST("a phone turns the volume up once, and down twice") {
  start();
  bench::say("I");
  EXPECT(played[VolumeUp] == 1 && played[VolumeDown] == 0);
  bench::say("D");
  EXPECT(played[VolumeUp] == 1 && played[VolumeDown] == 2);
  bench::say("I");
  EXPECT(played[VolumeUp] == 2);
}

TEST("it says nothing to a phone") {
  start();
  bench::say("I");
  bench::run(5000);
  EXPECT_EQUAL(bench::wire.outgoing, "");
}

TEST("what is no command plays nothing") {
  start();
  for (const char *packet : {"X", "i", "0", "~", "Iabcdef", "D1b9b1", "P", "C01=1abcd"}) bench::say(packet);
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
  const Lines lines = bench::meet();
  EXPECT(bench::has(lines, "v2=?"));
  EXPECT_EQUAL(bench::ask("C00="), Lines{"a0+"});
  EXPECT_EQUAL(bench::ask("C11="), Lines{"a1+"});
  EXPECT(played[VolumeUp] == 1 && played[VolumeDown] == 2);
  EXPECT_EQUAL(bench::ask("C22=2"), Lines{"a2+", "v2=2"});
  EXPECT(played[Mute] == 1);
  EXPECT_EQUAL(bench::ask("C32=4"), Lines{"a3-r"});
  bench::say("I");
  EXPECT(played[VolumeUp] == 1);
}

// What was waited with the light on and off, in turn; a mark's periods are one.
static std::vector<unsigned> seen;

static void look() {
  seen.clear();
  bench::waited = [](unsigned microseconds) {
    const bool isLight = bench::levels[lightPin] == HIGH;
    const bool isMark = seen.size() % 2;
    // Within a mark no darkness is as long as a timing.
    if (isLight != isMark && (isLight || microseconds > 40)) seen.push_back(0);
    if (!seen.empty()) seen.back() += microseconds;
  };
}

TEST("a code that a bridge sends is played when its last timing has come, and is nobody's state") {
  start();
  bench::meet();
  look();
  EXPECT_EQUAL(bench::ask("C03=\"b7,38000;d562,1687,4500,9000"), Lines{"a0+", "v3=?"});
  EXPECT(seen.empty() && playedShown == 0);
  EXPECT_EQUAL(bench::ask("C13=\"t0003200"), Lines{"a1+", "v3=?"});
  EXPECT(seen.empty());
  EXPECT_EQUAL(bench::ask("C23=\"t004010"), Lines{"a2+", "v3=?"});
  EXPECT(playedShown == 1);
  const std::vector<unsigned> wanted = {9000, 4500, 562, 562, 562, 1687, 562, 40000};
  EXPECT(seen.size() == wanted.size());
  for (size_t i = 0; i < wanted.size() && i < seen.size(); i++) {
    EXPECT(seen[i] + 40 > wanted[i] && seen[i] < wanted[i] + 40);
  }
  // It is gone: a timing more belongs to nothing.
  EXPECT_EQUAL(bench::ask("C33=\"t0070"), Lines{"a3-i"});
  EXPECT(playedShown == 1);
}

TEST("a code in one text, other carriers, the most timings and the longest pause") {
  start();
  bench::meet();
  for (const char *text : {"b1,36000;d600;t0000", "b3,56000;d600,130000;t000010", "b3,40000;d600,1200,2400;t000201"}) {
    EXPECT_EQUAL(bench::ask(std::string("C03=\"") + text), Lines{"a0+", "v3=?"});
    EXPECT_EQUAL(bench::ask("C12=2"), Lines{"a1+", "v2=2"});
  }
  EXPECT(playedShown == 3);
  EXPECT_EQUAL(bench::ask("C23=\"b512,38000;d600"), Lines{"a2+", "v3=?"});
  char sequence = '3';
  for (int place = 0; place < 512; place += 64) {
    char head[8];
    snprintf(head, sizeof head, "%03x", place);
    const std::string text = std::string(1, sequence) + "3=\"t" + head + std::string(64, '0');
    EXPECT_EQUAL(bench::ask("C" + text), Lines{std::string("a") + sequence + "+", "v3=?"});
    sequence = sequence == '9' ? 'a' : (char)(sequence + 1);
  }
  EXPECT(playedShown == 4);
}

TEST("a code that is wrong is refused and forgotten, and nothing of it is played") {
  start();
  bench::meet();
  look();
  char sequence = '0';
  for (const char *text :
       {"", "x", "b", "b0,38000;d600;t0000", "b513,38000", "b1", "b1,", "b1,0;d600;t0000", "b1,29999;d600;t0000",
        "b1,60001;d600;t0000", "b1,38000;d600;t0001", "b1,38000;d600;t000", "b1,38000;d600;t00100", "b1,38000;d600;t00000",
        "b1,38000;d600;t000g", "b1,38000;d;t0000", "b1,38000;dx;t0000", "b1,38000;d131001;t0000", "b1,38000;d1;t0000",
        "b1,38000;d-600;t0000", "b1,38000;t0000", "d600;t0000", "t0000", "b1,38000;;d600;t0000", "b1,38000;d600;t0000;x",
        "b1,38000;d49;t0000", "b17,38000;d50,50,50,50,50,50,50,50,50,50,50,50,50,50,50,50,50;t0000",
        "b27,38000;d500,130000;t000010101010101010101010101010"}) {
    const std::string answer = std::string("a") + sequence + "-i";
    const Lines lines = bench::ask(std::string("C") + sequence + "3=\"" + text);
    EXPECT_EQUAL(lines, Lines{answer + (std::string(text).empty() ? "" : "")});
    sequence = sequence == '9' ? 'a' : sequence == 'z' ? '0' : (char)(sequence + 1);
  }
  EXPECT(playedShown == 0);
  EXPECT(seen.empty());
}
