#pragma once

#include <Arduino.h>

// The macros that declare a board and its entities. Each makes one constant text in flash, which is the
// description as it goes over the wire, and one global object named by the key:
//
//     SKETCH_NUMBER(target, "Target temperature", WITH_RANGE(5, 30, 0.5), WITH_UNIT("°C"));
//
// The key is the property's name in topics: lower-case letters, digits and `_`. All texts are literals.

/// Unit of measurement as Home Assistant writes it: "°C", "%", "m/s²".
#define WITH_UNIT(unit) "|u" unit
/// Home Assistant's device class: "temperature", "door", "outlet".
#define WITH_CLASS(deviceClass) "|c" deviceClass
/// State class of a sensor: a measurement, a total, or a total that only grows until it starts again at 0.
#define WITH_MEASUREMENT "|sm"
#define WITH_TOTAL "|st"
#define WITH_INCREASING_TOTAL "|si"
/// Decimals that are kept and sent, 0 to 6; two unless given.
#define WITH_DECIMALS(decimals) "|p" #decimals
/// Smallest and greatest value and the step between, as plain numbers: WITH_RANGE(5, 30, 0.5).
#define WITH_RANGE(minimum, maximum, step) "|r" #minimum ":" #maximum ":" #step
/// The words of a select, an enumeration or an event, in the order of their numbers from 0.
#define WITH_OPTIONS(...) SKETCH_EACH(SKETCH_OPTION, SKETCH_COMMA, __VA_ARGS__)
/// An icon: "mdi:door".
#define WITH_ICON(icon) "|i" icon
/// Home Assistant shows the entity among the settings, or among the diagnostics.
#define AS_SETTING "|gc"
#define AS_DIAGNOSTIC "|gd"
/// Home Assistant hides the entity until its owner enables it.
#define DISABLED_AT_FIRST "|x"
/// The board cannot know the state and tells what was commanded last.
#define WITH_ASSUMED_STATE "|a"
/// What a cover can do beside opening.
#define CAN_CLOSE "|k"
#define CAN_STOP "|h"
/// Of a board: the sketch's version, model and manufacturer.
#define WITH_VERSION(version) "|v" version
#define WITH_MODEL(model) "|m" model
#define WITH_MANUFACTURER(manufacturer) "|f" manufacturer
/// Of a board: after so many seconds without a line the bridge counts as gone, 2 to 35; 35 unless given. The
/// bridge speaks three times in it. Short for what must not go on by itself: a rover, a saw.
#define WITH_PATIENCE(seconds) "|q" #seconds

// From here on: how the macros work.

#define SKETCH_ENTITY(Type, kind, key, ...) \
  SKETCH_DESCRIPTION(key, kind #key "|", __VA_ARGS__) \
  SKETCH_KEY(key); \
  Type key(key##Description)

#define SKETCH_KEY(key) \
  static_assert(SketchDescription::isKey(#key), "the key " #key " is not lower-case letters, digits and _"); \
  static_assert(SketchDescription::isNotReserved(#key), "the key " #key " is taken by a topic")

#define SKETCH_DESCRIPTION(key, begin, ...) \
  SKETCH_EACH(SKETCH_CHECK, SKETCH_NOTHING, __VA_ARGS__) \
  static constexpr char key##Description[] PROGMEM = \
      begin SKETCH_EACH(SKETCH_ITSELF, SKETCH_NOTHING, __VA_ARGS__); \
  static_assert(SketchDescription::length(key##Description) <= SketchDescription::longest, \
                "the description of " #key " is too long");

#define SKETCH_NEEDS(key, letter, what) \
  static_assert(SketchDescription::has(key##Description, letter), #key " needs " what)

#define SKETCH_CHECK(text) \
  static_assert(SketchDescription::isField(text), \
                "a text of the description has a | or a control character in it");
#define SKETCH_ITSELF(text) text
#define SKETCH_OPTION(text) "|o" text
#define SKETCH_COMMA() ,
#define SKETCH_NOTHING()

// SKETCH_EACH(m, between, a, b, c) is m(a) between() m(b) between() m(c), for up to 24.
#define SKETCH_EACH(m, between, ...) \
  SKETCH_PICK(__VA_ARGS__, SKETCH_24, SKETCH_23, SKETCH_22, SKETCH_21, SKETCH_20, SKETCH_19, SKETCH_18, \
              SKETCH_17, SKETCH_16, SKETCH_15, SKETCH_14, SKETCH_13, SKETCH_12, SKETCH_11, SKETCH_10, \
              SKETCH_9, SKETCH_8, SKETCH_7, SKETCH_6, SKETCH_5, SKETCH_4, SKETCH_3, SKETCH_2, SKETCH_1, ) \
  (m, between, __VA_ARGS__)
#define SKETCH_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, picked, ...) \
  picked
#define SKETCH_1(m, between, a) m(a)
#define SKETCH_2(m, between, a, ...) m(a) between() SKETCH_1(m, between, __VA_ARGS__)
#define SKETCH_3(m, between, a, ...) m(a) between() SKETCH_2(m, between, __VA_ARGS__)
#define SKETCH_4(m, between, a, ...) m(a) between() SKETCH_3(m, between, __VA_ARGS__)
#define SKETCH_5(m, between, a, ...) m(a) between() SKETCH_4(m, between, __VA_ARGS__)
#define SKETCH_6(m, between, a, ...) m(a) between() SKETCH_5(m, between, __VA_ARGS__)
#define SKETCH_7(m, between, a, ...) m(a) between() SKETCH_6(m, between, __VA_ARGS__)
#define SKETCH_8(m, between, a, ...) m(a) between() SKETCH_7(m, between, __VA_ARGS__)
#define SKETCH_9(m, between, a, ...) m(a) between() SKETCH_8(m, between, __VA_ARGS__)
#define SKETCH_10(m, between, a, ...) m(a) between() SKETCH_9(m, between, __VA_ARGS__)
#define SKETCH_11(m, between, a, ...) m(a) between() SKETCH_10(m, between, __VA_ARGS__)
#define SKETCH_12(m, between, a, ...) m(a) between() SKETCH_11(m, between, __VA_ARGS__)
#define SKETCH_13(m, between, a, ...) m(a) between() SKETCH_12(m, between, __VA_ARGS__)
#define SKETCH_14(m, between, a, ...) m(a) between() SKETCH_13(m, between, __VA_ARGS__)
#define SKETCH_15(m, between, a, ...) m(a) between() SKETCH_14(m, between, __VA_ARGS__)
#define SKETCH_16(m, between, a, ...) m(a) between() SKETCH_15(m, between, __VA_ARGS__)
#define SKETCH_17(m, between, a, ...) m(a) between() SKETCH_16(m, between, __VA_ARGS__)
#define SKETCH_18(m, between, a, ...) m(a) between() SKETCH_17(m, between, __VA_ARGS__)
#define SKETCH_19(m, between, a, ...) m(a) between() SKETCH_18(m, between, __VA_ARGS__)
#define SKETCH_20(m, between, a, ...) m(a) between() SKETCH_19(m, between, __VA_ARGS__)
#define SKETCH_21(m, between, a, ...) m(a) between() SKETCH_20(m, between, __VA_ARGS__)
#define SKETCH_22(m, between, a, ...) m(a) between() SKETCH_21(m, between, __VA_ARGS__)
#define SKETCH_23(m, between, a, ...) m(a) between() SKETCH_22(m, between, __VA_ARGS__)
#define SKETCH_24(m, between, a, ...) m(a) between() SKETCH_23(m, between, __VA_ARGS__)

/// Checks made while compiling, and reading a description from flash.
namespace SketchDescription {

/// Bytes of a description as it is sent, so that with what stands around it a line never exceeds 255.
constexpr unsigned longest = 220;

constexpr bool isKeyLetter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
}
constexpr bool isKey(const char *text) { return isKeyLetter(*text) && (text[1] == 0 || isKey(text + 1)); }
constexpr bool isEqual(const char *left, const char *right) {
  return *left == *right && (*left == 0 || isEqual(left + 1, right + 1));
}
constexpr bool isNotReserved(const char *key) {
  return !isEqual(key, "set") && !isEqual(key, "get") && !isEqual(key, "availability") &&
         !isEqual(key, "event") && !isEqual(key, "rx") && !isEqual(key, "tx");
}
constexpr bool isPlain(const char *text) {
  return *text == 0 || (*text != '|' && *text != 0x7F && (unsigned char)*text >= 0x20 && isPlain(text + 1));
}
/// Bytes of a text as it is sent: two are escaped.
constexpr unsigned length(const char *text) {
  return *text == 0 ? 0 : (*text == '~' || *text == '\\' ? 3 : 1) + length(text + 1);
}
/// A name, or an attribute that begins with `|` and its letter.
constexpr bool isField(const char *text) { return *text == '|' ? isPlain(text + 1) : isPlain(text); }
/// Whether a description holds an attribute.
constexpr bool has(const char *text, char letter) {
  return *text != 0 && ((text[0] == '|' && text[1] == letter) || has(text + 1, letter));
}

constexpr unsigned leadingNumber(const char *text, unsigned before = 0) {
  return *text >= '0' && *text <= '9' ? leadingNumber(text + 1, before * 10 + (unsigned)(*text - '0')) : before;
}
/// How long a board waits for its bridge, in seconds.
constexpr unsigned patience(const char *text) {
  return *text == 0 ? 35 : text[0] == '|' && text[1] == 'q' ? leadingNumber(text + 2) : patience(text + 1);
}

/// The text of the first attribute with this letter, in flash; null when there is none.
const char *attribute(const char *description, char letter);
/// How many attributes have this letter.
uint8_t count(const char *description, char letter);

} // namespace SketchDescription
