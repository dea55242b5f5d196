// The TV's sketch with an infra-red receiver.
#include <algorithm>

#include "bench.h"

#define RECEIVER FITTED
#include "../../../Arduino/TVVolume/TVVolume.ino"

static void start() {
  bench::power(setup, loop, 100);
  bench::meet();
}

// Light and darkness in turn, microseconds, as the interrupt sees them, and darkness then.
static void shine(const std::vector<unsigned> &timings) {
  unsigned time = 0, due = 0;
  for (size_t i = 0; i <= timings.size(); i++) {
    due += i < timings.size() ? timings[i] : 30000;
    for (; time < due; time += Receiver::tick) receiver.sample(i % 2 == 0 && i < timings.size());
  }
}

static std::vector<unsigned> nec() {
  std::vector<unsigned> timings = {9000, 4500};
  for (int bit = 0; bit < 32; bit++) {
    timings.push_back(560);
    timings.push_back(bit % 3 ? 560 : 1690);
  }
  timings.push_back(560);
  return timings;
}

// What it has told of `infrared_received`; nothing twice.
static std::string hears(unsigned milliseconds = 3000) {
  bench::run(milliseconds);
  std::string text;
  for (const std::string &line : bench::received()) {
    if (line.compare(0, 4, "v4=\"") == 0) text += (text.empty() ? "" : " ") + line.substr(4);
  }
  return text;
}

TEST("a remote control's code is told once, in its few durations") {
  start();
  shine(nec());
  const std::string text = hears();
  EXPECT(text.compare(0, 6, "b67,0;") == 0);
  const std::string digits = text.substr(text.find(";t000") + 5);
  EXPECT(digits.size() == 67);
  // The header, and the first bits: a one and two zeros.
  EXPECT_EQUAL(digits.substr(0, 9), "012322222");
  EXPECT_EQUAL(hears(), "");
  bench::send("R");
  EXPECT_EQUAL(hears(), "");
}

TEST("the same code is told again when it comes again, not before the one before is told") {
  start();
  shine(nec());
  shine(nec());
  const std::string first = hears();
  EXPECT(std::count(first.begin(), first.end(), 'b') == 1);
  shine(nec());
  EXPECT_EQUAL(hears(), first);
}

TEST("a long code is told in several texts, each of which the bridge gets") {
  start();
  std::vector<unsigned> timings;
  for (int i = 0; i < 439; i++) timings.push_back(i % 2 && i % 7 == 0 ? 1260 : 430);
  shine(timings);
  const std::string text = hears(5000);
  std::string digits;
  for (size_t at = text.find('t'); at != std::string::npos; at = text.find('t', at + 1)) {
    EXPECT_EQUAL(text.substr(at + 1, 3), [&] {
      char place[8];
      snprintf(place, sizeof place, "%03x", (unsigned)digits.size());
      return std::string(place);
    }());
    const size_t end = text.find(' ', at);
    digits += text.substr(at + 4, end == std::string::npos ? end : end - at - 4);
  }
  EXPECT(digits.size() == 439);
  EXPECT(std::count(text.begin(), text.end(), ' ') >= 3);
}

TEST("flashes, lamps and noise are told as nothing, and it still sees a code after them") {
  start();
  shine({560, 560, 560});
  shine({500000});
  std::vector<unsigned> tooLong(600, 500);
  shine(tooLong);
  std::vector<unsigned> tooMany;
  for (unsigned i = 0, time = 200; i < 40; i++, time = time * 5 / 4 + 120) tooMany.push_back(std::min(time, 24000u));
  shine(tooMany);
  EXPECT_EQUAL(hears(), "");
  shine(nec());
  EXPECT(hears().compare(0, 6, "b67,0;") == 0);
}

TEST("it does not hear itself, and a code that is sent to it takes the place of one that it sees") {
  start();
  bench::waited = [](unsigned) { receiver.sample(bench::levels[lightPin] == HIGH); };
  EXPECT_EQUAL(bench::ask("C00="), Lines{"a0+"});
  EXPECT_EQUAL(hears(), "");
  EXPECT_EQUAL(bench::ask("C13=\"b3,38000;d600"), Lines{"a1+", "v3=?"});
  shine(nec());
  EXPECT_EQUAL(hears(), "");
  EXPECT_EQUAL(bench::ask("C23=\"t000000"), Lines{"a2+", "v3=?"});
  EXPECT(playedShown == 1);
  shine(nec());
  EXPECT(hears().compare(0, 6, "b67,0;") == 0);
}

TEST("without a bridge it sees nothing that a later one would be told") {
  start();
  bench::send("B");
  bench::run(200);
  shine(nec());
  bench::run(1000);
  bench::meet();
  EXPECT_EQUAL(hears(), "");
}
