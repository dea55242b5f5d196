#include "SketchExchange.h"

#include "SketchDigits.h"

void SketchExchange::begin(uint32_t starts) {
  starts_ = starts;
  renew();
}

void SketchExchange::loop(const SketchBoard &board) {
  const bool isHeard = board.isHeard();
  if ((wasHeard_ && !isHeard) || millis() - madeAt_ >= lifetime) renew();
  wasHeard_ = isHeard;
}

// Nobody without the key can tell it before, and it never comes twice.
void SketchExchange::renew() {
  uint8_t hash[SketchHmac::length];
  char text[2 * challengeLength + 1];
  const uint32_t parts[] = {starts_, ++count_, (uint32_t)micros()};
  SketchHmac hmac;
  beginTag(hmac, "challenge");
  hmac.add((const uint8_t *)parts, sizeof parts);
  hmac.end(hash);
  writeHex(text, hash, challengeLength);
  challenge_->set(text);
  madeAt_ = millis();
}

void SketchExchange::beginTag(SketchHmac &hmac, const char *name) const {
  uint8_t key[SketchSecret::length];
  memcpy_P(key, key_, sizeof key);
  hmac.begin(key, sizeof key);
  hmac.add((const uint8_t *)name, strlen(name));
}

void SketchExchange::beginAnswer(SketchHmac &hmac, const char *name) const {
  uint8_t challenge[challengeLength];
  readHex(challenge_->value(), challenge, sizeof challenge);
  beginTag(hmac, name);
  hmac.add(challenge, sizeof challenge);
}

bool SketchExchange::isTag(SketchHmac &hmac, const char *digits) {
  uint8_t own[SketchHmac::length], given[SketchHmac::length];
  const char *end = readHex(digits, given, sizeof given);
  if (!end || *end) return false;
  hmac.end(own);
  return SketchHmac::isEqual(own, given);
}

char *SketchExchange::writeHex(char *out, const uint8_t *bytes, uint8_t count) {
  while (count--) {
    *out++ = SketchDigits::hexDigit(*bytes >> 4);
    *out++ = SketchDigits::hexDigit(*bytes++ & 15);
  }
  *out = 0;
  return out;
}

const char *SketchExchange::readHex(const char *digits, uint8_t *bytes, uint8_t count) {
  while (count--) {
    const uint8_t high = SketchDigits::hexValue(*digits++);
    if (high > 15) return nullptr;
    const uint8_t low = SketchDigits::hexValue(*digits++);
    if (low > 15) return nullptr;
    *bytes++ = (uint8_t)(high << 4 | low);
  }
  return digits;
}
