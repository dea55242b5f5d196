// A latch that locks a pet door at night, and when it is too cold or too hot outside.
//
// Wiring (UNO): photoresistor A0 (more light = higher), DS18B20 on 7 with 4.7 kΩ to 5 V, latch switch 4
// (closed to ground while the latch is retracted), latch servo 3, switches of the flap 5 (outer) and 6
// (inner), both to ground. The radio is wired as the library's SketchLink.h says. Under a Wi-Fi shield, which
// has pins 4 and 7 for itself, the latch switch is on 8 and the DS18B20 on 9.
//
// Two ways of speaking, on one link:
// - as it always did, to phone apps: `m:0` when somebody connects, `s:1;t:21.50` ten times a second; a packet
// that
//   begins with `0` gives the latch back to light and temperature, any other locks it. `m:` comes also after
//   a change.
// - to a bridge that greets it, in lines (library Sketch2MQTT), with more to see and to set. The rest is
// silent then.

#ifndef LINK
#define LINK NRF8001
#endif
#define LINK_NAME "S2MDoor"
#define LINK_RX 8
#define LINK_TX A5
#define LINK_NETWORK "network"
#define LINK_PASSWORD "password"
#define LINK_PORT 230

#include <SketchLink.h>

#include <DallasTemperature.h>
#include <EEPROM.h>
#include <OneWire.h>
#include <Servo.h>
#include <Sketch2MQTT.h>
#include <SketchStoredIdentity.h>

const uint8_t lightPin = A0, servoPin = 3, outerPin = 5, innerPin = 6;
const uint8_t latchPin = LINK == WIFI ? 8 : 4, thermometerPin = LINK == WIFI ? 9 : 7;
const int lockedAngle = 180, unlockedAngle = 65;
const int hysteresis = 30;
const uint16_t statusInterval = 100, measureInterval = 1000, settleTime = 3000, passageTime = 3000;
const int thresholdsAddress = 8; // the identity has the cells before
const int16_t unknownTemperature = -32768;

SKETCH_BOARD(board, "Pet door", WITH_VERSION("1.0"));
SKETCH_LOCK(lock, "Lock");
SKETCH_SWITCH(manual_lock, "Manual lock");
SKETCH_BINARY_SENSOR(latch, "Latch", WITH_CLASS("lock"));
SKETCH_SENSOR(temperature, "Outside temperature", WITH_UNIT("°C"), WITH_CLASS("temperature"),
              WITH_MEASUREMENT, WITH_DECIMALS(1));
SKETCH_SENSOR(light, "Light", WITH_MEASUREMENT, WITH_DECIMALS(0));
SKETCH_NUMBER(light_threshold, "Light threshold", WITH_RANGE(30, 993, 1), WITH_DECIMALS(0), AS_SETTING);
SKETCH_NUMBER(temperature_low, "Lowest temperature", WITH_RANGE(-30, 50, 1), WITH_UNIT("°C"),
              WITH_DECIMALS(0), AS_SETTING);
SKETCH_NUMBER(temperature_high, "Highest temperature", WITH_RANGE(-30, 50, 1), WITH_UNIT("°C"),
              WITH_DECIMALS(0), AS_SETTING);
SKETCH_BINARY_SENSOR(pet_home, "Pet", WITH_CLASS("presence"));
SKETCH_SENSOR(passages_in, "Passages in", WITH_INCREASING_TOTAL, WITH_DECIMALS(0));
SKETCH_SENSOR(passages_out, "Passages out", WITH_INCREASING_TOTAL, WITH_DECIMALS(0));
SKETCH_EVENT(passage, "Passage", WITH_OPTIONS("passed_in", "passed_out"));

OneWire wire(thermometerPin);
DallasTemperature thermometer(&wire);
Servo servo;

struct Thresholds {
  int16_t light, low, high;
  int16_t sum; // of the three, so that an empty EEPROM is recognised
};
Thresholds thresholds;

// Of a degree.
int16_t hundredths = unknownTemperature;
bool isManual, isAutomaticallyLocked = true, isLocking = true, wasLinked;
uint32_t movedAt, measuredAt, statusAt;
uint16_t countIn, countOut;

void sendText(const char *text) { connection.write((const uint8_t *)text, strlen(text)); }

void sendManual() { sendText(isManual ? "m:1" : "m:0"); }

// MARK: The latch

void moveLatch() {
  const bool wanted = isManual || isAutomaticallyLocked;
  if (wanted == isLocking) return;
  isLocking = wanted;
  movedAt = millis();
  servo.write(isLocking ? lockedAngle : unlockedAngle);
}

void setManual(bool on) {
  isManual = on;
  manual_lock.set(on);
  moveLatch();
  if (wasLinked && !board.isHeard() && !board.isSending()) sendManual();
}

void watchLatch() {
  const bool isOpen = digitalRead(latchPin) == LOW;
  const bool isSettled = millis() - movedAt >= settleTime;
  latch.set(isOpen);
  if (isOpen != isLocking) {
    lock.set(isLocking ? SketchLock::Locked : SketchLock::Unlocked);
  } else if (isSettled) {
    lock.set(SketchLock::Jammed);
  } else {
    lock.set(isLocking ? SketchLock::Locking : SketchLock::Unlocking);
  }
}

// MARK: Light and temperature

void measure() {
  const float degrees = thermometer.getTempCByIndex(0);
  thermometer.requestTemperatures();
  hundredths = (int16_t)(degrees * 100 + (degrees < 0 ? -0.5f : 0.5f));
  // What the thermometer says after a fault, and before its first reading.
  const bool isKnown = hundredths != -12700 && hundredths != 8500;
  if (isKnown) {
    temperature.set(degrees);
  } else {
    temperature.forget();
  }
  const int brightness = analogRead(lightPin);
  light.set(brightness);
  const bool isTooDark = brightness < thresholds.light - hysteresis;
  const bool isLight = brightness > thresholds.light + hysteresis;
  // A thermometer that fails neither locks nor unlocks.
  const bool isOutside = isKnown && (degrees < thresholds.low || degrees > thresholds.high);
  if (isTooDark || isOutside) {
    isAutomaticallyLocked = true;
  } else if (isLight && isKnown) {
    isAutomaticallyLocked = false;
  }
  moveLatch();
}

// MARK: Passages

void watchFlap() {
  static uint8_t first; // the switch that was pushed first: 0, outerPin or innerPin
  static uint32_t firstAt;
  const bool outer = digitalRead(outerPin) == LOW, inner = digitalRead(innerPin) == LOW;
  if (first && millis() - firstAt > passageTime) first = 0;
  if (!first && outer != inner) {
    first = outer ? outerPin : innerPin;
    firstAt = millis();
  } else if (first && (first == outerPin ? inner : outer)) {
    const bool isIn = first == outerPin;
    // Until the flap hangs still again nothing is counted.
    static uint32_t countedAt;
    if (millis() - countedAt > passageTime || countIn + countOut == 0) {
      if (isIn) {
        passages_in.set(++countIn);
      } else {
        passages_out.set(++countOut);
      }
      passage.fire(isIn ? 0 : 1);
      pet_home.set(isIn);
      countedAt = millis();
    }
    first = 0;
  }
}

// MARK: Settings

void keepThresholds() {
  thresholds.sum = thresholds.light + thresholds.low + thresholds.high + 1;
  EEPROM.put(thresholdsAddress, thresholds);
}

bool lightWanted(float value) {
  thresholds.light = (int16_t)value;
  keepThresholds();
  return true;
}

bool lowWanted(float value) {
  if (value >= thresholds.high) return board.refuse(OutOfRange, F("the lowest is below the highest"));
  thresholds.low = (int16_t)value;
  keepThresholds();
  return true;
}

bool highWanted(float value) {
  if (value <= thresholds.low) return board.refuse(OutOfRange, F("the highest is above the lowest"));
  thresholds.high = (int16_t)value;
  keepThresholds();
  return true;
}

bool manualWanted(uint8_t on) {
  setManual(on);
  watchLatch();
  return true;
}

// MARK: As it always spoke

void sendStatus() {
  char text[16] = "s:0;t:";
  if (latch.isOn()) text[2] = '1';
  char *out = text + 6;
  if (hundredths < 0) *out++ = '-';
  const uint16_t magnitude = (uint16_t)abs(hundredths);
  itoa(magnitude / 100, out, 10);
  out += strlen(out);
  *out++ = '.';
  *out++ = '0' + magnitude / 10 % 10;
  *out++ = '0' + magnitude % 10;
  *out = 0;
  sendText(text);
}

// The first byte of a packet counts. Six bytes and more may be what is left of a damaged line: they count for
// nothing.
uint8_t packetFirst, packetLength;
uint32_t packetAt;

bool takeByte(uint8_t byte) {
  if (!packetLength) packetFirst = byte;
  if (packetLength < 255) packetLength++;
  packetAt = millis();
  return false;
}

void obeyPacket() {
  if (!packetLength || millis() - packetAt < 50) return;
  if (packetLength < 6) setManual(packetFirst != '0');
  packetLength = 0;
}

void speakAsEver() {
  const bool isLinkedNow = isLinked();
  if (isLinkedNow != wasLinked) {
    wasLinked = isLinkedNow;
    packetLength = 0;
    if (isLinkedNow) {
      board.linkUp();
      sendManual();
    } else {
      board.linkDown();
    }
  }
  if (!isLinkedNow || board.isHeard()) return;
  obeyPacket();
  if (board.isSending() || millis() - statusAt < statusInterval || hundredths == unknownTemperature) return;
  statusAt = millis();
  sendStatus();
}

void setup() {
  pinMode(latchPin, INPUT_PULLUP);
  pinMode(outerPin, INPUT_PULLUP);
  pinMode(innerPin, INPUT_PULLUP);
  servo.attach(servoPin);
  servo.write(lockedAngle);
  thermometer.begin();
  thermometer.setResolution(9);
  thermometer.setWaitForConversion(false);
  thermometer.requestTemperatures();

  EEPROM.get(thresholdsAddress, thresholds);
  if (thresholds.sum != thresholds.light + thresholds.low + thresholds.high + 1 || thresholds.light == 0) {
    thresholds = {700, 2, 33, 0};
  }
  light_threshold.set(thresholds.light);
  temperature_low.set(thresholds.low);
  temperature_high.set(thresholds.high);
  manual_lock.set(false);
  passages_in.set(0);
  passages_out.set(0);

  lock.onCommand(manualWanted);
  manual_lock.onCommand(manualWanted);
  light_threshold.onCommand(lightWanted);
  temperature_low.onCommand(lowWanted);
  temperature_high.onCommand(highWanted);

  beginLink();
  SketchStoredIdentity<0>::use(board);
  board.onOther(takeByte);
  board.beQuiet();
  board.begin(connection);
  board.linkDown();
}

void loop() {
  if (millis() - measuredAt >= measureInterval) {
    measuredAt = millis();
    measure();
  }
  watchLatch();
  watchFlap();
  speakAsEver();
  board.loop();
}
