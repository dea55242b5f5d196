/* Values from the boards, by descriptor or by signals on the bus, and to them. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bluez.h"

/* Steps between two looks at the descriptors. */
enum { BATCH = 64 };

static struct pace pace;
static uint32_t number;
static int nextBoard;
/* Notified in place of markers; empty for none. */
static uint8_t fixedValue[MAX_VALUE];
static size_t fixedSize;

static uint64_t sent, dropped, firstTime, lastTime, writes;
static struct samples writeLatencies;
/* When each packet that begins with `T=` was written, and what it says. */
enum { MAX_THROTTLES = 2000 };
static struct { uint64_t time; int value; } throttles[MAX_THROTTLES];
static int throttleCount;

bool is_notifying(const struct board *board) {
  return board->isConnected && (board->isAnnouncing || board->notifyDescriptor >= 0);
}

/* MARK: announcements on the bus
 *
 * Marshalled once for each board, then patched and written to the socket in batches past libdbus, which would take
 * longer for each than the bridge for all it does. Numbers of such messages begin where libdbus never comes. */

static char outgoing[1 << 16];
static size_t outgoingSize;

static void flush_announcements(void) {
  int descriptor;
  if (!outgoingSize) return;
  dbus_connection_flush(bus);
  dbus_connection_get_unix_fd(bus, &descriptor);
  for (size_t start = 0; start < outgoingSize;) {
    ssize_t count = send(descriptor, outgoing + start, outgoingSize - start, MSG_NOSIGNAL);
    if (count > 0) {
      start += (size_t)count;
    } else if (errno == EAGAIN || errno == EINTR) {
      poll(&(struct pollfd){.fd = descriptor, .events = POLLOUT}, 1, 1000);
    } else {
      exit(1);
    }
  }
  outgoingSize = 0;
}

static void prepare_announcement(struct board *board) {
  uint8_t value[MARKER_SIZE];
  marker_write(value, 0xfedcba, 0);
  DBusMessage *signal = new_announcement(board, value, sizeof value);
  dbus_message_marshal(signal, &board->announcement, &board->announcementSize);
  dbus_message_unref(signal);
  char *found = memmem(board->announcement, (size_t)board->announcementSize, value, sizeof value);
  board->announcementValue = (int)(found - board->announcement);
}

static void announce_marker(struct board *board, const uint8_t *marker) {
  static uint32_t serial = 0x40000000;
  const int serialOffset = 8;
  if (!board->announcement) prepare_announcement(board);
  size_t size = (size_t)board->announcementSize;
  if (outgoingSize + size > sizeof outgoing) flush_announcements();
  memcpy(board->announcement + serialOffset, &serial, sizeof serial);
  memcpy(board->announcement + board->announcementValue, marker, MARKER_SIZE);
  memcpy(outgoing + outgoingSize, board->announcement, size);
  outgoingSize += size;
  if (!++serial) serial = 0x40000000;
}

/* MARK: notifications */

static void notify(struct board *board) {
  uint64_t now = microseconds();
  uint8_t marker[MARKER_SIZE];
  marker_write(marker, number++, now);
  const uint8_t *value = fixedSize ? fixedValue : marker;
  size_t size = fixedSize ? fixedSize : sizeof marker;
  if (board->notifyDescriptor < 0 && fixedSize) {
    send_message(new_announcement(board, value, (int)size));
  } else if (board->notifyDescriptor < 0) {
    announce_marker(board, marker);
  } else {
    while (send(board->notifyDescriptor, value, size, MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
      struct pollfd full = {.fd = board->notifyDescriptor, .events = POLLOUT};
      if (errno == EAGAIN && poll(&full, 1, 5000) > 0) continue;
      dropped++;
      break;
    }
  }
  if (!sent++) firstTime = now;
  lastTime = now;
}

static struct board *next_board(void) {
  for (int i = 0; i < boardCount; i++) {
    struct board *board = &boards[nextBoard];
    nextBoard = (nextBoard + 1) % boardCount;
    if (is_notifying(board)) return board;
  }
  return NULL;
}

void notify_begin(uint64_t count, double perSecond, const char *text) {
  number = 0;
  fixedSize = text ? strnlen(text, sizeof fixedValue) : 0;
  if (text) memcpy(fixedValue, text, fixedSize);
  pace_start(&pace, count, perSecond);
}

uint64_t notify_wait(uint64_t now) { return pace_wait(&pace, now); }

void notify_due(void) {
  for (int i = 0; i < BATCH && pace_step(&pace, nanoseconds()); i++) {
    struct board *board = next_board();
    if (board) {
      notify(board);
    } else {
      /* Nobody listens yet: looked at again a little later. */
      pace.left++;
      pace.due = (double)nanoseconds() + 1e6;
    }
  }
  flush_announcements();
}

/* MARK: writes */

void take_write(const uint8_t *value, int size) {
  uint32_t ignored;
  uint64_t time;
  writes++;
  if (size > 2 && size < 8 && value[0] == 'T' && value[1] == '=' && throttleCount < MAX_THROTTLES) {
    char text[8] = {0};
    memcpy(text, value + 2, (size_t)size - 2);
    throttles[throttleCount].time = microseconds();
    throttles[throttleCount++].value = atoi(text);
  }
  if (marker_find(value, (size_t)size, &ignored, &time)) samples_add(&writeLatencies, marker_age(time, microseconds()));
}

void read_writes(struct board *board) {
  uint8_t value[MAX_VALUE];
  ssize_t count;
  while ((count = recv(board->writeDescriptor, value, sizeof value, MSG_DONTWAIT)) > 0) take_write(value, (int)count);
  if (count < 0 && errno == EAGAIN) return;
  close(board->writeDescriptor);
  board->writeDescriptor = -1;
}

/* MARK: counts */

void traffic_reset(void) {
  sent = dropped = firstTime = lastTime = writes = 0;
  writeLatencies.count = 0;
  throttleCount = 0;
}

void answer_status(void) {
  int notifying = 0, connected = 0;
  for (int i = 0; i < boardCount; i++) {
    notifying += is_notifying(&boards[i]);
    connected += boards[i].isConnected;
  }
  control_answer(
      "{\"notifying\": %d, \"connected\": %d, \"sent\": %lu, \"left\": %lu, \"dropped\": %lu, \"first\": %lu, "
      "\"last\": %lu, \"writes\": %lu}",
      notifying, connected, sent, pace.left, dropped, firstTime, lastTime, writes);
}

void answer_writes(void) {
  control_answer(
      "{\"median\": %u, \"p99\": %u}", samples_quantile(&writeLatencies, 0.5), samples_quantile(&writeLatencies, 0.99));
}

void answer_throttles(void) {
  printf("[");
  for (int i = 0; i < throttleCount; i++)
    printf("%s[%d, %lu]", i ? ", " : "", throttles[i].value, throttles[i].time);
  control_answer("]");
}
