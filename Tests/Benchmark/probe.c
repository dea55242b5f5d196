/* The measuring client: notes when each message arrives, counts what is missing or comes twice, and publishes
 * paced commands that carry a marker. It parses MQTT 3.1.1 itself, many packets to a read, so that its own time is
 * small beside what it measures.
 *
 *   probe PORT
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common.h"

enum { NUMBERS = 1 << 24 };

static int broker;

/* What has arrived since `reset`. Times are of CLOCK_MONOTONIC in microseconds. */
static struct {
  uint64_t all, unique, repeated, firstTime, lastTime;
} seen;
static uint8_t isSeen[NUMBERS / 8];
static struct samples latencies;

static char **topics;
static int topicCount;
static struct pace commands;
static uint32_t commandNumber;

/* Commands may be throttles instead, 1 to 99 in turn behind a prefix: when each was published is kept for the driver. */
enum { MAX_THROTTLES = 2000 };
static bool isThrottling;
static char throttlePrefix[8];
static uint64_t throttleTimes[MAX_THROTTLES];

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void reset(void) {
  memset(&seen, 0, sizeof seen);
  memset(isSeen, 0, sizeof isSeen);
  latencies.count = 0;
}

static void arrived(const uint8_t *payload, size_t size, uint64_t now) {
  if (!seen.all++) seen.firstTime = now;
  uint32_t number;
  uint64_t time;
  if (!marker_find(payload, size, &number, &time)) return;
  seen.lastTime = now;
  uint8_t bit = (uint8_t)(1 << (number & 7));
  if (isSeen[number >> 3] & bit) {
    seen.repeated++;
  } else {
    seen.unique++;
  }
  isSeen[number >> 3] |= bit;
  samples_add(&latencies, marker_age(time, now));
}

/* MARK: MQTT */

static void send_all(const uint8_t *bytes, size_t size) {
  while (size > 0) {
    ssize_t count = send(broker, bytes, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("broker");
    bytes += count;
    size -= (size_t)count;
  }
}

static size_t put_text(uint8_t *to, const char *text, size_t size) {
  to[0] = (uint8_t)(size >> 8);
  to[1] = (uint8_t)size;
  memcpy(to + 2, text, size);
  return 2 + size;
}

/* Fixed header of a packet whose rest has at most 16383 bytes, always in two bytes of length. */
static size_t put_header(uint8_t *to, uint8_t type, size_t rest) {
  to[0] = type;
  to[1] = (uint8_t)(rest & 127) | 128;
  to[2] = (uint8_t)(rest >> 7);
  return 3;
}

static void subscribe(const char *filter) {
  uint8_t packet[512] = {0};
  size_t length = strnlen(filter, 400), size = put_header(packet, 0x82, 2 + 2 + length + 1);
  packet[size + 1] = 1; /* The packet's identifier. */
  size += 2;
  size += put_text(packet + size, filter, length);
  send_all(packet, size + 1); /* QoS 0. */
}

static void publish_command(void) {
  const char *topic = topics[commandNumber % (uint32_t)topicCount];
  uint8_t packet[512], payload[MARKER_SIZE];
  size_t bytes = MARKER_SIZE;
  if (isThrottling) {
    bytes = (size_t)snprintf((char *)payload, sizeof payload, "%s%u", throttlePrefix, 1 + commandNumber % 99);
    throttleTimes[commandNumber++ % MAX_THROTTLES] = microseconds();
  } else {
    marker_write(payload, commandNumber++, microseconds());
  }
  size_t length = strnlen(topic, 400), size = put_header(packet, 0x30, 2 + length + bytes);
  size += put_text(packet + size, topic, length);
  memcpy(packet + size, payload, bytes);
  send_all(packet, size + bytes);
}

static void answer_throttles(void) {
  printf("[");
  for (uint32_t i = 0; i < commandNumber && i < MAX_THROTTLES; i++) printf("%s%lu", i ? ", " : "", throttleTimes[i]);
  control_answer("]");
}

/* Takes the whole packets off the front of `bytes`; returns how many bytes those were. */
static size_t parse(const uint8_t *bytes, size_t size, uint64_t now) {
  size_t start = 0;
  for (;;) {
    size_t length = 0, at = start + 1;
    int shift = 0;
    do {
      if (at >= size) return start;
      length |= (size_t)(bytes[at] & 127) << shift;
      shift += 7;
    } while (bytes[at++] & 128);
    if (size - at < length) return start;
    if (bytes[start] >> 4 == 3) {
      size_t topic = (size_t)bytes[at] << 8 | bytes[at + 1];
      size_t head = 2 + topic + (bytes[start] & 6 ? 2 : 0);
      arrived(bytes + at + head, length - head, now);
    }
    start = at + length;
  }
}

static void receive(void) {
  static uint8_t buffer[1 << 20];
  static size_t filled;
  ssize_t count = recv(broker, buffer + filled, sizeof buffer - filled, MSG_DONTWAIT);
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) fail("broker");
  if (count < 0) return;
  filled += (size_t)count;
  size_t taken = parse(buffer, filled, microseconds());
  filled -= taken;
  memmove(buffer, buffer + taken, filled);
}

static void connect_broker(int port) {
  static const uint8_t hello[] = {0x10, 17, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 0, 0, 5, 'p', 'r', 'o', 'b', 'e'};
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int one = 1, room = 4 << 20;
  broker = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(broker, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
  if (connect(broker, (struct sockaddr *)&address, sizeof address)) fail("connect");
  setsockopt(broker, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  send_all(hello, sizeof hello);
}

/* MARK: the driver's commands */

static void set_topics(char **words, int count) {
  for (int i = 0; i < topicCount; i++) free(topics[i]);
  topics = realloc(topics, (size_t)count * sizeof *topics);
  topicCount = count;
  for (int i = 0; i < count; i++) topics[i] = strdup(words[i]);
}

static void command(char **words, int count) {
  if (!strcmp(words[0], "subscribe") && count == 2) {
    subscribe(words[1]);
  } else if (!strcmp(words[0], "reset")) {
    reset();
  } else if (!strcmp(words[0], "topics") && count > 1) {
    set_topics(words + 1, count - 1);
  } else if (!strcmp(words[0], "publish") && count == 3 && topicCount) {
    commandNumber = 0;
    isThrottling = false;
    pace_start(&commands, strtoull(words[1], NULL, 10), atof(words[2]));
  } else if (!strcmp(words[0], "throttle") && count >= 3 && topicCount) {
    commandNumber = 0;
    isThrottling = true;
    snprintf(throttlePrefix, sizeof throttlePrefix, "%s", count > 3 ? words[3] : "");
    pace_start(&commands, strtoull(words[1], NULL, 10), atof(words[2]));
  } else if (!strcmp(words[0], "throttles")) {
    answer_throttles();
    return;
  } else if (!strcmp(words[0], "status")) {
    control_answer(
        "{\"all\": %lu, \"unique\": %lu, \"repeated\": %lu, \"first\": %lu, \"last\": %lu}", seen.all, seen.unique,
        seen.repeated, seen.firstTime, seen.lastTime);
    return;
  } else if (!strcmp(words[0], "latencies")) {
    control_answer(
        "{\"median\": %u, \"p99\": %u}", samples_quantile(&latencies, 0.5), samples_quantile(&latencies, 0.99));
    return;
  } else {
    control_answer("\"unknown\"");
    return;
  }
  control_answer("true");
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  prctl(PR_SET_TIMERSLACK, 1);
  reset();
  connect_broker(atoi(arguments[1]));
  struct pollfd polled[] = {{.fd = broker, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
  for (;;) {
    struct timespec wait = {.tv_nsec = (long)pace_wait(&commands, nanoseconds())};
    if (ppoll(polled, 2, &wait, NULL) > 0) {
      if (polled[0].revents) receive();
      if (polled[1].revents && !control_read(command)) return 0;
    }
    uint64_t now = nanoseconds();
    for (int i = 0; i < 64 && pace_step(&commands, now); i++) publish_command();
  }
}
