// Feeds a cat on a press, but not twice within a minute. The press is refused with words that Home Assistant
// shows.
#include <Sketch2MQTT.h>

SKETCH_BOARD(board, "Cat feeder");
SKETCH_BUTTON(feed, "Feed now", WITH_ICON("mdi:cat"));

uint32_t openedAt;
bool isOpen, hasFed;

bool feedNow() {
  if (hasFed && millis() - openedAt < 60000) return board.refuse(NotNow, F("the cat has just been fed"));
  openedAt = millis();
  isOpen = hasFed = true;
  digitalWrite(LED_BUILTIN, HIGH);
  return true;
}

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  feed.onPress(feedNow);
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() {
  if (isOpen && millis() - openedAt >= 500) {
    isOpen = false;
    digitalWrite(LED_BUILTIN, LOW);
  }
  board.loop();
}
