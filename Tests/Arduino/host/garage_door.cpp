// The garage door's sketch: to phone apps as it always spoke, to a bridge in lines with its authenticated exchange.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

#include "bench.h"

// No board's.
#define KEY "5b1f9cde8a07e46d3c52b8f0917a2e6410d3f7ab85c96e0b42a17d58ef3490c6"
#define MASTER_PIN "70362"
#include "../../../Arduino/GarageDoor/GarageDoor.ino"

using nlohmann::json;

// The door follows the relay; the drive turns around at each pulse.
struct Drive {
  double place = 0; // 1 = open
  int direction = 0;
  int pulses = 0;
  bool wasOn = false;
  bool isStuck = false;

  void turn() {
    const bool isOn = bench::levels[relayPin] == HIGH;
    if (isOn && !wasOn) {
      pulses++;
      direction = direction ? -direction : place > 0 ? -1 : 1;
    }
    wasOn = isOn;
    if (!isStuck) place += direction / 12000.0;
    if (place >= 1 || place <= 0) {
      place = place >= 1 ? 1 : 0;
      direction = 0;
    }
    bench::levels[sensorPin] = place > 0 ? HIGH : LOW;
  }
};
static Drive drive;

static void start() {
  bench::levels[sensorPin] = LOW;
  bench::power(
      setup,
      [] {
        loop();
        drive.turn();
      },
      10);
}

static std::string tagOf(const std::string &key, const std::string &message) {
  uint8_t tag[SketchHmac::length];
  SketchHmac hmac;
  hmac.begin((const uint8_t *)key.data(), key.size());
  hmac.add((const uint8_t *)message.data(), message.size());
  hmac.end(tag);
  return bench::toHex(std::string((const char *)tag, sizeof tag));
}

static std::string ownKey() { return bench::fromHex(KEY); }

// As the page of the exchange lays it out.
static std::string wordFor(char command, const std::string &pin, const std::string &key = ownKey()) {
  const std::string challenge = bench::fromHex(::challenge.value());
  return command + tagOf(key, "garage-1" + challenge + command + std::string(2, 0) + pin);
}

static char sequence = '0';

static Lines authorized(const std::string &word, unsigned milliseconds = 400) {
  sequence = sequence == '9' ? '0' : sequence + 1;
  bench::send(std::string("C") + sequence + "5=\"" + word);
  bench::run(milliseconds);
  return bench::receivedWhole();
}

static bool isAccepted(const Lines &lines) {
  return std::count(lines.begin(), lines.end(), std::string("a") + sequence + "+") == 1;
}

static std::string refusal(const Lines &lines) {
  for (const std::string &line : lines) {
    if (line.rfind(std::string("a") + sequence + "-", 0) == 0) return line.substr(3, 1);
  }
  return "";
}

static void keepPin(const char *pin) { Pins::add((const uint8_t *)pin); }

// MARK: As it always spoke

TEST("a PIN pulses the relay for 300 ms, and the door closes after its interval") {
  start();
  keepPin("48151");
  bench::say("48151O=1", 60);
  EXPECT(bench::levels[relayPin] == HIGH && Watchdog::isOn());
  bench::run(250);
  EXPECT(bench::levels[relayPin] == HIGH);
  bench::run(60);
  EXPECT(bench::levels[relayPin] == LOW && !Watchdog::isOn());
  bench::run(29000);
  EXPECT(drive.pulses == 1 && drive.place == 1);
  bench::run(1000);
  EXPECT(drive.pulses == 2);
  bench::run(15000);
  EXPECT(drive.place == 0 && drive.pulses == 2);
}

TEST("whoever is unknown is ignored without an answer") {
  start();
  keepPin("48151");
  for (const char *wrong : {"48152O=1", "48151", "48151O", "48151O=0", "48151O=11", "O=1", "48151P", "48151A12345",
                            "a very long message that is none of ours"}) {
    EXPECT_EQUAL(bench::answer(wrong), std::string());
  }
  EXPECT(drive.pulses == 0);
  EXPECT(Pins::find((const uint8_t *)"12345") == Pins::count);
}

TEST("the master tells, adds, changes and deletes PINs, never its own") {
  start();
  EXPECT_EQUAL(bench::answer("70362P"), std::string("\xFF"));
  bench::say("70362A48151");
  bench::say("70362A62342");
  EXPECT_EQUAL(bench::answer("70362P"), std::string("\x01"
                                             "48151\x02"
                                             "62342\xFF"));
  bench::say(std::string("70362E\x02") + "77777");
  bench::say(std::string("70362D\x01"));
  EXPECT_EQUAL(bench::answer("70362P"), std::string("\x02"
                                             "77777\xFF"));
  bench::say(std::string("70362E\0", 7) + "99999");
  bench::say(std::string("70362D\0", 7));
  EXPECT_EQUAL(bench::answer("70362P"), std::string("\x02"
                                             "77777\xFF"));
}

TEST("PINs outlive a power cut, the master's is the sketch's") {
  bench::life([] {
    start();
    keepPin("48151");
  });
  bench::life([] {
    start();
    bench::say("48151O=1");
    EXPECT(drive.pulses == 1);
  });
}

TEST("a packet in pieces is one, two packets are two") {
  start();
  keepPin("48151");
  bench::say("4815", 20);
  bench::say("1O=1", 100);
  EXPECT(drive.pulses == 1);
}

TEST("who tries PINs is heard once in five seconds, and its owner as soon as that one is silent") {
  start();
  keepPin("48151");
  int heard = 0;
  for (int pin = 0; pin < 1000; pin++) {
    bench::say(std::to_string(10000 + pin) + "O=1", 100);
    const uint32_t before = wrongAt;
    if (wrongAt == bench::now - 50 || before >= bench::now - 99) heard++;
  }
  EXPECT(heard >= 20 && heard <= 25);
  bench::run(5000);
  bench::say("48151O=1");
  EXPECT(drive.pulses == 1);
}

TEST("a wrong PIN now and then keeps nobody waiting") {
  start();
  keepPin("48151");
  for (int time = 0; time < 4; time++) bench::say("48152O=1");
  bench::say("48151O=1");
  EXPECT(drive.pulses == 1);
}

TEST("no PIN opens while a bridge listens in lines") {
  start();
  keepPin("48151");
  bench::meet();
  bench::say("48151O=1");
  EXPECT(drive.pulses == 0);
  bench::send("B");
  bench::run(100);
  bench::say("48151O=1");
  EXPECT(drive.pulses == 1);
}

// MARK: The exchange

// The board as a vector has it.
static void assume(const json &vector) {
  static std::string key;
  key = bench::fromHex(vector["key"]);
  exchange = SketchExchange((const uint8_t *)key.data(), ::challenge);
  ::challenge.set(vector.value("nonce", std::string(32, '0')).c_str());
  memset(EEPROM.cells + Pins::slotLength, 0xFF, (Pins::count - 1) * Pins::slotLength);
  if (vector.contains("master")) Pins::write(0, (const uint8_t *)vector["master"].get<std::string>().data());
}

TEST("words are those of the shared vectors") {
  std::ifstream file("../Vectors/garage-authentication.json");
  int right = 0, wrong = 0;
  start();
  for (const json &vector : json::parse(file)) {
    assume(vector);
    if (vector.contains("pins")) {
      for (const std::string pin : vector["pins"]) keepPin(pin.c_str());
    } else {
      keepPin(vector["pin"].get<std::string>().c_str());
    }
    const std::string word = vector["command"];
    if (vector.contains("error")) {
      EXPECT(!authorizeWanted(word.c_str()));
      wrong++;
    } else {
      EXPECT(isRight(word[0], vector["tag"].get<std::string>().c_str()));
      right++;
    }
  }
  EXPECT(right >= 5 && wrong >= 8);
  EXPECT(drive.pulses == 0);
}

TEST("the right answer opens, once") {
  start();
  keepPin("48151");
  const Lines told = bench::meet();
  EXPECT(std::count(told.begin(), told.end(), "v0=0") == 1);
  EXPECT(std::count(told.begin(), told.end(), "v1=30") == 1);
  EXPECT(std::count(told.begin(), told.end(), std::string("v4=\"") + ::challenge.value()) == 1);
  const std::string word = wordFor('O', "48151");
  EXPECT(isAccepted(authorized(word)));
  EXPECT(drive.pulses == 1);
  EXPECT(door.value() == SketchCover::Opening);
  // Overheard and said again, also when the door is closed again.
  EXPECT_EQUAL(refusal(authorized(word)), "i");
  bench::runHeard(48000);
  EXPECT(door.value() == SketchCover::Closed);
  EXPECT_EQUAL(refusal(authorized(word)), "i");
  EXPECT(drive.pulses == 2);
}

TEST("an answer said again with its sequence is answered again and not obeyed again") {
  start();
  keepPin("48151");
  bench::meet();
  const std::string word = wordFor('O', "48151");
  EXPECT(isAccepted(authorized(word)));
  sequence--;
  EXPECT(isAccepted(authorized(word)));
  EXPECT(drive.pulses == 1);
}

TEST("answers to earlier challenges, of another key, PIN or command are refused") {
  start();
  keepPin("48151");
  bench::meet();
  const std::string early = wordFor('O', "48151");
  EXPECT_EQUAL(refusal(authorized(wordFor('O', "99999"))), "i");
  EXPECT_EQUAL(refusal(authorized(early)), "i");
  EXPECT_EQUAL(refusal(authorized(wordFor('O', MASTER_PIN))), "i");
  EXPECT_EQUAL(refusal(authorized(wordFor('O', "48151", ownKey().replace(31, 1, "x")))), "i");
  EXPECT(drive.pulses == 0);
}

TEST("words that are none are refused") {
  for (const std::string wrong : {"", "O", "O00", "X"}) {
    bench::life([&] {
      start();
      keepPin("48151");
      bench::meet();
      EXPECT_EQUAL(refusal(authorized(wrong + std::string(wrong == "X" ? 64 : 0, '0'))), "i");
      EXPECT(drive.pulses == 0);
    });
  }
}

TEST("wrong answers, however many, keep out nobody who has the right one") {
  start();
  keepPin("48151");
  bench::meet();
  for (int count = 0; count < 100; count++) EXPECT_EQUAL(refusal(authorized(wordFor('O', "99999"), 100)), "i");
  EXPECT(drive.pulses == 0);
  EXPECT(isAccepted(authorized(wordFor('O', "48151"))));
  EXPECT(drive.pulses == 1);
}

TEST("a second pulse waits until the drive has seen the first") {
  start();
  keepPin("48151");
  bench::meet();
  EXPECT(isAccepted(authorized(wordFor('O', "48151"), 200)));
  EXPECT(isAccepted(authorized(wordFor('C', "48151"), 200)));
  EXPECT(drive.pulses == 1);
  bench::run(1000);
  EXPECT(drive.pulses == 2);
  EXPECT(door.value() == SketchCover::Closing);
  bench::run(60000);
  EXPECT(drive.pulses == 2 && drive.place == 0);
}

TEST("a door that is open is not opened, but closed") {
  start();
  keepPin("48151");
  bench::meet();
  EXPECT(isAccepted(authorized(wordFor('O', "48151"))));
  bench::run(16000);
  EXPECT(door.value() == SketchCover::Open);
  EXPECT_EQUAL(refusal(authorized(wordFor('O', "48151"))), "n");
  EXPECT(isAccepted(authorized(wordFor('C', "48151"))));
  bench::run(14000);
  EXPECT(door.value() == SketchCover::Closed);
  EXPECT(isAccepted(authorized(wordFor('C', "48151"))));
  bench::run(40000);
  EXPECT(drive.pulses == 2);
}

TEST("a plain command does nothing") {
  start();
  keepPin("48151");
  bench::meet();
  for (const char *value : {"1", "0"}) {
    sequence++;
    EXPECT_EQUAL(refusal(bench::ask(std::string("C") + sequence + "0=" + value)), "i");
  }
  EXPECT(drive.pulses == 0);
}

TEST("a challenge that nobody answers is renewed when the bridge goes") {
  start();
  keepPin("48151");
  bench::meet();
  const std::string early = wordFor('O', "48151");
  bench::send("B");
  bench::run(100);
  bench::meet();
  EXPECT_EQUAL(refusal(authorized(early)), "i");
}

// MARK: PINs, sealed

static std::string marks() { return ::pins.value(); }

static bool isPin(uint8_t place, const std::string &pin) { return Pins::holds(place, (const uint8_t *)pin.data()); }

TEST("words about PINs and marks of places are those of the shared vectors") {
  std::ifstream file("../Vectors/garage-pins.json");
  int words = 0, wrong = 0, places = 0;
  start();
  for (const json &vector : json::parse(file)) {
    assume(vector);
    const uint8_t place = (uint8_t)std::stoi(vector["place"].get<std::string>());
    const std::string pin = vector.value("pin", "");
    if (vector.contains("mark")) {
      Pins::write(place, (const uint8_t *)pin.data());
      tellPlaces();
      EXPECT_EQUAL(marks().substr(4 * (place - 1), 4), vector["mark"].get<std::string>());
      const std::string all = marks();
      EXPECT(std::count(all.begin(), all.end(), '-') == 72);
      places++;
      continue;
    }
    Pins::write(place, (const uint8_t *)"33333");
    const bool isRightWord = !vector.contains("error");
    EXPECT(authorizeWanted(vector["word"].get<std::string>().c_str()) == isRightWord);
    EXPECT(isPin(place, isRightWord ? pin : "33333") == !(isRightWord && pin.empty()));
    EXPECT(Pins::isUsed(place) == !(isRightWord && pin.empty()));
    EXPECT(isPin(0, vector["master"]));
    if (isRightWord) {
      words++;
    } else {
      wrong++;
    }
  }
  EXPECT(words >= 5 && wrong >= 10 && places >= 4);
}

static std::string wordPutting(const std::string &pin, uint8_t place, char command = 'P') {
  const std::string challenge = bench::fromHex(::challenge.value());
  const std::string tag =
      tagOf(ownKey(), "garage-1" + challenge + command + (char)place + std::string(1, 0) + MASTER_PIN + pin);
  const std::string cover = bench::fromHex(tagOf(ownKey(), "garage-s" + bench::fromHex(tag)));
  std::string sealed(1, (char)place);
  for (int at = 0; at < 5; at++) sealed += (char)(pin[at] ^ cover[at]);
  return command + bench::toHex(sealed) + tag;
}

TEST("a PIN that is put by its word opens, one that is deleted does not, and none is said twice") {
  start();
  keepPin("48151");
  tellPlaces();
  const Lines told = bench::meet();
  EXPECT(std::count_if(told.begin(), told.end(), [](const std::string &line) {
           return line.rfind("v6=\"", 0) == 0 && line.size() == 80 && line[4] != '-' && line[8] == '-';
         }) == 1);
  const std::string word = wordPutting("05513", 2);
  const Lines answer = authorized(word);
  EXPECT(isAccepted(answer));
  EXPECT(std::count_if(answer.begin(), answer.end(),
                       [](const std::string &line) { return line.rfind("v6=\"", 0) == 0; }) == 1);
  EXPECT(isPin(2, "05513"));
  for (const std::string &line : answer) EXPECT(line.find("05513") == std::string::npos);
  EXPECT_EQUAL(refusal(authorized(word)), "i");
  // It is taken, but for its own place.
  EXPECT_EQUAL(refusal(authorized(wordPutting("05513", 3))), "i");
  EXPECT_EQUAL(refusal(authorized(wordPutting(MASTER_PIN, 3))), "i");
  EXPECT(isAccepted(authorized(wordPutting("05513", 2))));
  EXPECT(isAccepted(authorized(wordPutting(std::string(5, 0), 1, 'D'))));
  EXPECT(!Pins::isUsed(1) && marks().substr(0, 4) == "----");
  EXPECT_EQUAL(refusal(authorized(wordFor('O', "48151"))), "i");
  EXPECT(drive.pulses == 0);
  EXPECT(isAccepted(authorized(wordFor('O', "05513"))));
  EXPECT(drive.pulses == 1);
}

TEST("what the master changes in the classic form is told in lines") {
  start();
  bench::say("70362A48151");
  EXPECT(marks().substr(0, 4) != "----");
  bench::say(std::string("70362D\x01"));
  EXPECT(marks().substr(0, 4) == "----");
}

TEST("a power cut while a PIN is written leaves the old one, the new one or none") {
  for (int writes = 0; writes < 9; writes++) {
    bench::life([&] {
      start();
      keepPin("48151");
      EEPROM.writesLeft = writes;
      Pins::write(1, (const uint8_t *)"62342");
      EXPECT(!Pins::isUsed(1) || isPin(1, "48151") || isPin(1, "62342"));
      EXPECT(isPin(1, "62342") == (writes >= 7));
    });
  }
}

// MARK: What else it tells

TEST("the closing interval is kept") {
  bench::life([] {
    start();
    bench::meet();
    bench::ask("C11=10");
    EXPECT(closing_interval.value() == 10);
  });
  bench::life([] {
    start();
    EXPECT(closing_interval.value() == 10);
    keepPin("48151");
    bench::say("48151O=1");
    bench::run(10000);
    EXPECT(drive.pulses == 2);
  });
}

TEST("the light is switched") {
  start();
  bench::meet();
  bench::ask("C12=1");
  EXPECT(bench::levels[lightPin] == HIGH);
  bench::ask("C22=0");
  EXPECT(bench::levels[lightPin] == LOW);
}

TEST("a door that does not close is told once") {
  start();
  keepPin("48151");
  bench::meet();
  EXPECT(isAccepted(authorized(wordFor('O', "48151"))));
  bench::run(20000);
  drive.isStuck = true;
  bench::runHeard(100000);
  EXPECT(bench::has(bench::received(), "e3=0"));
  EXPECT(door.value() == SketchCover::Open);
}

TEST("a door that was left open by hand, or when the power failed, is told after ten minutes and not moved") {
  drive.place = 1;
  start();
  bench::meet();
  EXPECT(door.value() == SketchCover::Open);
  bench::runHeard(590000);
  EXPECT(!bench::has(bench::received(), "e3=0"));
  bench::runHeard(40000);
  EXPECT(bench::has(bench::received(), "e3=0"));
  // Nobody wants to hear it twice; once closed and opened again it is another time.
  bench::runHeard(1300000);
  EXPECT(!bench::has(bench::received(), "e3=0"));
  drive.place = 0;
  bench::run(100);
  drive.place = 1;
  bench::runHeard(610000);
  EXPECT(bench::has(bench::received(), "e3=0"));
  EXPECT(drive.pulses == 0);
}

TEST("when the power comes the relay is open from the first moment, whatever level that is") {
  bench::levels[relayPin] = -1;
  start();
  EXPECT(bench::outputsBegin[relayPin] == LOW);
}

TEST("a door that was closed by hand is not opened by the closing pulse") {
  start();
  keepPin("48151");
  bench::say("48151O=1");
  bench::run(16000);
  drive.place = 0;
  bench::run(30000);
  EXPECT(drive.pulses == 1);
}
