// A rover with two motors, that stops before what is in its way, and when nobody drives it any more.
//
// Wiring (UNO, Mega): an H-bridge with a speed input (PWM) and a direction input for each motor: left 5 and 4,
// right 6 and 7, direction HIGH is forward. Infra-red distance sensor GP2Y0A21 (or another by changing
// centimetres()) on A0, a LED on A1 that is lit before an obstacle, ADXL345 on I2C (SDA, SCL; SDO to ground).
// The radio is wired as the library's SketchLink.h says. It does not fit under a Wi-Fi shield, which has 4 and
// 7 for itself.
//
// Two ways of speaking, on one link:
// - as classic rovers do, to phone apps: a packet is `F`, `B`, `T=<0…100>`, `R=<0…100>` or `L=<0…100>`; the
//   board says its tilt in m/s², `-0.31:1.20`, five times a second.
// - to a bridge that greets it, in lines (library Sketch2MQTT), with the obstacle and its distance besides. The
//   rest is silent then.
// Either way the rover stands when its link drops, and what an obstacle stopped does not go on by itself. In lines
// it stands too when it has heard nothing of its bridge for three seconds.

#ifndef LINK
#define LINK NRF8001
#endif
#define LINK_NAME "S2MRovr"
#define LINK_RX 8
#define LINK_TX A3
// With HM10, a module's pin STATE: without it nobody notices that a phone has gone, and in the older form the rover
// drives on.
// #define LINK_STATE 12
#define LINK_NETWORK "network"
#define LINK_PASSWORD "password"
#define LINK_PORT 230

#include <SketchLink.h>

#include <EEPROM.h>
#include <Sketch2MQTT.h>
#include <SketchStoredIdentity.h>
#include <SketchWatchdog.h>
#include <Wire.h>

const uint8_t leftSpeedPin = 5, rightSpeedPin = 6, lightPin = A1, eyePin = A0;
const uint8_t leftDirectionPin = LINK == WIFI ? 2 : 4, rightDirectionPin = LINK == WIFI ? 3 : 7;
const uint8_t accelerometer = 0x53;
const uint16_t tiltInterval = 200, lookInterval = 40;
const uint16_t nearest = 20, farEnough = 25; // cm

SKETCH_BOARD(board, "Rover", WITH_VERSION("1.1"), WITH_PATIENCE(3));
SKETCH_SELECT(direction, "Direction", WITH_OPTIONS("forward", "backward"));
SKETCH_NUMBER(throttle, "Throttle", WITH_RANGE(0, 100, 1), WITH_UNIT("%"), WITH_DECIMALS(0));
SKETCH_NUMBER(steering, "Steering", WITH_RANGE(-100, 100, 1), WITH_UNIT("%"), WITH_DECIMALS(0));
SKETCH_BUTTON(stop, "Stop");
SKETCH_SENSOR(tilt_x, "Tilt across", WITH_UNIT("m/s²"), WITH_MEASUREMENT, WITH_DECIMALS(2));
SKETCH_SENSOR(tilt_y, "Tilt along", WITH_UNIT("m/s²"), WITH_MEASUREMENT, WITH_DECIMALS(2));
SKETCH_BINARY_SENSOR(obstacle, "Obstacle", WITH_CLASS("problem"));
SKETCH_SENSOR(distance, "Distance", WITH_UNIT("cm"), WITH_CLASS("distance"), WITH_MEASUREMENT,
              WITH_DECIMALS(0));

// MARK: The motors

struct Drive {
  bool isBackward;
  uint8_t throttle; // 0…100
  int8_t steering;  // −100…100, positive is right
} drive;
bool isBlocked;

void turnMotors() {
  // The accelerometer's bus may hang, and the motors would go on.
  SketchWatchdog::watch(drive.throttle > 0);
  const uint8_t speed = (uint16_t)drive.throttle * 255 / 100;
  const uint8_t inner = (uint16_t)speed * (100 - abs(drive.steering)) / 100;
  digitalWrite(leftDirectionPin, !drive.isBackward);
  digitalWrite(rightDirectionPin, !drive.isBackward);
  analogWrite(leftSpeedPin, drive.steering < 0 ? inner : speed);
  analogWrite(rightSpeedPin, drive.steering > 0 ? inner : speed);
  direction.set((uint8_t)drive.isBackward);
  throttle.set((int)drive.throttle);
  steering.set((int)drive.steering);
}

// Throttle 0 straightens as well.
void stand() {
  drive.throttle = 0;
  drive.steering = 0;
  turnMotors();
}

bool mayDrive(bool isBackward, uint8_t percent) { return !(isBlocked && percent && !isBackward); }

void setThrottle(uint8_t percent) {
  if (!percent) return stand();
  drive.throttle = mayDrive(drive.isBackward, percent) ? percent : 0;
  turnMotors();
}

void setSteering(int8_t percent) {
  drive.steering = percent;
  turnMotors();
}

// Another direction than now begins from a standstill.
void setDirection(bool isBackward) {
  if (isBackward != drive.isBackward) stand();
  drive.isBackward = isBackward;
  turnMotors();
}

// MARK: What is ahead

// Of a GP2Y0A21: 10 to 80 cm. Farther is 80.
uint8_t centimetres(int reading) {
  if (reading < 80) return 80;
  const uint16_t distance = 4800 / (reading - 20);
  return distance > 80 ? 80 : distance;
}

void lookAhead() {
  static uint32_t lookedAt;
  if (millis() - lookedAt < lookInterval) return;
  lookedAt = millis();
  const uint8_t ahead = centimetres(analogRead(eyePin));
  distance.set((int)ahead);
  isBlocked = ahead < (isBlocked ? farEnough : nearest);
  obstacle.set(isBlocked);
  digitalWrite(lightPin, isBlocked);
  if (isBlocked && drive.throttle && !drive.isBackward) stand();
}

// MARK: Tilt

bool isAccelerometerThere;
int16_t across, along; // hundredths of m/s²

void writeAccelerometer(uint8_t at, uint8_t value) {
  Wire.beginTransmission(accelerometer);
  Wire.write(at);
  Wire.write(value);
  isAccelerometerThere = Wire.endTransmission() == 0;
}

int16_t readAxis() {
  const uint8_t low = Wire.read();
  // 3.9 mg a step.
  const int16_t steps = (int16_t)((uint16_t)low | (uint16_t)Wire.read() << 8);
  return (int16_t)((int32_t)steps * 38246 / 10000);
}

void measureTilt() {
  if (!isAccelerometerThere) return;
  Wire.beginTransmission(accelerometer);
  Wire.write((uint8_t)0x32);
  if (Wire.endTransmission() != 0 || Wire.requestFrom(accelerometer, (uint8_t)4) < 4) {
    tilt_x.forget();
    tilt_y.forget();
    return;
  }
  across = readAxis();
  along = readAxis();
  tilt_x.set(across / 100.0f);
  tilt_y.set(along / 100.0f);
}

// MARK: In lines

bool throttleWanted(float value) {
  if (!mayDrive(drive.isBackward, (uint8_t)value)) {
    return board.refuse(NotNow, F("something is in the way"));
  }
  setThrottle((uint8_t)value);
  return true;
}

bool steeringWanted(float value) {
  setSteering((int8_t)value);
  return true;
}

bool directionWanted(uint8_t option) {
  setDirection(option == 1);
  return true;
}

bool stopWanted() {
  stand();
  return true;
}

// MARK: As classic rovers speak

char *put(char *out, int16_t hundredths) {
  if (hundredths < 0) *out++ = '-';
  const uint16_t magnitude = (uint16_t)abs(hundredths);
  itoa(magnitude / 100, out, 10);
  out += strlen(out);
  *out++ = '.';
  *out++ = '0' + magnitude / 10 % 10;
  *out++ = '0' + magnitude % 10;
  return out;
}

void sendTilt() {
  char text[20];
  char *out = put(text, across);
  *out++ = ':';
  out = put(out, along);
  connection.write((const uint8_t *)text, out - text);
}

// Packets that come close together arrive as one text. It is obeyed as a whole after 20 ms of silence, or not
// at all: it may be what is left of a damaged line.
char packet[24];
uint8_t packetLength;
uint32_t packetAt;
bool isTooLong;

bool takeByte(uint8_t byte) {
  packetAt = millis();
  if (packetLength < sizeof packet) {
    packet[packetLength++] = (char)byte;
  } else {
    isTooLong = true;
  }
  return false;
}

// Goes through the commands in `packet`, and obeys them or only looks whether they are some.
bool goThroughPacket(bool isObeyed) {
  for (uint8_t at = 0; at < packetLength;) {
    const char letter = packet[at++];
    if (letter == 'F' || letter == 'B') {
      if (isObeyed) setDirection(letter == 'B');
      continue;
    }
    if ((letter != 'T' && letter != 'R' && letter != 'L') || at >= packetLength || packet[at++] != '=') return false;
    uint16_t number = 0;
    uint8_t digits = 0;
    for (; at < packetLength && packet[at] >= '0' && packet[at] <= '9' && digits < 4; at++, digits++) {
      number = number * 10 + (packet[at] - '0');
    }
    if (!digits || number > 100) return false;
    if (!isObeyed) continue;
    if (letter == 'T') {
      setThrottle((uint8_t)number);
    } else {
      setSteering((int8_t)(letter == 'R' ? number : -(int8_t)number));
    }
  }
  return true;
}

void obeyPacket() {
  if (!packetLength || millis() - packetAt < 20) return;
  if (!isTooLong && goThroughPacket(false)) goThroughPacket(true);
  packetLength = 0;
  isTooLong = false;
}

bool wasLinked, wasHeard;

void watchLink() {
  const bool isLinkedNow = isLinked();
  if (isLinkedNow != wasLinked) {
    wasLinked = isLinkedNow;
    packetLength = 0;
    if (isLinkedNow) {
      board.linkUp();
    } else {
      board.linkDown();
      stand();
    }
  }
  // Nobody drives it any more, or somebody else.
  if (wasHeard != board.isHeard()) {
    wasHeard = board.isHeard();
    packetLength = 0;
    stand();
  }
}

void speak() {
  static uint32_t saidAt;
  if (wasLinked && !board.isHeard()) obeyPacket();
  if (millis() - saidAt < tiltInterval) return;
  saidAt = millis();
  measureTilt();
  if (wasLinked && !board.isHeard() && !board.isSending()) sendTilt();
}

void setup() {
  const uint8_t outputs[] = {leftSpeedPin, rightSpeedPin, leftDirectionPin, rightDirectionPin, lightPin};
  for (uint8_t pin : outputs) pinMode(pin, OUTPUT);
  stand();
  Wire.begin();
  writeAccelerometer(0x31, 0x08); // ±2 g in full resolution
  writeAccelerometer(0x2D, 0x08); // measure

  throttle.onCommand(throttleWanted);
  steering.onCommand(steeringWanted);
  direction.onCommand(directionWanted);
  stop.onPress(stopWanted);

  beginLink();
  SketchStoredIdentity<0>::use(board);
  board.onOther(takeByte);
  board.beQuiet();
  board.begin(connection);
  board.linkDown();
}

void loop() {
  SketchWatchdog::turn();
  lookAhead();
  watchLink();
  speak();
  board.loop();
}
