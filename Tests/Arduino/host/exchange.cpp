// The exchange of the library, by the example that opens a gate with it.
#include <nlohmann/json.hpp>

#include <fstream>

#include "bench.h"

// No board's.
#define KEY "e83a60b5f1d24c079b3e58c6a4712d0f96bb05e7c2813f4da69d70588e14fb32"
#include "../../../Arduino/Sketch2MQTT/examples/Gate/Gate.ino"

using nlohmann::json;

static std::string text(const uint8_t *bytes, size_t count) { return std::string((const char *)bytes, count); }

static std::string hashOf(const std::string &message) {
  uint8_t hash[SketchSha256::length];
  SketchSha256 sha;
  sha.begin();
  sha.add((const uint8_t *)message.data(), message.size());
  sha.end(hash);
  return bench::toHex(text(hash, sizeof hash));
}

static std::string tagOf(const std::string &key, const std::string &message) {
  uint8_t tag[SketchHmac::length];
  SketchHmac hmac;
  hmac.begin((const uint8_t *)key.data(), key.size());
  hmac.add((const uint8_t *)message.data(), message.size());
  hmac.end(tag);
  return bench::toHex(text(tag, sizeof tag));
}

// MARK: Hashes

TEST("hashes are those of RFC 6234, and of the edges of a block") {
  const std::string letters = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  std::string hundreds, million(1000000, 'a');
  for (int time = 0; time < 80; time++) hundreds += "01234567";
  const std::vector<std::pair<std::string, std::string>> known = {
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {letters, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
      {hundreds, "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"},
      {"\x19", "68aa2e2ee5dff96e3355e6c7ee373e3d6a4e17f75f9518d843709c0c9bc3e3d4"},
      {bench::fromHex("e3d72570dcdd787ce3887ab2cd684652"),
       "175ee69b02ba9b58e2b0a5fd13819cea573f3940a94f825128cf4209beabb4e8"},
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {std::string(55, 'a'), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
      {std::string(56, 'a'), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
      {std::string(64, 'a'), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
  };
  for (const auto &each : known) EXPECT_EQUAL(hashOf(each.first), each.second);
}

TEST("tags are those of the shared vectors") {
  std::ifstream file("../Vectors/hmac-sha-256.json");
  int count = 0;
  for (const json &vector : json::parse(file)) {
    EXPECT_EQUAL(tagOf(bench::fromHex(vector["key"]), bench::fromHex(vector["message"])),
                 vector["tag"].get<std::string>());
    count++;
  }
  EXPECT(count >= 10);
}

TEST("tags are equal in all of their bytes or not at all") {
  uint8_t left[SketchHmac::length] = {}, right[SketchHmac::length] = {};
  EXPECT(SketchHmac::isEqual(left, right));
  for (int bit = 0; bit < 256; bit++) {
    right[bit / 8] ^= (uint8_t)(1 << bit % 8);
    EXPECT(!SketchHmac::isEqual(left, right));
    right[bit / 8] ^= (uint8_t)(1 << bit % 8);
  }
}

// MARK: The exchange

static Lines start() {
  bench::power(setup, loop);
  return bench::greet();
}

static std::string told() { return challenge.value(); }

static std::string word(const std::string &challenge, const std::string &key = bench::fromHex(KEY),
                        const std::string &name = "gate-1", char command = 'O') {
  return "O" + tagOf(key, name + bench::fromHex(challenge) + command);
}

static char sequence = '0';

// What the board answers.
static std::string said(const std::string &word) {
  sequence = sequence == '9' ? '0' : sequence + 1;
  bench::send(std::string("C") + sequence + "1=\"" + word);
  bench::run(300);
  for (const std::string &line : bench::receivedWhole()) {
    if (line.rfind(std::string("a") + sequence, 0) == 0) return line.substr(2, 2);
  }
  return "";
}

TEST("the right answer opens") {
  const Lines lines = start();
  EXPECT(bench::has(lines, "v0=\"" + told()));
  EXPECT_EQUAL(said(word(told())), "+");
  EXPECT(bench::levels[latch] == HIGH);
}

TEST("an answer said again opens nothing, whenever it is said") {
  start();
  const std::string answer = word(told());
  EXPECT_EQUAL(said(answer), "+");
  for (int time = 0; time < 20; time++) EXPECT_EQUAL(said(answer), "-i");
  EXPECT(bench::levels[latch] == LOW);
}

TEST("answers in another order open nothing") {
  start();
  const std::string first = word(told());
  exchange.renew();
  const std::string second = word(told());
  EXPECT_EQUAL(said(first), "-i");
  EXPECT_EQUAL(said(second), "-i");
  EXPECT_EQUAL(said(word(told())), "+");
}

TEST("answers of another key, name or command open nothing") {
  start();
  std::string other = bench::fromHex(KEY);
  other[31] ^= 1;
  EXPECT_EQUAL(said(word(told(), other)), "-i");
  EXPECT_EQUAL(said(word(told(), bench::fromHex(KEY).substr(0, 31))), "-i");
  EXPECT_EQUAL(said(word(told(), bench::fromHex(KEY), "gate-2")), "-i");
  EXPECT_EQUAL(said(word(told(), bench::fromHex(KEY), "gate-1", 'C')), "-i");
  EXPECT_EQUAL(said(word(told())), "+");
}

TEST("what is cut off, too long or no tag opens nothing") {
  start();
  for (size_t length = 0; length < 65; length++) EXPECT_EQUAL(said(word(told()).substr(0, length)), "-i");
  EXPECT_EQUAL(said(word(told()) + "0"), "-r");
  std::string capitals = word(told());
  for (char &digit : capitals) digit = (char)toupper(digit);
  EXPECT_EQUAL(said(capitals), "-i");
  EXPECT_EQUAL(said("C" + word(told()).substr(1)), "-i");
  EXPECT_EQUAL(said(word(told()).replace(64, 1, "g")), "-i");
}

TEST("a challenge ends with its session, and after fifteen seconds") {
  start();
  std::string early = word(told());
  bench::send("B");
  bench::run(100);
  bench::greet();
  EXPECT_EQUAL(said(early), "-i");
  early = word(told());
  bench::run(14000);
  EXPECT_EQUAL(word(told()), early);
  bench::run(1100);
  EXPECT_EQUAL(said(early), "-i");
}

TEST("no challenge comes twice, also not after a power cut") {
  Lines seen;
  for (int life = 0; life < 3; life++) {
    const uint32_t starts = SketchStarts<0>::next();
    for (int count = 0; count < 50; count++) {
      SketchExchange(key, challenge).begin(starts + count * 1000);
      seen.push_back(told());
    }
  }
  std::sort(seen.begin(), seen.end());
  EXPECT(std::unique(seen.begin(), seen.end()) == seen.end());
}

TEST("starts are counted through power cuts, in whichever write they fall") {
  EXPECT(SketchStarts<0>::next() == 1);
  EXPECT(SketchStarts<0>::next() == 2);
  uint32_t last = 2;
  for (int writes = 0; writes < 8; writes++) {
    for (int time = 0; time < 300; time++) last = SketchStarts<0>::next();
    EEPROM.writesLeft = writes;
    SketchStarts<0>::next();
    EEPROM.writesLeft = -1;
    const uint32_t next = SketchStarts<0>::next();
    // The one that was not written to its end was never used.
    EXPECT(next == last + 1 || next == last + 2);
    last = next;
  }
}
