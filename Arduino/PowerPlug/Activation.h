// A cycle of the plug's schedule, in memory as it goes over the wire: 29 bytes, little-endian.
#pragma once

struct __attribute__((packed)) Activation {
  /// Ends with a NUL; empty in a free slot.
  char name[21];
  /// Seconds since 1970-01-01 UTC.
  uint32_t start;
  /// Minutes.
  uint16_t length;
  /// Minutes; 0 is once.
  uint16_t period;

  bool isFree() const { return !name[0]; }
  uint32_t lengthSeconds() const { return length * 60UL; }
  uint32_t periodSeconds() const { return period * 60UL; }

  bool isOnAt(uint32_t time) const {
    if (isFree() || time < start) return false;
    const uint32_t since = time - start;
    return (period ? since % periodSeconds() : since) < lengthSeconds();
  }

  /// Moves the start behind all cycles that are over; false if none is. A spent one-off stays.
  bool moveOn(uint32_t time) {
    if (isFree() || !period || time < start || time - start < lengthSeconds()) return false;
    start += ((time - start - lengthSeconds()) / periodSeconds() + 1) * periodSeconds();
    return true;
  }

  /// When it next begins or ends, later than `time`; 0 if never.
  uint32_t edgeAfter(uint32_t time) const {
    if (isFree()) return 0;
    if (time < start) return start;
    uint32_t since = time - start;
    const uint32_t begun = period ? time - since % periodSeconds() : start;
    since = time - begun;
    if (since < lengthSeconds()) return begun + lengthSeconds();
    return period ? begun + periodSeconds() : 0;
  }

  /// Whether both are on at one time, from `time` on.
  bool meets(const Activation &other, uint32_t time) const {
    if (isFree() || other.isFree()) return false;
    if (!period && !other.period) {
      const uint32_t end = start + lengthSeconds(), otherEnd = other.start + other.lengthSeconds();
      return start < otherEnd && other.start < end && time < end && time < otherEnd;
    }
    if (!period) return other.meets(*this, time);
    if (!other.period) {
      const uint32_t end = other.start + other.lengthSeconds();
      if (time >= end) return false;
      const uint32_t from = other.start > time ? other.start : time;
      if (isOnAt(from)) return true;
      if (start > from) return start < end;
      return from - (from - start) % periodSeconds() + periodSeconds() < end;
    }
    // The starts of two that repeat come as near as the common divisor of their periods lets them.
    uint32_t divisor = periodSeconds(), rest = other.periodSeconds();
    while (rest) {
      const uint32_t next = divisor % rest;
      divisor = rest;
      rest = next;
    }
    const uint32_t ahead = other.start >= start ? (other.start - start) % divisor
                                                : divisor - 1 - (start - other.start - 1) % divisor;
    return ahead < lengthSeconds() || divisor - ahead < other.lengthSeconds();
  }
};

static_assert(sizeof(Activation) == 29, "packed");
