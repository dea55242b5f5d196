#include "SketchEntity.h"

#include "SketchBoard.h"
#include "SketchDigits.h"

using SketchDescription::attribute;

SketchEntity *SketchEntity::first_;
bool (*SketchEntity::asker_)(const SketchEntity *, int32_t);
SketchEntity::TableServer SketchEntity::server_;

SketchEntity::SketchEntity(const char *description) : description_(description) {
  // The other members begin at zero, as all global objects do.
  SketchEntity **last = &first_;
  while (*last) last = &(*last)->next_;
  *last = this;
}

SketchEntity::SketchEntity(const char *description, char *buffer) : SketchEntity(description) {
  text_ = buffer;
}

// MARK: Keeping values

void SketchEntity::change(bool isDifferent) {
  uint8_t flags = flags_;
  if (isDifferent || !(flags & Known)) flags |= Unsent;
  flags_ = flags | Known | Touched;
}

void SketchEntity::forget() {
  uint8_t flags = flags_;
  if (flags & Known) flags |= Unsent;
  flags_ = (uint8_t)((flags & ~Known) | Touched);
}

void SketchEntity::store(int32_t value) {
  const bool isDifferent = number_ != value;
  number_ = value;
  change(isDifferent);
}

uint8_t SketchEntity::decimals() const {
  const char *given = attribute(description_, 'p');
  return given ? (uint8_t)(pgm_read_byte(given) - '0') : 2;
}

void SketchEntity::storeWhole(int32_t value) {
  uint8_t places = decimals();
  do {
    if (value > SketchDigits::largest || value < -SketchDigits::largest) return forget();
    if (places) value *= 10;
  } while (places--);
  store(value);
}

// Without adding, comparing or dividing fractions: that would cost a sketch that does not half a kilobyte.
void SketchEntity::storeFraction(float value) {
  value *= (float)(2 * SketchDigits::scale(decimals()));
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  // Twice the largest number; the patterns of infinity and of what is no number are greater.
  if ((bits & 0x7FFFFFFF) > 0x4EEE6B27) return forget();
  store(((int32_t)value + (bits & 0x80000000 ? 0 : 1)) >> 1);
}

float SketchEntity::fractionOf(int32_t number) const {
  float value = (float)number;
  for (uint8_t left = decimals(); left; left--) value *= 0.1f;
  return value;
}

bool SketchEntity::askForFraction(const SketchEntity *entity, int32_t number) {
  return ((NumberHandler)entity->handler_)(entity->fractionOf(number));
}

uint8_t SketchEntity::longestText() const {
  int32_t length;
  SketchDigits::read(attribute(description_, 'l'), true, 0, length);
  return (uint8_t)length;
}

static uint8_t byteOf(const char *text, uint8_t at, bool isInFlash) {
  return isInFlash ? pgm_read_byte(text + at) : (uint8_t)text[at];
}

void SketchEntity::storeText(const char *text, bool isInFlash) {
  const uint8_t longest = longestText();
  uint8_t length = 0;
  while (length < longest && byteOf(text, length, isInFlash)) length++;
  // Never in the middle of a character of UTF-8.
  while (length && (byteOf(text, length, isInFlash) & 0xC0) == 0x80) length--;
  bool isDifferent = false;
  for (uint8_t at = 0; at <= length; at++) {
    const char byte = at == length ? 0 : (char)byteOf(text, at, isInFlash);
    if (text_[at] == byte) continue;
    isDifferent = true;
    text_[at] = byte;
  }
  if (isDifferent) SketchBoard::breakOffLine(this);
  change(isDifferent);
}

void SketchEntity::storeEvent(uint8_t type) {
  if (!SketchBoard::isListenedTo()) return;
  for (uint8_t &place : waiting_) {
    if (place) continue;
    place = (uint8_t)(type + 1);
    flags_ |= Unsent;
    return;
  }
  SketchBoard::countLostEvent();
}

uint8_t SketchEntity::takeEvent() {
  const uint8_t type = (uint8_t)(waiting_[0] - 1);
  for (uint8_t place = 0; place < 3; place++) waiting_[place] = waiting_[place + 1];
  waiting_[3] = 0;
  if (waiting_[0]) flags_ |= Unsent;
  return type;
}

// MARK: Lines

char *SketchEntity::writeValue(char *out) {
  const char kind = this->kind();
  if (!isKnown()) {
    *out++ = '?';
    return out;
  }
  if (kind == 't' || kind == 'x') {
    *out++ = '"';
    return out;
  }
  if (kind == 'j') return server_(this, out, false);
  uint32_t magnitude = (uint32_t)number_;
  if (number_ < 0 && kind != 'i') {
    *out++ = '-';
    magnitude = 0 - magnitude;
  }
  return SketchDigits::write(out, magnitude, kind == 's' || kind == 'n' ? decimals() : 0);
}

char SketchEntity::obey(char *value) {
  flags_ &= (uint8_t)~Touched;
  char answer;
  switch (kind()) {
    case 'w':
    case 'o':
    case 'l':
    case 'c': answer = obeyChoice(value); break;
    case 'n': answer = obeyNumber(value); break;
    case 'x': answer = obeyText(value); break;
    case 'j': answer = *server_(this, value, true); break;
    case 'p':
      if (*value) return 'i';
      return handler_ && ((PressHandler)handler_)() ? '+' : 'n';
    default: return 'o';
  }
  if (answer == '+') flags_ |= Unsent;
  return answer;
}

char SketchEntity::obeyChoice(const char *text) {
  uint8_t value;
  text = SketchDigits::readSmall(text, value);
  if (!text || *text) return 'i';
  const char kind = this->kind();
  const uint8_t count = kind == 'o' ? SketchDescription::count(description_, 'o') : kind == 'c' ? 3 : 2;
  if (value >= count) return 'r';
  if (kind == 'c' && value != 1 && !attribute(description_, value ? 'h' : 'k')) return 'u';
  // Where a command alone moves nothing, a handler is needed, and the value is for the sketch to tell.
  const bool isMoved = kind == 'l' || kind == 'c';
  if (handler_ ? !((ChoiceHandler)handler_)(value) : isMoved) return 'n';
  if (!isMoved && !(flags_ & Touched)) store(value);
  return '+';
}

char SketchEntity::obeyNumber(const char *text) {
  int32_t value, limit;
  const uint8_t places = decimals();
  text = SketchDigits::read(text, false, places, value);
  if (!text || *text) return 'i';
  const char *range = SketchDigits::read(attribute(description_, 'r'), true, places, limit);
  if (!range || value < limit) return 'r';
  range = SketchDigits::read(range + 1, true, places, limit);
  if (!range || value > limit) return 'r';
  if (handler_ && !asker_(this, value)) return 'n';
  if (!(flags_ & Touched)) store(value);
  return '+';
}

char *SketchEntity::unescape(char *text) {
  const char *from = text + 1;
  char *to = text;
  for (char byte; (byte = *from++) != 0;) {
    if (byte == '\\') {
      const uint8_t high = SketchDigits::hexValue(*from);
      if (high > 7) return nullptr;
      const uint8_t low = SketchDigits::hexValue(*++from);
      if (low > 15) return nullptr;
      from++;
      byte = (char)(high << 4 | low);
      if (!byte) return nullptr;
    }
    *to++ = byte;
  }
  *to = 0;
  return to;
}

char SketchEntity::obeyText(char *value) {
  if (*value != '"') return 'i';
  const char *end = unescape(value);
  if (!end) return 'i';
  if (end - value > longestText()) return 'r';
  if (handler_ && !((TextHandler)handler_)(value)) return 'n';
  if (!(flags_ & Touched)) storeText(value, false);
  return '+';
}
