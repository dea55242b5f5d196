// The plug's sketch: to phone apps as it always spoke, to a bridge in lines.
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "bench.h"

#include <WiFi.h>
Air air;
WiFiClass WiFi;

#include "../../../Arduino/PowerPlug/PowerPlug.ino"

// 2023-11-14 22:13:20 UTC, 0x6553F100.
const uint32_t evening = 1700000000;

static bool isTriacOn() { return bench::levels[triacPin] == HIGH; }

static void start(uint32_t time = evening) {
  air.time = time;
  bench::power(setup, loop);
}

// As the page of the wire lays it out.
static std::string slot(const std::string &name, uint32_t start, uint16_t length, uint16_t period) {
  std::string bytes = name + std::string(21 - name.size(), 0);
  for (int byte = 0; byte < 4; byte++) bytes += (char)(start >> 8 * byte);
  for (uint16_t number : {length, period}) {
    bytes += (char)number;
    bytes += (char)(number >> 8);
  }
  return bytes;
}

static std::string write(int index, const std::string &slot) { return std::string("U") + (char)index + slot; }
static const std::string freeSlot = std::string(29, 0);

static std::string slotNow(int index) { return bench::toHex(bench::answer("A").substr(1 + 29 * (size_t)index, 29)); }

// MARK: Moments

TEST("moments are written and read as the C library has them") {
  for (uint64_t each = 0; each <= 0xFFFFFFFF; each += 40000 + each % 51787) {
    const uint32_t seconds = (uint32_t)each;
    char text[21], wanted[40];
    writeMoment(text, seconds);
    const time_t time = (time_t)each;
    tm parts;
    gmtime_r(&time, &parts);
    strftime(wanted, sizeof wanted, "%Y-%m-%dT%H:%M:%SZ", &parts);
    uint32_t read = 0;
    if (std::string(text) == wanted && readMoment(text, read) && read == seconds) continue;
    EXPECT_EQUAL(text, wanted);
    bench::expect(false, "to read " + std::string(text), __FILE__, __LINE__);
    return;
  }
  uint32_t seconds;
  EXPECT(readMoment("2106-02-07T06:28:15Z", seconds) && seconds == 0xFFFFFFFF);
  EXPECT(readMoment("2104-02-29T00:00:00Z", seconds) && readMoment("2000-02-29T00:00:00Z", seconds));
  for (const char *wrong :
       {"", "2106-02-07T06:28:16Z", "2106-02-08T00:00:00Z", "2023-11-14T22:13:20", "2023-11-14T22:13:20Z ", "2023-11-14 22:13:20Z", "2023-11-14T22:13:60Z",
        "2023-11-14T24:00:00Z", "2023-11-31T00:00:00Z", "2023-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
        "2023-00-10T00:00:00Z", "2023-13-10T00:00:00Z", "2023-10-00T00:00:00Z", "1969-12-31T23:59:59Z",
        "2023-11-14T22:13:20+", "2023-11-14T22:1x:20Z"}) {
    bench::expect(!readMoment(wrong, seconds), std::string("no moment: ") + wrong, __FILE__, __LINE__);
  }
}

// MARK: As it always spoke

TEST("a client hears the mode and the appliance") {
  start();
  EXPECT_EQUAL(bench::toHex(bench::answer("")), "530000");
  EXPECT_EQUAL(bench::answer("", 5000), "");
  bench::answer(std::string("S\1", 2));
  air.hasClient = false;
  bench::answer("");
  air.hasClient = true;
  EXPECT_EQUAL(bench::toHex(bench::answer("")), "530101");
}

TEST("an activation is 29 packed little-endian bytes, and the schedule is sent whole") {
  start();
  bench::answer("");
  EXPECT_EQUAL(bench::answer(write(0, slot("Lamp", evening, 30, 1440))), "");
  const std::string answer = bench::answer("A");
  EXPECT(answer.size() == 291);
  EXPECT_EQUAL(bench::toHex(answer.substr(0, 30)), "41"
                                          "4c616d700000000000000000000000000000000000"
                                          "00f15365"
                                          "1e00"
                                          "a005");
  EXPECT_EQUAL(answer.substr(30), std::string(261, 0));
}

TEST("a slot is written in pieces, and cleared, and no other moves") {
  start();
  bench::answer("");
  for (char byte : write(9, slot("Lamp", evening + 60, 30, 0))) {
    EXPECT_EQUAL(bench::answer(std::string(1, byte), 3), "");
  }
  bench::answer(write(8, slot("Kept", evening + 60, 1, 0)));
  EXPECT_EQUAL(slotNow(9), bench::toHex(slot("Lamp", evening + 60, 30, 0)));
  bench::answer("D\x09");
  EXPECT_EQUAL(slotNow(9), bench::toHex(freeSlot));
  EXPECT_EQUAL(slotNow(8), bench::toHex(slot("Kept", evening + 60, 1, 0)));
}

TEST("an index beyond the schedule changes nothing") {
  start();
  bench::answer("");
  for (int index : {10, 11, 255}) {
    bench::answer(write(index, slot("Lamp", evening, 30, 0)));
    bench::answer(std::string("D") + (char)index);
  }
  EXPECT_EQUAL(bench::answer("A"), "A" + std::string(290, 0));
}

TEST("commands may be glued together, and what begins none is passed over") {
  start();
  bench::answer("");
  const std::string lamp = slot("Lamp", evening, 30, 0);
  EXPECT_EQUAL(bench::answer(std::string("x\xFF S\1", 5) + write(0, lamp) + "A").substr(0, 30), "A" + lamp);
  EXPECT(isTriacOn());
}

TEST("bytes of a slot that look like lines or commands are its bytes") {
  start();
  bench::answer("");
  const std::string odd = slot("~ASDU~W", 0x7E7E7E41, 0x7E7E, 0x5341);
  bench::answer(write(3, odd));
  EXPECT_EQUAL(slotNow(3), bench::toHex(odd));
}

TEST("an unfinished command goes with its client, or after two seconds") {
  start();
  bench::answer("");
  bench::answer(write(0, slot("Lamp", evening, 30, 0)).substr(0, 10));
  air.hasClient = false;
  bench::answer("");
  air.hasClient = true;
  EXPECT_EQUAL(bench::toHex(bench::answer("A").substr(0, 5)), "5300004100");
  bench::answer(write(0, slot("Lamp", evening, 30, 0)).substr(0, 10), 3000);
  EXPECT(bench::answer("A").size() == 291);
}

TEST("switched by hand the plug is manual, and 2 gives it back to its schedule") {
  start();
  bench::answer(write(0, slot("Lamp", evening - 60, 30, 0)), 1000);
  EXPECT(isTriacOn());
  bench::answer(std::string("S\0", 2));
  EXPECT(!isTriacOn());
  bench::run(120000);
  EXPECT(!isTriacOn());
  bench::answer(std::string("S\1", 2));
  EXPECT(isTriacOn());
  bench::answer(std::string("S\0", 2));
  bench::answer(std::string("S\3", 2));
  EXPECT(!isTriacOn());
  bench::answer("S\2");
  EXPECT(isTriacOn());
}

// MARK: The schedule

TEST("the plug is on from start to end, and again every period, with a client connected or not") {
  start();
  bench::answer(write(0, slot("Lamp", evening + 60, 2, 5)));
  for (bool hasClient : {true, false, true}) {
    air.hasClient = hasClient;
    bench::run(58000);
    EXPECT(!isTriacOn());
    bench::run(4000);
    EXPECT(isTriacOn());
    bench::run(116000);
    EXPECT(isTriacOn());
    bench::run(4000);
    EXPECT(!isTriacOn());
    bench::run(118000);
  }
}

TEST("a start moves on by whole periods, also by more than 16 bits of seconds") {
  start();
  bench::answer(write(0, slot("Daily", evening - 86400 * 3 - 100, 10, 1440)), 1000);
  EXPECT_EQUAL(slotNow(0), bench::toHex(slot("Daily", evening - 100, 10, 1440)));
  bench::run(502000);
  EXPECT_EQUAL(slotNow(0), bench::toHex(slot("Daily", evening - 100 + 86400, 10, 1440)));
}

TEST("a spent one-off stays") {
  start();
  const std::string spent = slot("Once", evening - 7200, 10, 0);
  bench::answer(write(0, spent));
  bench::run(5000);
  EXPECT(!isTriacOn());
  EXPECT_EQUAL(slotNow(0), bench::toHex(spent));
}

TEST("starts stand still in manual mode and move on afterwards") {
  start();
  bench::answer(std::string("S\0", 2));
  bench::answer(write(0, slot("Lamp", evening, 1, 2)));
  bench::run(600000);
  EXPECT_EQUAL(slotNow(0), bench::toHex(slot("Lamp", evening, 1, 2)));
  bench::answer("S\2");
  EXPECT_EQUAL(slotNow(0), bench::toHex(slot("Lamp", evening + 600, 1, 2)));
}

TEST("a power cut while a slot is written leaves the old one, the new one or a free one, and the others") {
  const std::string kept = slot("Kept", evening + 600, 10, 1440), before = slot("Lamp", evening + 60, 30, 1440),
                    after = slot("Pump and lamp", evening + 86460, 1, 10);
  for (int writes = 0; writes < 30; writes++) {
    bench::life([&] {
      start();
      bench::answer(write(3, before) + write(4, kept));
      EEPROM.writesLeft = writes;
      bench::answer(write(3, after));
    });
    bench::life([&] {
      start(evening - 1);
      const std::string found = slotNow(3);
      EXPECT(found == bench::toHex(before) || found == bench::toHex(after) || found.substr(0, 2) == "00");
      EXPECT_EQUAL(slotNow(4), bench::toHex(kept));
      bench::answer("D" + std::string(1, 3) + "D" + std::string(1, 4));
    });
  }
}

TEST("the schedule outlives a power cut, and so does a cycle") {
  bench::life([] {
    start();
    bench::answer(write(4, slot("Lamp", evening + 60, 30, 1440)));
    bench::answer(std::string("S\0", 2));
  });
  bench::life([] {
    start(evening + 3 * 86400 + 120);
    bench::run(1000);
    EXPECT(isTriacOn());
    EXPECT_EQUAL(slotNow(4), bench::toHex(slot("Lamp", evening + 3 * 86400 + 60, 30, 1440)));
  });
}

TEST("cells that hold no schedule are an empty one") {
  memset(EEPROM.cells, 0x41, 1024);
  start();
  bench::answer("");
  EXPECT_EQUAL(bench::answer("A"), "A" + std::string(290, 0));
}

TEST("without the time nothing is switched, and the time is asked for until it comes") {
  bench::life([] {
    start();
    bench::answer(write(0, slot("Lamp", evening, 30, 0)));
  });
  start(0);
  bench::run(60000);
  EXPECT(!isTriacOn());
  EXPECT(air.asked >= 5 && air.asked <= 8);
  air.time = evening;
  bench::run(12000);
  EXPECT(isTriacOn());
  const int asked = air.asked;
  bench::run(600000);
  EXPECT(air.asked == asked);
}

TEST("a network that is not there is joined later") {
  air.isThere = false;
  start();
  bench::run(20000);
  EXPECT(air.joins == 1 && air.asked == 0);
  EXPECT_EQUAL(bench::wire.outgoing, "");
  air.isThere = true;
  bench::run(12000);
  EXPECT(air.joins == 2 && air.asked > 0);
  EXPECT_EQUAL(bench::toHex(bench::wire.outgoing), "530000");
}

// MARK: To a bridge

TEST("a bridge sees everything, and the old form is silent") {
  start();
  bench::answer(write(1, slot("Lamp", evening - 60, 30, 1440)));
  const Lines lines = bench::meet();
  for (const char *line :
       {"v0=1", "v1=0", "v2=0:null",
        R"(v2=1:{"name":"Lamp","start":"2023-11-14T22:12:20Z","length":30,"period":1440})", "v2=9:null", "v3=1700001740", "v4=\"Lamp", "v5=0"}) {
    bench::expect(bench::has(lines, line), line, __FILE__, __LINE__);
  }
  bench::wire.incoming = "A";
  bench::run(1000);
  EXPECT_EQUAL(bench::received(), Lines{});
}

TEST("a bridge describes the keys of the contract") {
  start();
  bench::send("D");
  bench::run(1000);
  bench::wire.outgoing.erase(0, 3); // the status of the old form
  EXPECT_EQUAL(bench::received(),
               Lines{"d0|wpower||coutlet", "d1|omode|Mode|oautomatic|omanual",
                     "d2|jschedule|Schedule|imdi:calendar-multiple|n10|l112", "d3|inext_switch|Next switch",
                     "d4|trunning|Running|l20", "d5|bclash|Clash|cproblem"});
}

TEST("a bridge switches by hand and gives back") {
  start();
  bench::meet();
  EXPECT_EQUAL(bench::ask("C00=1"), Lines{"a0+", "v0=1", "v1=1"});
  EXPECT(isTriacOn());
  EXPECT_EQUAL(bench::ask("C11=0"), Lines{"a1+", "v0=0", "v1=0"});
  EXPECT(!isTriacOn());
  EXPECT_EQUAL(bench::ask("C21=1"), Lines{"a2+", "v1=1"});
  EXPECT(!isTriacOn());
}

TEST("setting manual keeps the present power") {
  start();
  bench::answer(write(1, slot("Lamp", evening - 60, 30, 1440)), 1000);
  bench::meet();
  const Lines lines = bench::ask("C01=1");
  EXPECT(bench::has(lines, "v1=1") && bench::has(lines, "v3=?") && bench::has(lines, "v4=\"none"));
  EXPECT(isTriacOn());
}

static const std::string pump =
    R"({"name":"pump","start":"2023-11-14T22:13:30Z","length":1,"period":1440})";

TEST("an activation over lines switches the pin on time, and is the old form's too") {
  start();
  bench::meet();
  const Lines lines = bench::ask("C02=p" + pump);
  EXPECT(bench::has(lines, "a0+") && bench::has(lines, "v2=0:" + pump) && bench::has(lines, "v3=1700000010"));
  bench::run(11000);
  EXPECT(isTriacOn());
  bench::runHeard(60000);
  EXPECT(!isTriacOn());
  const Lines later = bench::received();
  EXPECT(bench::has(later, R"(v2=0:{"name":"pump","start":"2023-11-15T22:13:30Z","length":1,"period":1440})"));
  bench::send("B");
  bench::run(100);
  EXPECT_EQUAL(slotNow(0), bench::toHex(slot("pump", evening + 10 + 86400, 1, 1440)));
}

TEST("an activation is put over the one of its name, and deleted by it") {
  start();
  bench::meet();
  bench::ask("C02=p" + pump);
  const std::string other = R"({"name":"pump","start":"2023-11-15T22:13:30Z","length":2,"period":0})";
  EXPECT(bench::has(bench::ask("C12=p" + other), "v2=0:" + other));
  EXPECT(bench::has(bench::ask("C22=d\"pump\""), "v2=0:null"));
  EXPECT_EQUAL(bench::ask("C32=d\"pump\""), Lines{"a3-i|no activation has this name"});
}

TEST("activations that are none are refused, and nothing is written") {
  start();
  bench::meet();
  for (const char *row :
       {R"({"name":"","start":"2023-11-14T22:13:30Z","length":1,"period":0})",
        R"({"name":"123456789012345678901","start":"2023-11-14T22:13:30Z","length":1,"period":0})",
        R"({"name":"Brühe","start":"2023-11-14T22:13:30Z","length":1,"period":0})",
        R"({"name":"a","start":"2023-11-14","length":1,"period":0})",
        R"({"name":"a","start":"2023-11-14T22:13:30Z","length":0,"period":0})",
        R"({"name":"a","start":"2023-11-14T22:13:30Z","length":5,"period":5})",
        R"({"name":"a","start":"2023-11-14T22:13:30Z","length":65536,"period":0})",
        R"({"name":"a","start":"2023-11-14T22:13:30Z","length":1,"period":-1})",
        R"({"name":"a","start":"2023-11-14T22:13:30Z","length":1})",
        R"({"name":"a","length":1,"period":0})"}) {
    const Lines lines = bench::ask(std::string("C02=p") + row);
    bench::expect(lines.size() == 1 && (lines[0].substr(0, 3) == "a0-"), row, __FILE__, __LINE__);
    bench::send("G" + std::string(8, '0'));
    bench::ask("Cz0=2");
    bench::received();
  }
  for (int index = 0; index < 10; index++) {
    const std::string digit = std::to_string(index);
    const std::string row = "{\"name\":\"" + digit + R"(","start":"2023-11-14T22:13:30Z","length":1,"period":0})";
    EXPECT(bench::has(bench::ask("C" + digit + "2=p" + row), "v2=" + digit + ":" + row));
  }
  EXPECT_EQUAL(bench::ask("Ca2=p" + pump), Lines{"aa-f"});
}

TEST("the longest activation fits the board's line") {
  start();
  const Lines lines = bench::meet();
  const std::string row = R"({"name":"12345678901234567890","start":"2023-11-14T22:13:30Z",)"
                          R"("length":65534,"period":65535})";
  EXPECT(bench::framed("Cz2=p" + row).size() - 2 <= 112);
  EXPECT(bench::has(bench::ask("Cz2=p" + row), "v2=0:" + row));
}

TEST("clashes are told, the next switch passes over edges within them") {
  struct Case {
    std::string one, other;
    bool isClash;
  };
  for (const Case &each : std::vector<Case>{
           {slot("a", evening + 60, 10, 0), slot("b", evening + 360, 10, 0), true},
           {slot("a", evening + 60, 10, 0), slot("b", evening + 660, 10, 0), false},
           {slot("a", evening - 6000, 10, 0), slot("b", evening - 6000, 10, 0), false},
           {slot("a", evening, 30, 1440), slot("b", evening + 1800, 30, 1440), false},
           {slot("a", evening, 31, 1440), slot("b", evening + 1800, 30, 1440), true},
           {slot("a", evening, 30, 60), slot("b", evening + 1800, 30, 1440), false},
           {slot("a", evening, 30, 45), slot("b", evening + 1800, 15, 1440), false},
           {slot("a", evening, 30, 45), slot("b", evening + 1800, 16, 1440), true},
           {slot("a", evening + 86400, 30, 45), slot("b", evening, 1, 7), true},
           {slot("a", evening, 10, 60), slot("b", evening + 86400 + 1200, 30, 0), false},
           {slot("a", evening, 10, 60), slot("b", evening + 86400 + 1200, 41, 0), true},
           {slot("a", evening + 86400, 10, 60), slot("b", evening + 1200, 30, 0), false},
           {slot("a", evening + 1500, 10, 60), slot("b", evening + 1200, 30, 0), true},
       }) {
    bench::life([&] {
      start();
      bench::answer(write(0, each.one) + write(1, each.other), 1000);
      EXPECT(bench::has(bench::meet(), each.isClash ? "v5=1" : "v5=0"));
    });
    bench::life([&] {
      start();
      bench::answer(write(1, each.one) + write(0, each.other), 1000);
      EXPECT(bench::has(bench::meet(), each.isClash ? "v5=1" : "v5=0"));
    });
  }
  start();
  bench::answer(write(0, slot("a", evening + 60, 10, 0)) + write(1, slot("b", evening + 360, 10, 0)), 1000);
  EXPECT(bench::has(bench::meet(), "v3=1700000060"));
  bench::runHeard(59000);
  EXPECT(bench::has(bench::received(), "v3=1700000960"));
}

TEST("whatever bytes come, the plug lives") {
  start();
  srand(3);
  for (int turn = 0; turn < 20000; turn++) {
    bench::wire.incoming += rand() % 3 ? (char)(rand() % 256) : "AUDS~\n"[rand() % 6];
    if (turn % 8 == 0) bench::run(2);
    if (turn % 512 == 0) bench::wire.outgoing.clear();
  }
  bench::run(5000);
  bench::wire.outgoing.clear();
  const std::string answer = bench::answer("A", 500);
  EXPECT(answer.size() == 291 && answer[0] == 'A');
}
