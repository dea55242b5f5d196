// The same over Bluetooth LE, with a serial module such as the HM-10 on pins 10 (RX) and 11 (TX).
//
// The bridge finds the board by its name in the advertisement, which must begin with `S2M`. Set it once with
// the module's own command (HM-10: AT+NAMES2MLamp). The serial port stays free for messages of the sketch's
// own.
#include <Sketch2MQTT.h>
#include <SoftwareSerial.h>

SKETCH_BOARD(board, "Lamp");
SKETCH_SWITCH(lamp, "Lamp");

SoftwareSerial module(10, 11);

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  Serial.begin(115200);
  module.begin(9600);
  board.begin(module);
}

void loop() {
  digitalWrite(LED_BUILTIN, lamp.isOn());
  board.loop();
}
