// Tables: the example's sketch, and a second table that is only read, against the vectors.
#include <nlohmann/json.hpp>

#include <Sketch2MQTT.h>
#include <stdlib.h>

#include <fstream>

#include "bench.h"

#include "../../../Arduino/Sketch2MQTT/examples/Table/Table.ino"

SKETCH_TABLE(history, 32, 16, "History", AS_DIAGNOSTIC);

using nlohmann::json;

static void begin() {
  setup();
  history.changed();
}

static const json &vectors() {
  static const json all = [] {
    const char *path = getenv("LINE_FORM_VECTORS");
    std::ifstream file(path ? path : "");
    return json::parse(file).at("table");
  }();
  return all;
}

static std::string text(const json &object, const char *name) { return object.at(name).get<std::string>(); }

TEST("hello and descriptions") {
  begin();
  bench::run(100);
  EXPECT_EQUAL(bench::received(), Lines{text(vectors().at("board"), "hello")});
  EXPECT_EQUAL(bench::ask("D"), vectors().at("board").at("descriptions").get<Lines>());
}

TEST("commands") {
  begin();
  bench::greet();
  bench::run(2000);
  bench::received();
  for (const json &each : vectors().at("commands")) {
    Lines wanted{text(each, "answer")};
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
        if (!step.contains("from_board")) continue;
        const Lines got = bench::received(), wanted = step.at("from_board").get<Lines>();
        bench::expect(got == wanted, text(each, "why"), __FILE__, __LINE__);
        EXPECT_EQUAL(got, wanted);
      }
    });
  }
}

static void greet() {
  begin();
  bench::greet();
  bench::run(2000);
  bench::received();
}

TEST("a row that changes while it is sent is sent as it was, then as it is") {
  greet();
  strcpy(kept[0].name, "eggs");
  kept[0].minutes = 6;
  timers.changed(0);
  bench::run(1);
  kept[0].minutes = 7;
  timers.changed(0);
  bench::run(200);
  EXPECT_EQUAL(bench::received(),
               Lines{"v0=0:{\"name\":\"eggs\",\"minutes\":6}", "v0=0:{\"name\":\"eggs\",\"minutes\":7}"});
}

TEST("a table can become unknown, and all its rows are told afterwards") {
  greet();
  timers.forget();
  bench::run(100);
  EXPECT_EQUAL(bench::received(), Lines{"v0=?"});
  timers.changed();
  bench::run(400);
  EXPECT_EQUAL(bench::received(), Lines{"v0=0:null", "v0=1:null", "v0=2:null", "v0=3:null"});
}

TEST("a row that does not fit is told as empty") {
  greet();
  // Eight backslashes are sixteen in JSON: the row has 41 bytes.
  for (const char *name : {"\\\\\\\\\\\\\\\\", "\\\\\\\\\\\\\\"}) {
    strcpy(kept[0].name, name);
    kept[0].minutes = 6;
    timers.changed(0);
    bench::run(200);
  }
  const Lines lines = bench::received();
  EXPECT_EQUAL(lines.at(0).substr(0, 5), "v0=0:");
  history.onRow([](uint8_t row, SketchRow &out) {
    if (row == 1) out.text(F("name"), "012345");
    if (row == 2) out.text(F("name"), "01234");
  });
  history.changed(1);
  history.changed(2);
  bench::run(200);
  EXPECT_EQUAL(bench::received(), Lines{"v1=1:null", "v1=2:{\"name\":\"01234\"}"});
}

TEST("values of every sort are written, and read back") {
  greet();
  history.onRow([](uint8_t row, SketchRow &out) {
    if (row == 0) out.flag(F("on"), true);
    if (row == 1) out.number(F("n"), -999999999);
    if (row == 2) out.text(F("t"), "\x01\x7f~");
  });
  for (uint8_t row = 0; row < 3; row++) history.changed(row);
  bench::run(200);
  EXPECT_EQUAL(bench::received(),
               Lines{"v1=0:{\"on\":true}", "v1=1:{\"n\":-999999999}", "v1=2:{\"t\":\"\\5cu0001\\7f\\7e\"}"});
  const SketchObject row("{\"a\":true,\"b\":-1.5,\"ab\":\"\\u0007\\n\",\"c\":12,\"d\":null}");
  EXPECT(row.isWhole());
  bool flag = false;
  int32_t number = 0;
  char words[4];
  EXPECT(row.flag(F("a"), flag) && flag);
  EXPECT(!row.flag(F("b"), flag));
  EXPECT(row.number(F("b"), number, 1) && number == -15);
  EXPECT(!row.number(F("b"), number));
  EXPECT(row.number(F("c"), number) && number == 12);
  EXPECT(!row.number(F("ab"), number) && !row.number(F("d"), number) && !row.number(F("x"), number));
  EXPECT(row.text(F("ab"), words, sizeof words) && std::string(words) == "\a\n");
  EXPECT(!row.text(F("ab"), words, 2) && !row.text(F("a"), words, 4) && !row.text(F("e"), words, 4));
  EXPECT(row.has(F("d")) && !row.has(F("bc")) && !SketchObject("{}").has(F("a")));
}

TEST("random objects are refused or read, and do no harm") {
  greet();
  srand(5);
  static const char *const parts[] = {"{", "}", "\"name\"", ":", ",", "\"tea\"", "3", "-", "\\5c", "\\22",
                                      "true", "null", "\"", "u00", "4", "[", "\"minutes\"", "\\5c\""};
  for (int turn = 0; turn < 20000; turn++) {
    std::string body = std::string("C") + (char)('0' + turn % 10) + "0=p{";
    for (int left = rand() % 12; left; left--) body += parts[(size_t)rand() % (sizeof parts / sizeof *parts)];
    bench::send(body);
    bench::run(3);
    if (turn % 100 == 0) bench::received();
  }
  EXPECT(bench::ask("W", 2000).size() >= 1);
}
