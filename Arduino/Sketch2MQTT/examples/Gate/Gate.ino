// A gate that opens for who has its key, and for nobody who has listened: what is said is the answer to a challenge
// that the board never tells twice, and the key itself is never said. `openssl rand -hex 32` makes one.
//
// A script that has the key and reads `challenge` sets `authorize` to `O` and the tag of `gate-1`, the challenge's
// bytes and `O`:
//
//     (printf gate-1; echo $challenge | xxd -r -p; printf O) | openssl dgst -sha256 -mac hmac -macopt hexkey:$key
#ifndef KEY
#define KEY "" // 64 hexadecimal digits of your own
#endif

#include <EEPROM.h>
#include <Sketch2MQTT.h>
#include <SketchExchange.h>
#include <SketchStarts.h>

SKETCH_SECRET(key, KEY);

SKETCH_BOARD_TAKING(80, board, "Gate");
SKETCH_TEXT_SENSOR(challenge, 32, "Challenge", AS_DIAGNOSTIC);
SKETCH_TEXT(authorize, 65, "Authorize", AS_SETTING);
SKETCH_EVENT(opened, "Opened", WITH_OPTIONS("opened"));

SketchExchange exchange(key, challenge);

const uint8_t latch = 9;
uint32_t openSince;
bool isOpen;

bool authorizeWanted(const char *word) {
  SketchHmac answer;
  exchange.beginAnswer(answer, "gate-1");
  answer.add('O');
  const bool isRight = *word == 'O' && exchange.isTag(answer, word + 1);
  // A challenge is good for one answer, right or wrong.
  exchange.renew();
  authorize.set("");
  if (!isRight) return board.refuse(Invalid);
  isOpen = true;
  openSince = millis();
  digitalWrite(latch, HIGH);
  opened.fire(0);
  return true;
}

void setup() {
  pinMode(latch, OUTPUT);
  authorize.onCommand(authorizeWanted);
  exchange.begin(SketchStarts<0>::next());
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  if (isOpen && millis() - openSince > 3000) {
    isOpen = false;
    digitalWrite(latch, LOW);
  }
  exchange.loop(board);
  board.loop();
}
