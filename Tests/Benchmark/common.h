/* What the simulated BlueZ and the measuring client share: the marker by which an event is found again, latencies,
 * paced work, and the driver's commands on standard input. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CLOCK_MONOTONIC. */
uint64_t nanoseconds(void);
uint64_t microseconds(void);

/* "#", 6 hexadecimal digits of the event's number, "@", 10 of its time in microseconds, "\n". */
enum { MARKER_SIZE = 19 };
void marker_write(uint8_t *bytes, uint32_t number, uint64_t time);
/* Finds a marker anywhere in `bytes`; its line's end may be missing. */
bool marker_find(const uint8_t *bytes, size_t count, uint32_t *number, uint64_t *time);
/* Microseconds from a marker's time to `now`, across the wrap of its 40 bits. */
uint32_t marker_age(uint64_t time, uint64_t now);

struct samples {
  uint32_t *values;
  size_t count, capacity;
};
void samples_add(struct samples *samples, uint32_t value);
/* The value below which this part of all lies, 0 up to 1; 0 when there are none. Sorts. */
uint32_t samples_quantile(struct samples *samples, double part);

/* So many steps, evenly spaced; without a rate as fast as they go. */
struct pace {
  uint64_t left;
  double interval, due; /* nanoseconds */
};
void pace_start(struct pace *pace, uint64_t count, double perSecond);
/* Whether a step is due; takes it off. */
bool pace_step(struct pace *pace, uint64_t now);
/* Nanoseconds until the next step, less than a second. */
uint64_t pace_wait(const struct pace *pace, uint64_t now);

/* The driver's commands, a line each, answered by a line each. */
enum { CONTROL_WORDS = 1100 };
typedef void control_handler(char **words, int count);
/* Reads what there is; false when the driver has gone. */
bool control_read(control_handler *handle);
void control_answer(const char *format, ...) __attribute__((format(printf, 1, 2)));
