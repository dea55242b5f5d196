// A lock whose bolt takes its time. Home Assistant sees it move, and sees when it sticks.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Shed");
SKETCH_LOCK(door, "Door");

const uint8_t motor = 9, boltIsOut = 2;
uint32_t movingSince;
bool isLocking, isMoving;

bool moveBolt(uint8_t lock) {
  isLocking = lock;
  isMoving = true;
  movingSince = millis();
  digitalWrite(motor, lock);
  door.set(lock ? SketchLock::Locking : SketchLock::Unlocking);
  return true;
}

void setup() {
  pinMode(motor, OUTPUT);
  pinMode(boltIsOut, INPUT_PULLUP);
  door.onCommand(moveBolt);
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  const bool isOut = digitalRead(boltIsOut) == LOW;
  if (isMoving && isOut != isLocking) {
    if (millis() - movingSince > 3000) {
      isMoving = false;
      door.set(SketchLock::Jammed);
    }
  } else if (isMoving || door.value() != SketchLock::Jammed) {
    isMoving = false;
    door.set(isOut ? SketchLock::Locked : SketchLock::Unlocked);
  }
  board.loop();
}
