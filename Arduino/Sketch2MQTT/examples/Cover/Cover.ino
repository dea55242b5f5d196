// An awning with a motor for each direction, which takes ten seconds from end to end.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Terrace");
SKETCH_COVER(awning, "Awning", WITH_CLASS("awning"), CAN_CLOSE, CAN_STOP);

const uint8_t out = 8, in = 9;
uint32_t movingSince;

bool isMoving() { return awning.value() == SketchCover::Opening || awning.value() == SketchCover::Closing; }

bool move(uint8_t command) {
  if (command == SketchCover::CommandStop) {
    if (isMoving()) awning.set(SketchCover::Stopped);
    return true;
  }
  awning.set(command == SketchCover::CommandOpen ? SketchCover::Opening : SketchCover::Closing);
  movingSince = millis();
  return true;
}

void setup() {
  pinMode(out, OUTPUT);
  pinMode(in, OUTPUT);
  awning.onCommand(move);
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  if (isMoving() && millis() - movingSince >= 10000) {
    awning.set(awning.value() == SketchCover::Opening ? SketchCover::Open : SketchCover::Closed);
  }
  digitalWrite(out, awning.value() == SketchCover::Opening);
  digitalWrite(in, awning.value() == SketchCover::Closing);
  board.loop();
}
