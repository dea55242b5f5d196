// The library against the vectors that it shares with the bridge.
// Before the core, whose macros A0 and A1 are names there.
#include <nlohmann/json.hpp>

#include <Sketch2MQTT.h>
#include <SketchChecksum.h>
#include <stdlib.h>

#include <fstream>

#include "bench.h"

using nlohmann::json;

SKETCH_BOARD(board, "Greenhouse", WITH_MODEL("UNO"), WITH_VERSION("1.0"));
SKETCH_SENSOR(temperature, "Temperature", WITH_UNIT("°C"), WITH_CLASS("temperature"), WITH_MEASUREMENT,
              WITH_DECIMALS(1));
SKETCH_TEXT_SENSOR(phase, 12, "Phase");
SKETCH_ENUMERATION(wind, "Wind", WITH_OPTIONS("calm", "breeze", "storm"));
SKETCH_TIMESTAMP(next_watering, "Next watering", AS_DIAGNOSTIC);
SKETCH_BINARY_SENSOR(window, "Window", WITH_CLASS("window"));
SKETCH_SWITCH(pump, "Pump");
SKETCH_NUMBER(target, "Target temperature", WITH_RANGE(5, 30, 0.5), WITH_UNIT("°C"), WITH_DECIMALS(1),
              AS_SETTING);
SKETCH_SELECT(mode, "Mode", WITH_OPTIONS("automatic", "manual", "away"));
SKETCH_BUTTON(water, "Water now", WITH_ICON("mdi:watering-can"));
SKETCH_TEXT(message, 16, "Message");
SKETCH_EVENT(bell, "Bell", WITH_OPTIONS("short", "long"));
SKETCH_LOCK(door, "Door");
SKETCH_COVER(roof, "Roof", WITH_CLASS("window"), CAN_CLOSE, CAN_STOP);
SKETCH_COVER(vent, "Vent", WITH_ASSUMED_STATE, DISABLED_AT_FIRST);

static uint32_t keep(const char *digits) {
  const uint32_t identity = (uint32_t)strtoul(digits, nullptr, 16);
  char again[16];
  snprintf(again, sizeof again, "%08x", identity);
  return std::string(again) == digits ? identity : 0;
}

static bool waterNow() { return true; }
static bool moveDoor(uint8_t lock) {
  door.set(lock ? SketchLock::Locked : SketchLock::Unlocked);
  return true;
}
static bool moveRoof(uint8_t command) {
  const SketchCover::State states[] = {SketchCover::Closed, SketchCover::Open, SketchCover::Stopped};
  roof.set(states[command]);
  return true;
}
static bool moveVent(uint8_t) { return board.refuse(NotNow, F("it storms")); }

static void begin() {
  water.onPress(waterNow);
  door.onCommand(moveDoor);
  roof.onCommand(moveRoof);
  vent.onCommand(moveVent);
  board.identify(0x3fa9c210, keep);
  board.begin(bench::wire);
}

static const json &vectors() {
  static const json all = [] {
    const char *path = getenv("LINE_FORM_VECTORS");
    std::ifstream file(path ? path : "");
    return json::parse(file);
  }();
  return all;
}

static std::string text(const json &object, const char *name) { return object.at(name).get<std::string>(); }
static std::string bytes(const json &object, const char *name) { return bench::fromHex(text(object, name)); }

TEST("checksums") {
  for (const json &each : vectors().at("checksums")) {
    uint16_t line = SketchChecksum::lineStart;
    uint32_t token = SketchChecksum::tokenStart;
    for (unsigned char byte : bytes(each, "hex")) {
      line = SketchChecksum::line(line, byte);
      token = SketchChecksum::token(token, byte);
    }
    char digits[16];
    snprintf(digits, sizeof digits, "%04x %08x", line, ~token);
    EXPECT_EQUAL(digits, text(each, "line") + " " + text(each, "token"));
  }
}

static Lines results(SketchLineReader &reader, const char *buffer, const std::string &stream,
                     std::string &outside) {
  static const char *const names[] = {"",
                                      "",
                                      "",
                                      "error interrupted",
                                      "error too_long",
                                      "error control_character",
                                      "error too_short",
                                      "error checksum"};
  Lines lines;
  for (unsigned char byte : stream) {
    const SketchLineReader::Result result = reader.take(byte);
    if (result == SketchLineReader::Outside) outside += (char)byte;
    else if (result == SketchLineReader::Line) lines.push_back(std::string("body ") + buffer);
    else if (result != SketchLineReader::Inside) lines.push_back(names[result]);
  }
  return lines;
}

TEST("framing") {
  for (const json &each : vectors().at("framing")) {
    const uint8_t limit = each.at("limit").get<uint8_t>();
    std::vector<char> buffer(limit);
    SketchLineReader reader(buffer.data(), limit);
    Lines wanted;
    for (const json &result : each.at("results")) {
      wanted.push_back(result.contains("error")  ? "error " + text(result, "error")
                       : result.contains("body") ? "body " + text(result, "body")
                                                 : "body " + bytes(result, "body_hex"));
    }
    std::string outside;
    EXPECT_EQUAL(results(reader, buffer.data(), bytes(each, "hex"), outside), wanted);
    EXPECT_EQUAL(outside, bytes(each, "outside"));
  }
}

TEST("the bridge's lines arrive") {
  for (const json &each : vectors().at("to_board")) {
    char buffer[64];
    SketchLineReader reader(buffer, sizeof buffer);
    std::string outside;
    EXPECT_EQUAL(results(reader, buffer, bytes(each, "hex"), outside), Lines{"body " + text(each, "body")});
    EXPECT_EQUAL(bench::framed(text(each, "body")), bytes(each, "hex"));
  }
}

TEST("hello, descriptions and token") {
  begin();
  bench::run(100);
  const json &wanted = vectors().at("board");
  EXPECT_EQUAL(bench::received(), Lines{text(wanted, "hello")});
  board.beQuiet();
  EXPECT_EQUAL(bench::ask("D", 1500), wanted.at("descriptions").get<Lines>());
}

TEST("commands") {
  begin();
  bench::greet();
  for (const json &each : vectors().at("commands")) {
    bench::send("G" + text(vectors().at("board"), "token"));
    bench::run(1000);
    bench::received();
    Lines wanted;
    if (!each.at("answer").is_null()) wanted.push_back(text(each, "answer"));
    for (const json &line : each.at("then")) wanted.push_back(line.get<std::string>());
    const Lines got = bench::ask(text(each, "body"));
    bench::expect(got == wanted, text(each, "why"), __FILE__, __LINE__);
    EXPECT_EQUAL(got, wanted);
  }
}

TEST("conversations") {
  for (const json &each : vectors().at("conversations")) {
    bench::life([&] {
      begin();
      for (const json &step : each.at("steps")) {
        if (step.contains("wait")) bench::run(step.at("wait").get<unsigned>());
        if (step.contains("to_board")) bench::send(text(step, "to_board"));
        if (step.contains("to_board_hex")) bench::wire.incoming += bytes(step, "to_board_hex");
        if (!step.contains("from_board")) continue;
        const Lines got = bench::received(), wanted = step.at("from_board").get<Lines>();
        bench::expect(got == wanted, text(each, "why"), __FILE__, __LINE__);
        EXPECT_EQUAL(got, wanted);
      }
    });
  }
}

TEST("there are vectors of every sort") {
  for (const char *sort :
       {"checksums", "framing", "tokens", "from_board", "to_board", "commands", "conversations"}) {
    bench::expect(!vectors().at(sort).empty(), sort, __FILE__, __LINE__);
  }
}
