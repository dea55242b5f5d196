// A stand-in for DallasTemperature: the voltage at A1 in place of a DS18B20, in steps of half a degree from
// -50 on.
#pragma once

#include <Arduino.h>
#include <OneWire.h>

#define DEVICE_DISCONNECTED_C -127

class DallasTemperature {
public:
  explicit DallasTemperature(OneWire *) {}
  void begin() {}
  void setResolution(uint8_t) {}
  void setWaitForConversion(bool) {}
  void requestTemperatures() { reading_ = analogRead(A1); }
  float getTempCByIndex(uint8_t) {
    return reading_ == 0 ? (float)DEVICE_DISCONNECTED_C : reading_ * 0.5f - 50;
  }

private:
  int reading_;
};
