/* bluez BOARDS: commands on standard input, answers on standard output. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "bluez.h"

DBusConnection *bus;
struct board boards[MAX_BOARDS];
int boardCount;
bool isDiscovering, areBeacons;

/* Each board that is not connected advertises so often while the adapter scans, in nanoseconds. */
static uint64_t advertisingInterval = 500000000;
static uint64_t advertised;

static void command(char **words, int count) {
  if (!strcmp(words[0], "status")) return answer_status();
  if (!strcmp(words[0], "writes")) return answer_writes();
  if (!strcmp(words[0], "throttles")) return answer_throttles();
  if (!strcmp(words[0], "reset")) {
    traffic_reset();
  } else if (!strcmp(words[0], "notify") && count >= 3) {
    notify_begin(strtoull(words[1], NULL, 10), atof(words[2]), count > 3 ? words[3] : NULL);
  } else if (!strcmp(words[0], "beacons") && count >= 2) {
    areBeacons = true;
    advertisingInterval = (uint64_t)(1e9 / atof(words[1]));
  } else if (!strcmp(words[0], "advertised")) {
    return control_answer("%lu", advertised);
  } else {
    return control_answer("\"unknown\"");
  }
  control_answer("true");
}

static void make_boards(int count) {
  boardCount = count;
  for (int i = 0; i < count; i++) {
    struct board *board = &boards[i];
    board->notifyDescriptor = board->writeDescriptor = -1;
    snprintf(board->address, sizeof board->address, "C0:DE:00:00:%02X:%02X", i >> 8 & 255, i & 255);
    snprintf(board->name, sizeof board->name, "Board %d", i);
    snprintf(board->path, sizeof board->path, ADAPTER_PATH "/dev_C0_DE_00_00_%02X_%02X", i >> 8 & 255, i & 255);
  }
}

static uint64_t advertising_step(void) {
  return areBeacons ? advertisingInterval / (uint64_t)boardCount : advertisingInterval;
}

/* Boards all at once, beacons one after the other. */
static void advertise(uint64_t now) {
  static uint64_t due;
  static int16_t strength;
  static int next;
  if (!isDiscovering || now < due) return;
  due = due + advertising_step() < now ? now : due + advertising_step();
  strength = (int16_t)((strength + 1) % 40);
  for (int i = areBeacons ? next : 0; i < (areBeacons ? next + 1 : boardCount); i++) {
    if (!boards[i].isPresent || boards[i].isConnected) continue;
    /* As in a room: each beacon with its own, and readings that swing. */
    send_strength(&boards[i], (int16_t)(areBeacons ? -50 - i % 40 + rand() % 13 - 6 : -40 - strength));
    advertised++;
  }
  next = (next + 1) % boardCount;
}

static void own_name(void) {
  DBusError error = DBUS_ERROR_INIT;
  bus = dbus_bus_get(DBUS_BUS_SYSTEM, &error);
  if (!bus || dbus_bus_request_name(bus, "org.bluez", DBUS_NAME_FLAG_DO_NOT_QUEUE, &error) !=
                  DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
    fprintf(stderr, "bluez: %s\n", dbus_error_is_set(&error) ? error.message : "org.bluez has an owner");
    exit(1);
  }
  dbus_connection_add_filter(bus, handle_message, NULL, NULL);
}

/* Waits until something is to be done; false when the driver has gone. */
static bool wait_and_read(void) {
  static struct pollfd polled[2 + MAX_BOARDS];
  static int writers[MAX_BOARDS];
  nfds_t count = 2;
  dbus_connection_get_unix_fd(bus, &polled[0].fd);
  polled[0].events = (short)(POLLIN | (dbus_connection_has_messages_to_send(bus) ? POLLOUT : 0));
  polled[1] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
  for (int i = 0; i < boardCount; i++) {
    if (boards[i].writeDescriptor < 0) continue;
    writers[count - 2] = i;
    polled[count++] = (struct pollfd){.fd = boards[i].writeDescriptor, .events = POLLIN};
  }
  uint64_t wait = notify_wait(nanoseconds());
  if (isDiscovering && wait > advertising_step()) wait = advertising_step();
  if (ppoll(polled, count, &(struct timespec){.tv_nsec = (long)wait}, NULL) <= 0) return true;
  if (polled[0].revents) dbus_connection_read_write(bus, 0);
  for (nfds_t i = 2; i < count; i++)
    if (polled[i].revents) read_writes(&boards[writers[i - 2]]);
  return !polled[1].revents || control_read(command);
}

int main(int count, char **arguments) {
  int number = count == 2 ? atoi(arguments[1]) : 0;
  if (number < 1 || number > MAX_BOARDS) return 2;
  prctl(PR_SET_TIMERSLACK, 1);
  make_boards(number);
  own_name();
  while (wait_and_read()) {
    while (dbus_connection_dispatch(bus) == DBUS_DISPATCH_DATA_REMAINS) {}
    notify_due();
    advertise(nanoseconds());
    dbus_connection_flush(bus);
  }
}
