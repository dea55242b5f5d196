#define _GNU_SOURCE
#include "common.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const uint64_t timeMask = 0xffffffffff;

uint64_t nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

uint64_t microseconds(void) { return nanoseconds() / 1000; }

/* MARK: markers */

static void write_hex(uint8_t *bytes, uint64_t value, int digits) {
  while (digits-- > 0) {
    bytes[digits] = (uint8_t)"0123456789abcdef"[value & 15];
    value >>= 4;
  }
}

static bool read_hex(const uint8_t *bytes, int digits, uint64_t *value) {
  *value = 0;
  for (int i = 0; i < digits; i++) {
    int digit = bytes[i] >= '0' && bytes[i] <= '9'   ? bytes[i] - '0'
                : bytes[i] >= 'a' && bytes[i] <= 'f' ? bytes[i] - 'a' + 10
                                                     : -1;
    if (digit < 0) return false;
    *value = *value << 4 | (uint64_t)digit;
  }
  return true;
}

void marker_write(uint8_t *bytes, uint32_t number, uint64_t time) {
  bytes[0] = '#';
  write_hex(bytes + 1, number, 6);
  bytes[7] = '@';
  write_hex(bytes + 8, time, 10);
  bytes[18] = '\n';
}

bool marker_find(const uint8_t *bytes, size_t count, uint32_t *number, uint64_t *time) {
  for (size_t i = 0; i + MARKER_SIZE - 1 <= count; i++) {
    uint64_t found;
    if (bytes[i] != '#' || bytes[i + 7] != '@') continue;
    if (!read_hex(bytes + i + 1, 6, &found) || !read_hex(bytes + i + 8, 10, time)) continue;
    *number = (uint32_t)found;
    return true;
  }
  return false;
}

uint32_t marker_age(uint64_t time, uint64_t now) {
  uint64_t age = (now - time) & timeMask;
  return age > UINT32_MAX ? UINT32_MAX : (uint32_t)age;
}

/* MARK: samples */

void samples_add(struct samples *samples, uint32_t value) {
  if (samples->count == samples->capacity) {
    samples->capacity = samples->capacity ? 2 * samples->capacity : 1 << 16;
    samples->values = realloc(samples->values, samples->capacity * sizeof *samples->values);
    if (!samples->values) abort();
  }
  samples->values[samples->count++] = value;
}

static int compare(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

uint32_t samples_quantile(struct samples *samples, double part) {
  if (!samples->count) return 0;
  qsort(samples->values, samples->count, sizeof *samples->values, compare);
  return samples->values[(size_t)((double)(samples->count - 1) * part)];
}

/* MARK: paced work */

void pace_start(struct pace *pace, uint64_t count, double perSecond) {
  pace->left = count;
  pace->interval = perSecond > 0 ? 1e9 / perSecond : 0;
  pace->due = (double)nanoseconds();
}

bool pace_step(struct pace *pace, uint64_t now) {
  if (!pace->left || pace->due > (double)now) return false;
  pace->left--;
  pace->due += pace->interval;
  return true;
}

uint64_t pace_wait(const struct pace *pace, uint64_t now) {
  const double longest = 999999999;
  double wait = pace->left ? pace->due - (double)now : longest;
  return wait < 0 ? 0 : wait > longest ? (uint64_t)longest : (uint64_t)wait;
}

/* MARK: the driver's commands */

static void handle_line(char *line, control_handler *handle) {
  static char *words[CONTROL_WORDS];
  int count = 0;
  for (char *word = strtok(line, " "); word && count < CONTROL_WORDS; word = strtok(NULL, " ")) words[count++] = word;
  if (count) handle(words, count);
}

bool control_read(control_handler *handle) {
  static char buffer[1 << 17];
  static size_t filled;
  ssize_t count = read(STDIN_FILENO, buffer + filled, sizeof buffer - filled);
  if (count <= 0) return false;
  filled += (size_t)count;
  char *line = buffer, *end;
  while ((end = memchr(line, '\n', filled - (size_t)(line - buffer)))) {
    *end = 0;
    handle_line(line, handle);
    line = end + 1;
  }
  filled -= (size_t)(line - buffer);
  memmove(buffer, line, filled);
  return true;
}

void control_answer(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vprintf(format, arguments);
  va_end(arguments);
  putchar('\n');
  fflush(stdout);
}
