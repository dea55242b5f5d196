// The board's state machine on bad links: lost bytes, garbage, power loss, slow writers, other protocols.
#include <Sketch2MQTT.h>
#include <SketchStoredIdentity.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"

SKETCH_BOARD(board, "Protocol");
SKETCH_SWITCH(pump, "Pump");
SKETCH_TEXT(message, 30, "Message");
SKETCH_BUTTON(door, "Toggle the door");
SKETCH_SENSOR(count, "Count", WITH_DECIMALS(0));

static int presses;
static bool press() {
  presses++;
  return true;
}

static void begin() {
  door.onPress(press);
  board.begin(bench::wire);
}

TEST("nothing is written before begin()") {
  board.loop();
  bench::run(1000);
  EXPECT_EQUAL(bench::wire.outgoing, "");
}

TEST("values that change while nobody listens are not sent, and the newest is known later") {
  begin();
  const std::string token = bench::hello();
  for (int value = 0; value < 50; value++) {
    count.set(value);
    bench::run(10);
  }
  for (const std::string &body : bench::received()) EXPECT(body[0] == 'h');
  EXPECT_EQUAL(bench::ask("G" + token, 1000), Lines{"g" + token, "v0=?", "v1=?", "v3=49", "p3|0|0"});
}

TEST("packets have 20 bytes at most and keep their distance") {
  begin();
  bench::greet();
  message.set("a text of thirty bytes, or so");
  bench::wire.packets.clear();
  bench::run(19);
  EXPECT(bench::wire.packets.size() == 1);
  bench::run(200);
  for (size_t length : bench::wire.packets) EXPECT(length <= 20);
  EXPECT_EQUAL(bench::received(), Lines{"v1=\"a text of thirty bytes, or so"});
}

TEST("lines share packets") {
  begin();
  bench::greet();
  bench::wire.packets.clear();
  pump.set(true);
  count.set(5);
  bench::run(1);
  EXPECT(bench::wire.packets == std::vector<size_t>{20});
}

TEST("a link that takes a few bytes at a time loses none") {
  for (size_t room : {1, 2, 3, 7, 19}) {
    bench::life([room] {
      bench::wire.room = room;
      begin();
      bench::run(3000);
      const std::string token = bench::received().at(0).substr(3, 8);
      bench::send("D");
      bench::send("G" + token);
      bench::run(6000);
      EXPECT(bench::received().size() >= 9);
    });
  }
}

TEST("a link that takes nothing is waited for without blocking") {
  begin();
  bench::greet();
  bench::wire.room = 0;
  pump.set(true);
  bench::run(5000);
  EXPECT_EQUAL(bench::received(), Lines{});
  bench::wire.room = 1000;
  bench::run(100);
  EXPECT_EQUAL(bench::received(), Lines{"v0=1"});
}

TEST("a text that changes while it is being sent is broken off and sent anew") {
  begin();
  bench::greet();
  message.set("the first text, which is long");
  bench::run(1);
  message.set("the second text");
  bench::run(200);
  EXPECT_EQUAL(bench::receivedWhole(), Lines{"v1=\"the second text"});
  EXPECT_EQUAL(bench::ask("P"), Lines{"p5|0|0"});
}

TEST("whatever single byte of a command is lost or damaged, it is obeyed exactly or not at all") {
  begin();
  bench::greet();
  const std::string command = bench::framed("C02=");
  for (size_t at = 0; at < command.size(); at++) {
    std::string lost = command;
    lost.erase(at, 1);
    for (const std::string &line : {lost, command.substr(0, at) + "\x01" + command.substr(at + 1),
                                    command.substr(0, at) + "~" + command.substr(at + 1),
                                    command.substr(0, at) + "0" + command.substr(at + 1)}) {
      if (line == command) continue;
      const int before = presses;
      bench::wire.incoming += line;
      bench::run(50);
      EXPECT(presses == before);
      // The next line arrives all the same.
      bench::receivedWhole();
      EXPECT(bench::ask("P", 100).size() == 1);
    }
  }
  EXPECT(bench::ask("C12=") == Lines{"a1+"});
  EXPECT(presses == 1);
}

TEST("every single wrong bit is noticed") {
  begin();
  bench::greet();
  const std::string command = bench::framed("C32=");
  for (size_t bit = 0; bit < command.size() * 8; bit++) {
    std::string line = command;
    line[bit / 8] = (char)(line[bit / 8] ^ (1 << bit % 8));
    bench::wire.incoming += line + "\n";
    bench::run(20);
  }
  EXPECT(presses == 0);
}

TEST("a command that is said twice is obeyed once") {
  begin();
  bench::greet();
  for (int time = 0; time < 5; time++) EXPECT_EQUAL(bench::ask("C72="), Lines{"a7+"});
  EXPECT(presses == 1);
  EXPECT_EQUAL(bench::ask("C82="), Lines{"a8+"});
  EXPECT(presses == 2);
}

TEST("commands that come faster than their answers leave are all answered") {
  begin();
  bench::greet();
  for (char sequence = '0'; sequence <= '9'; sequence++) bench::send(std::string("C") + sequence + "2=");
  bench::run(1000);
  EXPECT(bench::received().size() == 10);
  EXPECT(presses == 10);
}

TEST("a board that lost its power in a line is understood afterwards") {
  static std::string wire;
  int pipes[2];
  EXPECT(pipe(pipes) == 0);
  bench::life([&] {
    begin();
    bench::greet();
    message.set("0123456789 0123456789");
    bench::run(5);
    EXPECT(write(pipes[1], bench::wire.outgoing.data(), bench::wire.outgoing.size()) == 20);
  });
  bench::life([&] {
    char torn[20];
    EXPECT(read(pipes[0], torn, 20) == 20);
    begin();
    bench::wire.outgoing.assign(torn, 20);
    bench::run(100);
    const Lines lines = bench::receivedWhole();
    EXPECT(lines.size() == 1 && lines[0].substr(0, 3) == "h1|");
  });
}

TEST("a command that was in the middle when the board started anew is not obeyed") {
  begin();
  bench::wire.incoming = bench::framed("C02=").substr(3);
  bench::run(3000);
  EXPECT(presses == 0);
}

TEST("a line that stands still is given up") {
  begin();
  static std::string other;
  board.onOther([](uint8_t byte) {
    other += (char)byte;
    return false;
  });
  bench::wire.incoming = "~C0";
  bench::run(3000);
  bench::wire.incoming = "1";
  bench::run(10);
  EXPECT_EQUAL(other, "1");
}

TEST("another protocol's bytes are handed over until a bridge listens") {
  begin();
  static std::string other;
  board.onOther([](uint8_t byte) {
    other += (char)byte;
    return other.size() == 2;
  });
  const std::string token = bench::hello();
  bench::wire.incoming = "1A~0";
  bench::run(10);
  EXPECT_EQUAL(other, "1A~0");
  bench::send("G" + token);
  bench::wire.incoming += "10";
  bench::run(1000);
  EXPECT(board.isHeard());
  EXPECT_EQUAL(other, "1A~0");
}

TEST("what is left of a broken line is not handed over") {
  begin();
  static std::string other;
  board.onOther([](uint8_t byte) {
    other += (char)byte;
    return false;
  });
  bench::wire.incoming = std::string("~C0\x02") + "1111\n" + bench::framed("C02=").replace(3, 1, "x") + "0";
  bench::run(50);
  EXPECT_EQUAL(other, "0");
}

TEST("a bridge that is silent for 35 seconds is gone, one of whose pings two were lost is not") {
  begin();
  bench::greet();
  bench::run(25000);
  EXPECT(board.isHeard());
  bench::ask("P");
  bench::run(34000);
  EXPECT(board.isHeard());
  // What is none of its lines is no sign of life.
  bench::wire.incoming += "P";
  bench::run(1500);
  EXPECT(!board.isHeard());
}

TEST("a quiet board speaks when it is asked") {
  board.beQuiet();
  begin();
  bench::run(60000);
  EXPECT_EQUAL(bench::wire.outgoing, "");
  EXPECT(bench::ask("W").size() == 1);
}

TEST("a link that went down is forgotten with all that was under way") {
  begin();
  bench::greet();
  bench::send("D");
  bench::wire.incoming += "~C0";
  bench::run(30);
  board.linkDown();
  EXPECT(board.isHeard());
  pump.set(true);
  bench::run(1000);
  bench::wire.outgoing.clear();
  bench::wire.incoming.clear();
  bench::run(1000);
  EXPECT_EQUAL(bench::wire.outgoing, "");
  board.linkUp();
  EXPECT(!board.isHeard());
  bench::run(500);
  const Lines lines = bench::received();
  EXPECT(lines.size() == 1 && lines[0][0] == 'h');
}

TEST("the clock may wrap") {
  begin();
  const std::string token = bench::hello();
  bench::now = 0xFFFFFFFF - 20000;
  bench::ask("G" + token, 1000);
  for (int turn = 0; turn < 4; turn++) {
    bench::run(10000);
    EXPECT(bench::ask("P").size() == 1);
  }
  bench::run(33000);
  EXPECT(board.isHeard());
  bench::run(3000);
  EXPECT(!board.isHeard());
}

TEST("random bytes press no button and stop nothing") {
  begin();
  bench::greet();
  srand(7);
  for (int turn = 0; turn < 20000; turn++) {
    static const char some[] = "~CDGPRWIB0123456789=\"\\?abcdef|\n\r";
    const int byte = rand() % 4 ? some[(size_t)rand() % (sizeof some - 1)] : rand() % 256;
    bench::wire.incoming += (char)byte;
    if (turn % 16 == 0) bench::run(5);
  }
  bench::run(3000);
  bench::wire.outgoing.clear();
  bench::run(20000);
  bench::receivedWhole();
  EXPECT(presses == 0);
  EXPECT(bench::ask("W").size() >= 1);
}

TEST("random valid lines do no harm") {
  begin();
  bench::greet();
  srand(11);
  for (int turn = 0; turn < 20000; turn++) {
    static const char letters[] = "CDGPRWIBZ", some[] = "0123456789=\"\\?abcdef|.-";
    std::string body(1, letters[(size_t)rand() % (sizeof letters - 1)]);
    for (int left = rand() % 43; left; left--) body += some[(size_t)rand() % (sizeof some - 1)];
    bench::send(body);
    bench::run(3);
    if (turn % 100 == 0) bench::received();
  }
  EXPECT(bench::ask("W", 2000).size() >= 1);
}

// MARK: Identity

TEST("an identity from the bridge survives power cuts") {
  bench::life([] {
    SketchStoredIdentity<10>::use(board);
    board.begin(bench::wire);
    bench::run(100);
    EXPECT_EQUAL(bench::received().at(0).substr(11), "|+|48|4|Protocol");
    EXPECT_EQUAL(bench::ask("I0badcafe").at(0).substr(11), "|0badcafe+|48|4|Protocol");
  });
  bench::life([] {
    SketchStoredIdentity<10>::use(board);
    board.begin(bench::wire);
    bench::run(100);
    EXPECT_EQUAL(bench::received().at(0).substr(11), "|0badcafe+|48|4|Protocol");
  });
}

TEST("an identity whose cells are damaged is none") {
  bench::life([] {
    SketchStoredIdentity<10>::use(board);
    board.begin(bench::wire);
    bench::ask("I0badcafe");
  });
  EEPROM.cells[11] ^= 4;
  bench::life([] {
    SketchStoredIdentity<10>::use(board);
    board.begin(bench::wire);
    bench::run(100);
    EXPECT_EQUAL(bench::received().at(0).substr(11), "|+|48|4|Protocol");
  });
}

TEST("two identities give two tokens") {
  static std::string tokens[2];
  int pipes[2];
  EXPECT(pipe(pipes) == 0);
  for (uint32_t identity : {1u, 2u}) {
    bench::life([&] {
      board.identify(identity);
      begin();
      EXPECT(write(pipes[1], bench::hello().data(), 8) == 8);
    });
  }
  char both[16];
  EXPECT(read(pipes[0], both, 16) == 16);
  EXPECT(memcmp(both, both + 8, 8) != 0);
}

TEST("a board that keeps no identity says who it is") {
  board.identify(0x1234);
  begin();
  bench::run(100);
  EXPECT_EQUAL(bench::received().at(0).substr(11), "|00001234|48|4|Protocol");
  EXPECT_EQUAL(bench::ask("I0badcafe").at(0).substr(11), "|00001234|48|4|Protocol");
}
