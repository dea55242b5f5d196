// The codes of a TV's remote control: microseconds of light and darkness in turn, light first, 38 kHz. These are NEC's,
// of a made-up TV. Read your own remote control's with an infra-red receiver and the example IRrecvDumpV2 of the
// library IRremote, and put its raw timings here.
#pragma once

#define HEADER 9000, 4500
#define ZERO 560, 560
#define ONE 560, 1690
#define END 560
// The TV's address, 0x04 and its complement, least bit first.
#define ADDRESS ZERO, ZERO, ONE, ZERO, ZERO, ZERO, ZERO, ZERO, ONE, ONE, ZERO, ONE, ONE, ONE, ONE, ONE

const uint16_t volumeUpCode[] PROGMEM = {HEADER, ADDRESS, ZERO, ONE, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO,
                                         ONE,    ZERO,    ONE,  ONE, ONE,  ONE,  ONE,  ONE,  END};
const uint16_t volumeDownCode[] PROGMEM = {HEADER, ADDRESS, ONE, ONE, ZERO, ZERO, ZERO, ZERO, ZERO, ZERO,
                                           ZERO,   ZERO,    ONE, ONE, ONE,  ONE,  ONE,  ONE,  END};
const uint16_t muteCode[] PROGMEM = {HEADER, ADDRESS, ONE,  ZERO, ZERO, ONE,  ZERO, ZERO, ZERO, ZERO,
                                     ZERO,   ONE,     ONE,  ZERO, ONE,  ONE,  ONE,  ONE,  END};
const uint16_t powerCode[] PROGMEM = {HEADER, ADDRESS, ZERO, ZERO, ZERO, ONE,  ZERO, ZERO, ZERO, ZERO,
                                      ONE,    ONE,     ONE,  ZERO, ONE,  ONE,  ONE,  ONE,  END};

struct Code {
  const uint16_t *timings;
  uint8_t count;
};
#define CODE(timings) \
  { timings, sizeof timings / sizeof timings[0] }

// In the order of the select's options.
#define CODE_NAMES "volume_up", "volume_down", "mute", "power"
enum { VolumeUp, VolumeDown, Mute, Power, CodeCount };
const Code codes[CodeCount] = {CODE(volumeUpCode), CODE(volumeDownCode), CODE(muteCode), CODE(powerCode)};
