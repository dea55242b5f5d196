// A board on a bench: its link, its clock, and a bridge made of the protocol page's words.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "Arduino.h"

namespace bench {

/// The board's end of a link.
class Wire : public Stream {
public:
  /// What is on its way to the board.
  std::string incoming;
  /// What the board wrote.
  std::string outgoing;
  /// The lengths of its writes.
  std::vector<size_t> packets;
  /// How many bytes a write takes at most.
  size_t room = 1000;

  int available() override { return (int)incoming.size(); }
  int peek() override { return incoming.empty() ? -1 : (uint8_t)incoming[0]; }
  int read() override;
  size_t write(uint8_t byte) override { return write(&byte, 1); }
  size_t write(const uint8_t *bytes, size_t count) override;
};

extern Wire wire;
/// The board's clock in milliseconds; it wraps as on a board.
extern uint32_t now;

/// What is at the board's pins: levels in and out, and readings of the analog inputs.
extern int levels[70];
extern int readings[70];
/// The level of each output when it became one.
extern int outputsBegin[70];

/// Called with each wait inside the sketch, in microseconds.
extern std::function<void(unsigned)> waited;

/// What the sketch's loop() does, besides the board's.
extern std::function<void()> sketch;

/// Turns the loop once a millisecond.
void run(unsigned milliseconds);
/// The same, with a bridge that pings the board.
void runHeard(unsigned milliseconds);

/// CRC-16 bit by bit, as the protocol page defines it.
uint16_t checksum(const std::string &body);
std::string framed(const std::string &body);
void send(const std::string &body);

/// The bodies of the lines that the board wrote since the last call; a broken line is a failed test.
std::vector<std::string> received();
/// The same without what was broken off by a `~`.
std::vector<std::string> receivedWhole();
/// Sends a line, waits, and returns what came.
std::vector<std::string> ask(const std::string &body, unsigned milliseconds = 400);

/// Waits for a hello and returns its token.
std::string hello();
/// Waits for a hello, greets the board and takes what it then says.
std::vector<std::string> greet();

std::string fromHex(const std::string &hex);
std::string toHex(const std::string &bytes);

// MARK: Sketches that speak an older form too

/// Power: runs a sketch's setup(), and its loop() from then on.
void power(void (*setup)(), void (*loop)(), unsigned milliseconds = 0);

/// Says bytes of the older form.
void say(const std::string &bytes, unsigned milliseconds = 100);
/// Says bytes of the older form, and returns all that came.
std::string answer(const std::string &bytes, unsigned milliseconds = 100);
/// What the board writes in a time, each of its writes apart.
std::vector<std::string> packets(unsigned milliseconds);

/// Greets a board that says nothing in lines unasked, and returns what it then says in lines.
std::vector<std::string> meet(unsigned milliseconds = 1000);

/// Whether a line came, once.
bool has(const std::vector<std::string> &lines, const std::string &line);

// MARK: Tests

/// Each test runs in a process of its own, so that every board is fresh.
struct Test {
  Test(const char *name, void (*body)());
};
void expect(bool holds, const std::string &what, const char *file, int line);
void expectEqual(const std::vector<std::string> &got, const std::vector<std::string> &wanted,
                 const char *file, int line);
void expectEqual(const std::string &got, const std::string &wanted, const char *file, int line);
/// Runs in a further process, with the EEPROM shared: the life of a board from power to power.
void life(const std::function<void()> &body);

} // namespace bench

// A test's function is named by its line.
#define TEST(name) BENCH_TEST(name, __LINE__)
#define BENCH_TEST(name, line) BENCH_NUMBERED_TEST(name, line)
#define BENCH_NUMBERED_TEST(name, line) BENCH_NAMED_TEST(name, test##line, listed##line)
#define BENCH_NAMED_TEST(name, function, listing) \
  static void function(); \
  static bench::Test listing(name, function); \
  static void function()
#define EXPECT(condition) bench::expect(condition, #condition, __FILE__, __LINE__)
#define EXPECT_EQUAL(got, ...) bench::expectEqual(got, __VA_ARGS__, __FILE__, __LINE__)
using Lines = std::vector<std::string>;
