// A stand-in for Servo: high on its pin above 90 degrees.
#pragma once

#include <Arduino.h>

class Servo {
public:
  uint8_t attach(int pin) {
    pin_ = (uint8_t)pin;
    pinMode(pin_, OUTPUT);
    return 1;
  }
  void write(int degrees) {
    degrees_ = degrees;
    digitalWrite(pin_, degrees > 90);
  }
  int read() { return degrees_; }

private:
  uint8_t pin_;
  int degrees_;
};
