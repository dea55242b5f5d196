// The garage door's sketch: to phone apps as it always spoke, to a bridge in lines with its authenticated exchange.
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>

#include "bench.h"

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
  setup();
  bench::sketch = [] {
    loop();
    drive.turn();
  };
  bench::run(10);
}

static void say(const std::string &bytes, unsigned milliseconds = 200) {
  bench::wire.incoming += bytes;
  bench::run(milliseconds);
}

static std::string answer(const std::string &bytes) {
  bench::wire.outgoing.clear();
  say(bytes);
  const std::string said = bench::wire.outgoing;
  bench::wire.outgoing.clear();
  return said;
}

static Lines greeted() {
  bench::wire.outgoing.clear();
  bench::send("W");
  bench::run(300);
  const size_t begin = bench::wire.outgoing.find("~h1|");
  EXPECT(begin != std::string::npos);
  bench::send("G" + bench::wire.outgoing.substr(begin + 4, 8));
  bench::run(100);
  bench::wire.outgoing.erase(0, bench::wire.outgoing.find("~g"));
  bench::run(1000);
  return bench::received();
}

static std::string hex(const uint8_t *bytes, size_t count) {
  std::string text;
  char digits[3];
  for (size_t at = 0; at < count; at++) {
    snprintf(digits, sizeof digits, "%02x", bytes[at]);
    text += digits;
  }
  return text;
}

static std::string tagOf(const std::string &key, const std::string &message) {
  uint8_t tag[Hmac::length];
  Hmac hmac;
  hmac.begin((const uint8_t *)key.data(), (uint8_t)key.size());
  hmac.add((const uint8_t *)message.data(), (uint8_t)message.size());
  hmac.end(tag);
  return hex(tag, sizeof tag);
}

static std::string ownKey() {
  std::string key;
  for (int byte = 0; byte < 32; byte++) key += (char)byte;
  return key;
}

// As the page of the exchange lays it out.
static std::string wordFor(char command, const std::string &pin, const std::string &key = ownKey()) {
  const std::string challenge = bench::fromHex(::challenge.value());
  return command + tagOf(key, "garage-1" + challenge + command + std::string(2, 0) + pin);
}

static char sequence = '0';

static Lines authorized(const std::string &word) {
  sequence++;
  return bench::ask(std::string("C") + sequence + "5=\"" + word);
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

static void addPin(const char *pin) { Pins::add((const uint8_t *)pin); }

// MARK: As it always spoke

TEST("a PIN pulses the relay for 300 ms, and the door closes after its interval") {
  start();
  addPin("48151");
  say("48151O=1", 60);
  EXPECT(bench::levels[relayPin] == HIGH);
  bench::run(250);
  EXPECT(bench::levels[relayPin] == HIGH);
  bench::run(60);
  EXPECT(bench::levels[relayPin] == LOW);
  bench::run(29000);
  EXPECT(drive.pulses == 1 && drive.place == 1);
  bench::run(1000);
  EXPECT(drive.pulses == 2);
  bench::run(15000);
  EXPECT(drive.place == 0 && drive.pulses == 2);
}

TEST("whoever is unknown is ignored without an answer") {
  start();
  addPin("48151");
  for (const char *wrong : {"48152O=1", "48151", "48151O", "48151O=0", "48151O=11", "O=1", "48151P", "48151A12345",
                            "a very long message that is none of ours"}) {
    EXPECT_EQUAL(answer(wrong), std::string());
  }
  EXPECT(drive.pulses == 0);
  EXPECT(Pins::find((const uint8_t *)"12345") == Pins::count);
}

TEST("the master tells, adds, changes and deletes PINs, never its own") {
  start();
  EXPECT_EQUAL(answer("00000P"), std::string("\xFF"));
  say("00000A48151");
  say("00000A62342");
  EXPECT_EQUAL(answer("00000P"), std::string("\x01"
                                             "48151\x02"
                                             "62342\xFF"));
  say(std::string("00000E\x02") + "77777");
  say(std::string("00000D\x01"));
  EXPECT_EQUAL(answer("00000P"), std::string("\x02"
                                             "77777\xFF"));
  say(std::string("00000E\0", 7) + "99999");
  say(std::string("00000D\0", 7));
  EXPECT_EQUAL(answer("00000P"), std::string("\x02"
                                             "77777\xFF"));
}

TEST("PINs outlive a power cut, the master's is the sketch's") {
  bench::life([] {
    start();
    addPin("48151");
  });
  bench::life([] {
    start();
    say("48151O=1");
    EXPECT(drive.pulses == 1);
  });
}

TEST("a packet in pieces is one, two packets are two") {
  start();
  addPin("48151");
  say("4815", 20);
  say("1O=1", 100);
  EXPECT(drive.pulses == 1);
}

TEST("no PIN opens while a bridge listens in lines") {
  start();
  addPin("48151");
  greeted();
  say("48151O=1");
  EXPECT(drive.pulses == 0);
  bench::send("B");
  bench::run(100);
  say("48151O=1");
  EXPECT(drive.pulses == 1);
}

// MARK: The exchange

TEST("tags are those of the shared vectors") {
  std::ifstream file("../Vectors/hmac-sha-256.json");
  int count = 0;
  for (const json &vector : json::parse(file)) {
    const std::string message = bench::fromHex(vector["message"]);
    if (message.size() > 255) continue;
    EXPECT_EQUAL(tagOf(bench::fromHex(vector["key"]), message), vector["tag"].get<std::string>());
    count++;
  }
  EXPECT(count >= 10);
}

TEST("words are those of the shared vectors") {
  std::ifstream file("../Vectors/garage-authentication.json");
  for (const json &vector : json::parse(file)) {
    start();
    memset(EEPROM.cells, 0xFF, Pins::count * Pins::slotLength);
    if (vector.contains("pins")) {
      for (const std::string pin : vector["pins"]) addPin(pin.c_str());
    } else {
      addPin(vector["pin"].get<std::string>().c_str());
    }
    const std::string bytes = bench::fromHex(vector["nonce"]);
    memcpy(nonce, bytes.data(), sizeof nonce);
    const bool isOurKey = bench::fromHex(vector["key"]) == ownKey();
    uint8_t tag[Hmac::length];
    if (vector.contains("error")) {
      const std::string word = vector["command"];
      EXPECT(!(readTag(word.c_str() + 1, tag) && isRight(word[0], tag)));
    } else {
      const std::string command = vector["command"];
      EXPECT(readTag(vector["tag"].get<std::string>().c_str(), tag));
      EXPECT(isRight(command[0], tag) == isOurKey);
    }
  }
}

TEST("the right answer opens, once") {
  start();
  addPin("48151");
  const Lines told = greeted();
  EXPECT(std::count(told.begin(), told.end(), "v0=0") == 1);
  EXPECT(std::count(told.begin(), told.end(), "v1=30") == 1);
  EXPECT(std::count(told.begin(), told.end(), std::string("v4=\"") + ::challenge.value()) == 1);
  const std::string word = wordFor('O', "48151");
  EXPECT(isAccepted(authorized(word)));
  EXPECT(drive.pulses == 1);
  EXPECT(door.value() == SketchCover::Opening);
  // Overheard and said again, also when the door is closed again.
  EXPECT_EQUAL(refusal(authorized(word)), "i");
  bench::run(48000);
  EXPECT(door.value() == SketchCover::Closed);
  EXPECT_EQUAL(refusal(authorized(word)), "i");
  EXPECT(drive.pulses == 2);
}

TEST("an answer said again with its sequence is answered again and not obeyed again") {
  start();
  addPin("48151");
  greeted();
  const std::string word = wordFor('O', "48151");
  EXPECT(isAccepted(authorized(word)));
  sequence--;
  EXPECT(isAccepted(authorized(word)));
  EXPECT(drive.pulses == 1);
}

TEST("answers to earlier challenges, of another key, PIN or command are refused") {
  start();
  addPin("48151");
  greeted();
  const std::string early = wordFor('O', "48151");
  EXPECT_EQUAL(refusal(authorized(wordFor('O', "99999"))), "i");
  EXPECT_EQUAL(refusal(authorized(early)), "i");
  EXPECT_EQUAL(refusal(authorized(wordFor('O', "00000"))), "i");
  EXPECT_EQUAL(refusal(authorized(wordFor('O', "48151", ownKey().replace(31, 1, "x")))), "i");
  EXPECT(drive.pulses == 0);
}

TEST("words that are none are refused") {
  for (const std::string wrong : {"", "O", "O00", "X"}) {
    bench::life([&] {
      start();
      addPin("48151");
      greeted();
      EXPECT_EQUAL(refusal(authorized(wrong + std::string(wrong == "X" ? 64 : 0, '0'))), "i");
      EXPECT(drive.pulses == 0);
    });
  }
}

TEST("several wrong answers lock the board for a minute, also for right ones") {
  start();
  addPin("48151");
  greeted();
  for (int count = 0; count < mostWrong; count++) EXPECT_EQUAL(refusal(authorized(wordFor('O', "99999"))), "i");
  EXPECT_EQUAL(refusal(authorized(wordFor('O', "48151"))), "l");
  for (int second = 0; second < 7; second++) {
    bench::send("P");
    bench::run(10000);
  }
  bench::received();
  EXPECT(isAccepted(authorized(wordFor('O', "48151"))));
}

TEST("a door that is open is not opened, but closed") {
  start();
  addPin("48151");
  greeted();
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
  addPin("48151");
  greeted();
  for (const char *value : {"1", "0"}) {
    sequence++;
    EXPECT_EQUAL(refusal(bench::ask(std::string("C") + sequence + "0=" + value)), "i");
  }
  EXPECT(drive.pulses == 0);
}

TEST("challenges never repeat, across power cuts too") {
  std::string first;
  start();
  Lines seen;
  for (int count = 0; count < 50; count++) {
    renewChallenge();
    seen.push_back(::challenge.value());
  }
  std::sort(seen.begin(), seen.end());
  EXPECT(std::unique(seen.begin(), seen.end()) == seen.end());
  const uint32_t before = starts;
  bench::life([&] {
    start();
    EXPECT(starts == before + 1);
    EXPECT(!std::binary_search(seen.begin(), seen.end(), std::string(::challenge.value())));
  });
}

TEST("a challenge that nobody answers is renewed when the bridge goes, and after a minute") {
  start();
  addPin("48151");
  greeted();
  const std::string early = wordFor('O', "48151");
  bench::send("B");
  bench::run(100);
  greeted();
  EXPECT_EQUAL(refusal(authorized(early)), "i");
}

// MARK: PINs, sealed

static std::string marks() { return ::pins.value(); }

static bool isPin(uint8_t place, const std::string &pin) { return Pins::holds(place, (const uint8_t *)pin.data()); }

TEST("words about PINs and marks of places are those of the shared vectors") {
  std::ifstream file("../Vectors/garage-pins.json");
  int words = 0, wrong = 0, places = 0;
  for (const json &vector : json::parse(file)) {
    start();
    isLocked = false;
    wrongInARow = 0;
    memset(EEPROM.cells + Pins::slotLength, 0xFF, (Pins::count - 1) * Pins::slotLength);
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
    const std::string bytes = bench::fromHex(vector["nonce"]);
    memcpy(nonce, bytes.data(), sizeof nonce);
    const bool isOurs = bench::fromHex(vector["key"]) == ownKey() && vector["master"] == "00000";
    const bool isRightWord = isOurs && !vector.contains("error");
    EXPECT(authorizeWanted(vector["word"].get<std::string>().c_str()) == isRightWord);
    EXPECT(isPin(place, isRightWord ? pin : "33333") == !(isRightWord && pin.empty()));
    EXPECT(Pins::isUsed(place) == !(isRightWord && pin.empty()));
    EXPECT(isPin(0, "00000"));
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
      tagOf(ownKey(), "garage-1" + challenge + command + (char)place + std::string(1, 0) + "00000" + pin);
  const std::string cover = bench::fromHex(tagOf(ownKey(), "garage-s" + bench::fromHex(tag)));
  std::string sealed(1, (char)place);
  for (int at = 0; at < 5; at++) sealed += (char)(pin[at] ^ cover[at]);
  return command + hex((const uint8_t *)sealed.data(), sealed.size()) + tag;
}

TEST("a PIN that is put by its word opens, one that is deleted does not, and none is said twice") {
  start();
  addPin("48151");
  tellPlaces();
  const Lines told = greeted();
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
  EXPECT_EQUAL(refusal(authorized(wordPutting("00000", 3))), "i");
  EXPECT(isAccepted(authorized(wordPutting("05513", 2))));
  EXPECT(isAccepted(authorized(wordPutting(std::string(5, 0), 1, 'D'))));
  EXPECT(!Pins::isUsed(1) && marks().substr(0, 4) == "----");
  EXPECT_EQUAL(refusal(authorized(wordFor('O', "48151"))), "i");
  EXPECT(drive.pulses == 0);
  EXPECT(isAccepted(authorized(wordFor('O', "05513"))));
  EXPECT(drive.pulses == 1);
}

TEST("words about PINs count as wrong ones do") {
  start();
  greeted();
  for (int count = 0; count < mostWrong; count++) {
    EXPECT_EQUAL(refusal(authorized(wordPutting("05513", 2).replace(76, 1, "x"))), "i");
  }
  EXPECT_EQUAL(refusal(authorized(wordPutting("05513", 2))), "l");
  EXPECT(!Pins::isUsed(2));
}

TEST("what the master changes in the classic form is told in lines") {
  start();
  say("00000A48151");
  EXPECT(marks().substr(0, 4) != "----");
  say(std::string("00000D\x01"));
  EXPECT(marks().substr(0, 4) == "----");
}

TEST("a power cut while a PIN is written leaves the old one, the new one or none") {
  for (int writes = 0; writes < 9; writes++) {
    bench::life([&] {
      start();
      addPin("48151");
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
    greeted();
    bench::ask("C11=10");
    EXPECT(closing_interval.value() == 10);
  });
  bench::life([] {
    start();
    EXPECT(closing_interval.value() == 10);
    addPin("48151");
    say("48151O=1");
    bench::run(10000);
    EXPECT(drive.pulses == 2);
  });
}

TEST("the light is switched") {
  start();
  greeted();
  bench::ask("C12=1");
  EXPECT(bench::levels[lightPin] == HIGH);
  bench::ask("C22=0");
  EXPECT(bench::levels[lightPin] == LOW);
}

TEST("a door that does not close is told once") {
  start();
  addPin("48151");
  greeted();
  EXPECT(isAccepted(authorized(wordFor('O', "48151"))));
  bench::run(20000);
  drive.isStuck = true;
  Lines all;
  for (int part = 0; part < 10; part++) {
    bench::send("P");
    bench::run(10000);
    for (const std::string &line : bench::received()) all.push_back(line);
  }
  EXPECT(std::count(all.begin(), all.end(), "e3=0") == 1);
  EXPECT(door.value() == SketchCover::Open);
}

TEST("a door that was closed by hand is not opened by the closing pulse") {
  start();
  addPin("48151");
  say("48151O=1");
  bench::run(16000);
  drive.place = 0;
  bench::run(30000);
  EXPECT(drive.pulses == 1);
}
