// Holds 8 high as long as its loop turns, and stands still while 7 is low. 6 is high after each start for a moment. While
// 4 is low nothing moves that would have to be let go.
#include <SketchWatchdog.h>

void setup() {
  pinMode(8, OUTPUT);
  pinMode(7, INPUT_PULLUP);
  pinMode(4, INPUT_PULLUP);
  pinMode(6, OUTPUT);
  digitalWrite(6, HIGH);
  delay(100);
  digitalWrite(6, LOW);
  digitalWrite(8, HIGH);
}

void loop() {
  SketchWatchdog::watch(digitalRead(4) == HIGH);
  while (digitalRead(7) == LOW) {
  }
  SketchWatchdog::turn();
}
