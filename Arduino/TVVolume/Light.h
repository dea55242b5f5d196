// The infra-red LED, and its carrier: on for a third of each period.
#pragma once

const uint8_t lightPin = 3;

// What tune() worked out: dividing would take longer than a period.
uint16_t periodsIn65536us;
uint16_t onFor, offFor;

#ifdef ARDUINO_ARCH_AVR

#include <util/delay_basic.h>

// What passes between light and light besides the waits, microseconds.
const uint8_t lost = 18;

void tune(uint16_t hertz) {
  periodsIn65536us = (uint16_t)((hertz * 4096UL + 31250) / 62500);
  // In turns of the delay, four cycles each; what a period does besides takes 18.
  const uint16_t turns = (uint16_t)((F_CPU / hertz - 16) / 4);
  onFor = turns / 3;
  offFor = turns - onFor;
}

void shine(uint32_t microseconds) {
  volatile uint8_t *const port = portOutputRegister(digitalPinToPort(lightPin));
  const uint8_t mask = digitalPinToBitMask(lightPin);
  for (uint16_t periods = (uint16_t)((microseconds * periodsIn65536us + 32768) >> 16); periods; periods--) {
    *port |= mask;
    _delay_loop_2(onFor);
    *port &= (uint8_t)~mask;
    _delay_loop_2(offFor);
  }
}

#else

const uint8_t lost = 0;

void tune(uint16_t hertz) {
  const uint16_t period = (uint16_t)(1000000UL / hertz);
  periodsIn65536us = (uint16_t)(65536UL / period);
  onFor = period / 3;
  offFor = period - onFor;
}

void shine(uint32_t microseconds) {
  for (uint16_t periods = (uint16_t)((microseconds * periodsIn65536us + 32768) >> 16); periods; periods--) {
    digitalWrite(lightPin, HIGH);
    delayMicroseconds(onFor);
    digitalWrite(lightPin, LOW);
    delayMicroseconds(offFor);
  }
}

#endif

void stayDark(uint32_t microseconds) {
  for (microseconds -= lost; microseconds > 10000; microseconds -= 10000) delayMicroseconds(10000);
  delayMicroseconds((uint16_t)microseconds);
}
