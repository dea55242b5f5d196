// The time: from the network under a Wi-Fi shield, else from a clock chip.
#pragma once

const uint32_t clockInterval = 3600000; // milliseconds from one look to the next, once the time is known
const uint32_t clockRetry = 10000;

uint32_t clockSeconds, clockAt, askedAt;
bool isClockKnown, wasClockAsked;

/// Seconds since 1970-01-01 UTC; 0 while they are not known.
uint32_t now() {
  if (!isClockKnown) return 0;
  // Kept near, so that the milliseconds never wrap unseen.
  const uint32_t passed = (millis() - clockAt) / 1000;
  clockSeconds += passed;
  clockAt += passed * 1000;
  return clockSeconds;
}

void setClock(uint32_t seconds) {
  clockSeconds = seconds;
  clockAt = millis();
  isClockKnown = true;
}

bool isClockDue() {
  if (wasClockAsked && millis() - askedAt < (isClockKnown ? clockInterval : clockRetry)) return false;
  askedAt = millis();
  wasClockAsked = true;
  return true;
}

#if LINK == WIFI
#include <WiFiUdp.h>

const uint32_t secondsTo1970 = 2208988800UL; // from 1900, where NTP begins
WiFiUDP timeServer;

void beginClock() { timeServer.begin(2390); }

void turnClock() {
  uint8_t packet[48];
  if (timeServer.parsePacket() >= (int)sizeof packet) {
    timeServer.read(packet, sizeof packet);
    const uint32_t seconds =
        (uint32_t)packet[40] << 24 | (uint32_t)packet[41] << 16 | (uint16_t)(packet[42] << 8) | packet[43];
    // An answer (mode 4) of a server that knows the time itself.
    if ((packet[0] & 7) == 4 && packet[1] && seconds > secondsTo1970) setClock(seconds - secondsTo1970);
  }
  if (!connection.isJoined() || !isClockDue()) return;
  memset(packet, 0, sizeof packet);
  packet[0] = 0x23; // version 4, client
  if (!timeServer.beginPacket("pool.ntp.org", 123)) return;
  timeServer.write(packet, sizeof packet);
  timeServer.endPacket();
}

#else
#include <Wire.h>

// DS3231, DS1307 and their like, set to UTC: SDA and SCL are A4 and A5 on an UNO, 20 and 21 on a Mega.
const uint8_t clockAddress = 0x68;

uint8_t fromBCD(int byte) { return (uint8_t)((byte >> 4) * 10 + (byte & 15)); }

void beginClock() { Wire.begin(); }

void turnClock() {
  if (!isClockDue()) return;
  Wire.beginTransmission(clockAddress);
  Wire.write((uint8_t)0);
  if (Wire.endTransmission() != 0 || Wire.requestFrom(clockAddress, (uint8_t)7) != 7) return;
  uint8_t parts[7];
  for (uint8_t &part : parts) part = (uint8_t)Wire.read();
  if (parts[0] & 0x80) return; // a DS1307 that was never set
  char text[momentLength + 1] = "2000-00-00T00:00:00Z";
  writeTwo(text + 2, fromBCD(parts[6]));
  writeTwo(text + 5, fromBCD(parts[5] & 0x1F));
  writeTwo(text + 8, fromBCD(parts[4]));
  writeTwo(text + 11, fromBCD(parts[2] & 0x3F));
  writeTwo(text + 14, fromBCD(parts[1]));
  writeTwo(text + 17, fromBCD(parts[0]));
  uint32_t seconds;
  if (readMoment(text, seconds)) setClock(seconds);
}
#endif
