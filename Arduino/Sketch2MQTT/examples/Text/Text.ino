// A message for a display of 30 characters. The board says how long a line it takes: 80 bytes instead of 48.
#include <Sketch2MQTT.h>

SKETCH_BOARD_TAKING(80, board, "Display");
SKETCH_TEXT(message, 30, "Message");

bool show(const char *text) {
  // lcd.print(text);
  return text[0] != '!';
}

void setup() {
  message.onCommand(show);
  message.set(F("Hello"));
  Serial.begin(115200);
  board.begin(Serial);
}

void loop() { board.loop(); }
