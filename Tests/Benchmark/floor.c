/* The floor: the least that a bridge on libdbus and libmosquitto can do. It connects the Nordic UART boards given as
 * arguments, publishes what they notify (AcquireNotify, QoS 0) on floor/ADDRESS/rx, and writes what arrives on
 * floor/ADDRESS/tx to them (WriteValue). One thread, no logic, nothing handled that goes wrong.
 *
 *   floor PORT ADDRESS...
 */
#define _GNU_SOURCE
#include <dbus/dbus.h>
#include <mosquitto.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ADAPTER "/org/bluez/hci0"
enum { MAX_BOARDS = 1024 };

static DBusConnection *bus;
static struct mosquitto *mqtt;
static bool isSubscribed;

static struct {
  char topic[32];
  int descriptor;
} boards[MAX_BOARDS];
static int boardCount;

static void fail(const char *what) {
  fprintf(stderr, "floor: %s\n", what);
  exit(1);
}

/* The path of a board, or of a characteristic below it. */
static void make_path(char *path, size_t size, const char *address, const char *tail) {
  snprintf(path, size, ADAPTER "/dev_%.17s%s", address, tail);
  for (char *c = path; *c; c++)
    if (*c == ':') *c = '_';
}

static DBusMessage *new_call(const char *path, const char *interface, const char *member) {
  return dbus_message_new_method_call("org.bluez", path, interface, member);
}

static void append_no_properties(DBusMessage *message) {
  DBusMessageIter arguments, properties;
  dbus_message_iter_init_append(message, &arguments);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &properties);
  dbus_message_iter_close_container(&arguments, &properties);
}

static DBusMessage *answer_to(DBusMessage *call) {
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *answer = dbus_connection_send_with_reply_and_block(bus, call, 20000, &error);
  if (!answer) fail(error.message);
  dbus_message_unref(call);
  return answer;
}

static void call_adapter(const char *member) {
  dbus_message_unref(answer_to(new_call(ADAPTER, "org.bluez.Adapter1", member)));
}

static int acquire_notify(const char *address) {
  char path[128];
  make_path(path, sizeof path, address, "");
  dbus_message_unref(answer_to(new_call(path, "org.bluez.Device1", "Connect")));
  make_path(path, sizeof path, address, "/service000a/char000d");
  DBusMessage *call = new_call(path, "org.bluez.GattCharacteristic1", "AcquireNotify");
  append_no_properties(call);
  DBusMessage *answer = answer_to(call);
  int descriptor;
  dbus_uint16_t mtu;
  if (!dbus_message_get_args(
          answer, NULL, DBUS_TYPE_UNIX_FD, &descriptor, DBUS_TYPE_UINT16, &mtu, DBUS_TYPE_INVALID))
    fail("no descriptor");
  dbus_message_unref(answer);
  return descriptor;
}

static void on_message(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
  (void)client, (void)context;
  char address[18], path[128];
  if (sscanf(message->topic, "floor/%17[^/]/tx", address) != 1) return;
  make_path(path, sizeof path, address, "/service000a/char000b");
  DBusMessage *call = new_call(path, "org.bluez.GattCharacteristic1", "WriteValue");
  DBusMessageIter arguments, bytes, properties;
  dbus_message_iter_init_append(call, &arguments);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "y", &bytes);
  dbus_message_iter_append_fixed_array(&bytes, DBUS_TYPE_BYTE, &message->payload, message->payloadlen);
  dbus_message_iter_close_container(&arguments, &bytes);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &properties);
  dbus_message_iter_close_container(&arguments, &properties);
  dbus_message_set_no_reply(call, TRUE);
  dbus_connection_send(bus, call, NULL);
  dbus_message_unref(call);
}

static void on_connect(struct mosquitto *client, void *context, int code) {
  (void)context;
  if (code) fail("refused by the broker");
  mosquitto_subscribe(client, NULL, "floor/+/tx", 0);
}

static void on_subscribe(struct mosquitto *client, void *context, int id, int count, const int *granted) {
  (void)client, (void)context, (void)id, (void)count, (void)granted;
  isSubscribed = true;
}

static void start_mqtt(int port) {
  mosquitto_lib_init();
  mqtt = mosquitto_new("floor", true, NULL);
  mosquitto_connect_callback_set(mqtt, on_connect);
  mosquitto_subscribe_callback_set(mqtt, on_subscribe);
  mosquitto_message_callback_set(mqtt, on_message);
  mosquitto_int_option(mqtt, MOSQ_OPT_TCP_NODELAY, 1);
  if (mosquitto_connect(mqtt, "127.0.0.1", port, 60)) fail("no broker");
  while (!isSubscribed)
    if (mosquitto_loop(mqtt, 100, 1)) fail("broker lost");
}

static void start_boards(char **addresses) {
  DBusError error = DBUS_ERROR_INIT;
  bus = dbus_bus_get(DBUS_BUS_SYSTEM, &error);
  if (!bus) fail(error.message);
  call_adapter("StartDiscovery");
  usleep(50000); /* All boards advertise within that time. */
  call_adapter("StopDiscovery");
  for (; addresses[boardCount] && boardCount < MAX_BOARDS; boardCount++) {
    snprintf(boards[boardCount].topic, sizeof boards->topic, "floor/%.17s/rx", addresses[boardCount]);
    boards[boardCount].descriptor = acquire_notify(addresses[boardCount]);
  }
}

static void pass_on(int board) {
  unsigned char bytes[512];
  ssize_t count;
  while ((count = recv(boards[board].descriptor, bytes, sizeof bytes, MSG_DONTWAIT)) > 0)
    mosquitto_publish(mqtt, NULL, boards[board].topic, (int)count, bytes, 0, false);
}

int main(int count, char **arguments) {
  if (count < 3) fail("usage: floor PORT ADDRESS...");
  start_mqtt(atoi(arguments[1]));
  start_boards(arguments + 2);
  static struct pollfd polled[2 + MAX_BOARDS];
  dbus_connection_get_unix_fd(bus, &polled[0].fd);
  polled[1].fd = mosquitto_socket(mqtt);
  for (int i = 0; i < boardCount; i++)
    polled[2 + i] = (struct pollfd){.fd = boards[i].descriptor, .events = POLLIN};
  for (;;) {
    polled[0].events = (short)(POLLIN | (dbus_connection_has_messages_to_send(bus) ? POLLOUT : 0));
    polled[1].events = (short)(POLLIN | (mosquitto_want_write(mqtt) ? POLLOUT : 0));
    poll(polled, (nfds_t)(2 + boardCount), 1000);
    for (int i = 0; i < boardCount; i++)
      if (polled[2 + i].revents) pass_on(i);
    if (polled[0].revents && !dbus_connection_read_write(bus, 0)) fail("bus lost");
    while (dbus_connection_dispatch(bus) == DBUS_DISPATCH_DATA_REMAINS) {}
    if (polled[1].revents & POLLIN && mosquitto_loop_read(mqtt, 1)) fail("broker lost");
    if (mosquitto_want_write(mqtt)) mosquitto_loop_write(mqtt, 1);
    mosquitto_loop_misc(mqtt);
    dbus_connection_flush(bus);
  }
}
