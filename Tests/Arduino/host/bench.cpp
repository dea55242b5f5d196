#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "EEPROM.h"
#include "SketchBoard.h"

EEPROMClass EEPROM;
extern SketchBoard board;

HardwareSerial Serial;

unsigned long millis() { return bench::now; }
void pinMode(uint8_t pin, uint8_t mode) {
  if (mode == INPUT_PULLUP) bench::levels[pin] = HIGH;
  if (mode == OUTPUT) bench::outputsBegin[pin] = bench::levels[pin];
}
int digitalRead(uint8_t pin) { return bench::levels[pin]; }
void digitalWrite(uint8_t pin, uint8_t level) { bench::levels[pin] = level; }
void delayMicroseconds(unsigned int microseconds) {
  if (bench::waited) bench::waited(microseconds);
}
void analogWrite(uint8_t pin, int value) { bench::levels[pin] = value; }
int analogRead(uint8_t pin) { return bench::readings[pin]; }

int HardwareSerial::available() { return bench::wire.available(); }
int HardwareSerial::read() { return bench::wire.read(); }
int HardwareSerial::peek() { return bench::wire.peek(); }
size_t HardwareSerial::write(const uint8_t *bytes, size_t count) { return bench::wire.write(bytes, count); }

namespace bench {

Wire wire;
uint32_t now;
int levels[70];
int readings[70];
int outputsBegin[70];
std::function<void()> sketch;
std::function<void(unsigned)> waited;

int Wire::read() {
  const int byte = peek();
  if (byte >= 0) incoming.erase(0, 1);
  return byte;
}

size_t Wire::write(const uint8_t *bytes, size_t count) {
  const size_t taken = count < room ? count : room;
  if (taken) packets.push_back(taken);
  outgoing.append((const char *)bytes, taken);
  return taken;
}

void run(unsigned milliseconds) {
  while (milliseconds--) {
    if (sketch) sketch();
    board.loop();
    now++;
  }
}

void runHeard(unsigned milliseconds) {
  for (unsigned left = milliseconds; left;) {
    const unsigned part = std::min(left, 15000u);
    send("P");
    run(part);
    left -= part;
  }
}

uint16_t checksum(const std::string &body) {
  uint16_t sum = 0xFFFF;
  for (unsigned char byte : body) {
    for (int bit = 7; bit >= 0; bit--) {
      const bool isOut = (sum >> 15) ^ ((byte >> bit) & 1);
      sum = (uint16_t)(sum << 1);
      if (isOut) sum ^= 0x1021;
    }
  }
  return sum;
}

std::string framed(const std::string &body) {
  char digits[5];
  snprintf(digits, sizeof digits, "%04x", checksum(body));
  return "~" + body + digits + "\n";
}

void send(const std::string &body) { wire.incoming += framed(body); }

static Lines taken(bool canBreakOff) {
  Lines lines;
  size_t end;
  while ((end = wire.outgoing.find('\n')) != std::string::npos) {
    std::string line = wire.outgoing.substr(0, end);
    wire.outgoing.erase(0, end + 1);
    const size_t begin = line.rfind('~');
    if (begin == std::string::npos || (begin != 0 && !canBreakOff) || line.size() - begin < 6) {
      expect(false, "a line: " + line, __FILE__, __LINE__);
      continue;
    }
    const std::string body = line.substr(begin + 1, line.size() - begin - 5);
    expectEqual(line.substr(begin) + "\n", framed(body), __FILE__, __LINE__);
    expect(line.size() - begin - 1 <= 255, "a line of at most 255 bytes", __FILE__, __LINE__);
    lines.push_back(body);
  }
  return lines;
}

Lines received() { return taken(false); }
Lines receivedWhole() { return taken(true); }

Lines ask(const std::string &body, unsigned milliseconds) {
  send(body);
  run(milliseconds);
  return received();
}

std::string hello() {
  for (int waited = 0; waited < 17000; waited += 100) {
    run(100);
    for (const std::string &body : received()) {
      if (body.compare(0, 3, "h1|") == 0) return body.substr(3, 8);
    }
  }
  expect(false, "a hello", __FILE__, __LINE__);
  return "";
}

Lines greet() { return ask("G" + hello(), 1000); }

std::string fromHex(const std::string &hex) {
  std::string bytes;
  for (size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes += (char)strtoul(hex.substr(at, 2).c_str(), nullptr, 16);
  }
  return bytes;
}

std::string toHex(const std::string &bytes) {
  std::string hex;
  char digits[3];
  for (unsigned char byte : bytes) {
    snprintf(digits, sizeof digits, "%02x", byte);
    hex += digits;
  }
  return hex;
}

// MARK: Sketches that speak an older form too

void power(void (*setup)(), void (*loop)(), unsigned milliseconds) {
  setup();
  sketch = loop;
  run(milliseconds);
}

void say(const std::string &bytes, unsigned milliseconds) {
  wire.incoming += bytes;
  run(milliseconds);
}

std::string answer(const std::string &bytes, unsigned milliseconds) {
  wire.outgoing.clear();
  say(bytes, milliseconds);
  std::string said;
  said.swap(wire.outgoing);
  return said;
}

Lines packets(unsigned milliseconds) {
  wire.packets.clear();
  const std::string said = answer("", milliseconds);
  Lines all;
  size_t at = 0;
  for (size_t length : wire.packets) {
    all.push_back(said.substr(at, length));
    at += length;
  }
  return all;
}

Lines meet(unsigned milliseconds) {
  const std::string said = answer(framed("W"), 300);
  // A hello among what is said in the older form.
  const size_t begin = said.find("~h1|");
  if (begin == std::string::npos) {
    expect(false, "a hello", __FILE__, __LINE__);
    return {};
  }
  send("G" + said.substr(begin + 4, 8));
  run(100);
  wire.outgoing.erase(0, wire.outgoing.find("~g"));
  run(milliseconds);
  return received();
}

bool has(const Lines &lines, const std::string &line) {
  return std::count(lines.begin(), lines.end(), line) == 1;
}

// MARK: Tests

struct Listed {
  const char *name;
  void (*body)();
};
static std::vector<Listed> &listed() {
  static std::vector<Listed> tests;
  return tests;
}
static int failures;

Test::Test(const char *name, void (*body)()) { listed().push_back({name, body}); }

void expect(bool holds, const std::string &what, const char *file, int line) {
  if (holds) return;
  failures++;
  fprintf(stderr, "%s:%d: expected %s\n", file, line, what.c_str());
}

void expectEqual(const std::string &got, const std::string &wanted, const char *file, int line) {
  expect(got == wanted, "'" + wanted + "', not '" + got + "'", file, line);
}

void expectEqual(const Lines &got, const Lines &wanted, const char *file, int line) {
  std::string all;
  for (const std::string &each : got) all += "\n    " + each;
  all += "\n  instead of";
  for (const std::string &each : wanted) all += "\n    " + each;
  expect(got == wanted, "other lines:" + all, file, line);
}

static bool succeedsApart(const std::function<void()> &body) {
  fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    failures = 0;
    body();
    fflush(nullptr);
    _exit(failures ? 1 : 0);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

void life(const std::function<void()> &body) {
  expect(succeedsApart(body), "a life without failures", __FILE__, __LINE__);
}

} // namespace bench

int main() {
  using namespace bench;
  EEPROM.cells = (uint8_t *)mmap(nullptr, 1024, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  int failed = 0;
  for (const Listed &test : listed()) {
    memset(EEPROM.cells, 0xFF, 1024);
    if (succeedsApart(test.body)) continue;
    failed++;
    fprintf(stderr, "FAILED: %s\n", test.name);
  }
  printf("%zu tests, %d failed\n", listed().size(), failed);
  return failed || listed().empty();
}
