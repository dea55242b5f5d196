// Moments as text: 2027-05-01T06:00:00Z. From 1970 to 2106-02-07, as many as 32 bits of seconds hold.
#pragma once

const uint8_t momentLength = 20;

// Days of the months before a month that is counted from March: leap days are the last of such a year.
uint16_t daysBefore(uint8_t monthFromMarch) { return (uint16_t)((153U * monthFromMarch + 2) / 5); }

/// @return  False for what is no such text, or no such day.
bool readMoment(const char *text, uint32_t &seconds) {
  static const char form[] PROGMEM = "0000-00-00T00:00:00Z";
  uint16_t parts[6] = {0, 0, 0, 0, 0, 0};
  uint8_t part = 0;
  for (uint8_t at = 0; at <= momentLength; at++) {
    const char wanted = (char)pgm_read_byte(form + at);
    if (wanted == '0') {
      const uint8_t digit = (uint8_t)(text[at] - '0');
      if (digit > 9) return false;
      parts[part] = (uint16_t)(parts[part] * 10 + digit);
    } else {
      if (text[at] != wanted) return false;
      part++;
    }
  }
  const uint16_t year = parts[0];
  if (year < 1970 || year > 2106 || parts[1] < 1 || parts[1] > 12 || parts[2] < 1) return false;
  if (parts[3] > 23 || parts[4] > 59 || parts[5] > 59) return false;
  const bool isLeap = year % 4 == 0 && year != 2100;
  const uint8_t month = (uint8_t)((parts[1] + 9) % 12);
  uint8_t longest = (uint8_t)(daysBefore(month + 1) - daysBefore(month));
  if (parts[1] == 2) longest = isLeap ? 29 : 28;
  if (parts[2] > longest) return false;
  // From 1968-03-01, which is 671 days before 1970.
  const uint16_t years = (uint16_t)(year - 1968 - (parts[1] < 3 ? 1 : 0));
  uint32_t days = years * 365UL + years / 4 + daysBefore(month) + parts[2] - 1;
  if (year > 2100 || (year == 2100 && parts[1] > 2)) days--;
  days -= 671;
  if (days > 49710) return false;
  const uint32_t time = parts[3] * 3600UL + parts[4] * 60U + parts[5];
  if (days == 49710 && time > 23295) return false;
  seconds = days * 86400UL + time;
  return true;
}

char *writeTwo(char *out, uint8_t number) {
  *out++ = (char)('0' + number / 10);
  *out++ = (char)('0' + number % 10);
  return out;
}

/// Writes 20 characters and a NUL.
void writeMoment(char *out, uint32_t seconds) {
  uint32_t days = seconds / 86400UL + 671;
  const uint32_t time = seconds % 86400UL;
  if (days > 48211) days++; // there is no 2100-02-29
  uint16_t year = (uint16_t)((days * 4 + 3) / 1461);
  const uint16_t day = (uint16_t)(days - (year * 1461UL) / 4);
  uint8_t month = (uint8_t)((5 * day + 2) / 153);
  const uint8_t dayOfMonth = (uint8_t)(day - daysBefore(month) + 1);
  month = (uint8_t)(month + 3);
  if (month > 12) {
    month = (uint8_t)(month - 12);
    year++;
  }
  year = (uint16_t)(year + 1968);
  out = writeTwo(writeTwo(out, (uint8_t)(year / 100)), (uint8_t)(year % 100));
  *out++ = '-';
  out = writeTwo(out, month);
  *out++ = '-';
  out = writeTwo(out, dayOfMonth);
  *out++ = 'T';
  out = writeTwo(out, (uint8_t)(time / 3600));
  *out++ = ':';
  out = writeTwo(out, (uint8_t)(time / 60 % 60));
  *out++ = ':';
  out = writeTwo(out, (uint8_t)(time % 60));
  *out++ = 'Z';
  *out = 0;
}
