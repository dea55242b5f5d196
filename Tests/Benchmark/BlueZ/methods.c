/* What a bridge calls. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bluez.h"

static void answer_nothing(DBusMessage *call) {
  if (!dbus_message_get_no_reply(call)) send_message(dbus_message_new_method_return(call));
}

static void answer_error(DBusMessage *call, const char *name, const char *words) {
  if (!dbus_message_get_no_reply(call)) send_message(dbus_message_new_error(call, name, words));
}

static void close_descriptor(int *descriptor) {
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
}

static void set_discovering(bool isOn) {
  if (isDiscovering == isOn) return;
  isDiscovering = isOn;
  send_changed(ADAPTER_PATH, ADAPTER_INTERFACE, "Discovering", isOn);
  for (int i = 0; i < boardCount && isOn; i++) {
    if (boards[i].isPresent) continue;
    boards[i].isPresent = true;
    send_added(&boards[i], DEVICE);
  }
}

static void connect_board(struct board *board) {
  if (board->isConnected) return;
  board->isConnected = true;
  send_changed(board->path, DEVICE_INTERFACE, "Connected", true);
  if (!board->hasServices) {
    board->hasServices = true;
    for (enum object object = SERVICE; object <= NOTIFY; object++) send_added(board, object);
  }
  send_changed(board->path, DEVICE_INTERFACE, "ServicesResolved", true);
}

static void disconnect_board(struct board *board) {
  if (!board->isConnected) return;
  board->isConnected = board->isAnnouncing = false;
  close_descriptor(&board->notifyDescriptor);
  close_descriptor(&board->writeDescriptor);
  send_changed(board->path, DEVICE_INTERFACE, "ServicesResolved", false);
  send_changed(board->path, DEVICE_INTERFACE, "Connected", false);
}

static void acquire(DBusMessage *call, struct board *board, int *descriptor, const char *property, enum object object) {
  int pair[2];
  char path[MAX_PATH];
  const dbus_uint16_t mtu = MTU;
  if (*descriptor >= 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair))
    return answer_error(call, "org.bluez.Error.NotPermitted", "Acquired already");
  DBusMessage *answer = dbus_message_new_method_return(call);
  dbus_message_append_args(answer, DBUS_TYPE_UNIX_FD, &pair[1], DBUS_TYPE_UINT16, &mtu, DBUS_TYPE_INVALID);
  close(pair[1]);
  *descriptor = pair[0];
  send_message(answer);
  object_path(path, board, object);
  send_changed(path, CHARACTERISTIC_INTERFACE, property, true);
}

static void start_notify(DBusMessage *call, struct board *board) {
  char path[MAX_PATH];
  if (is_notifying(board)) return answer_error(call, "org.bluez.Error.InProgress", "Notifying already");
  board->isAnnouncing = true;
  answer_nothing(call);
  object_path(path, board, NOTIFY);
  send_changed(path, CHARACTERISTIC_INTERFACE, "Notifying", true);
}

static void write_value(DBusMessage *call) {
  DBusMessageIter arguments, array;
  const uint8_t *value;
  int size;
  dbus_message_iter_init(call, &arguments);
  dbus_message_iter_recurse(&arguments, &array);
  dbus_message_iter_get_fixed_array(&array, &value, &size);
  take_write(value, size);
  answer_nothing(call);
}

static void handle_adapter(DBusMessage *call, const char *member) {
  if (!strcmp(member, "StartDiscovery")) {
    answer_nothing(call);
    set_discovering(true);
  } else if (!strcmp(member, "StopDiscovery")) {
    set_discovering(false);
    answer_nothing(call);
  } else {
    answer_nothing(call);
  }
}

static void handle_device(DBusMessage *call, const char *member, struct board *board) {
  if (!strcmp(member, "Connect")) connect_board(board);
  if (!strcmp(member, "Disconnect")) disconnect_board(board);
  answer_nothing(call);
}

static void handle_characteristic(DBusMessage *call, const char *member, struct board *board, enum object object) {
  if (object == WRITE && !strcmp(member, "WriteValue")) {
    write_value(call);
  } else if (object == WRITE && !strcmp(member, "AcquireWrite")) {
    acquire(call, board, &board->writeDescriptor, "WriteAcquired", WRITE);
  } else if (object == NOTIFY && !strcmp(member, "AcquireNotify")) {
    acquire(call, board, &board->notifyDescriptor, "NotifyAcquired", NOTIFY);
  } else if (object == NOTIFY && !strcmp(member, "StartNotify")) {
    start_notify(call, board);
  } else if (object == NOTIFY && !strcmp(member, "StopNotify")) {
    board->isAnnouncing = false;
    answer_nothing(call);
  } else {
    answer_error(call, DBUS_ERROR_UNKNOWN_METHOD, member);
  }
}

static void handle_call(DBusMessage *call) {
  const char *member = dbus_message_get_member(call);
  struct board *board;
  enum object object = object_at(dbus_message_get_path(call), &board);
  if (object == ROOT && !strcmp(member, "GetManagedObjects")) {
    DBusMessage *answer = dbus_message_new_method_return(call);
    append_objects(answer);
    send_message(answer);
  } else if (object == ADAPTER) {
    handle_adapter(call, member);
  } else if (object == DEVICE) {
    handle_device(call, member, board);
  } else if (object == WRITE || object == NOTIFY) {
    handle_characteristic(call, member, board, object);
  } else {
    answer_error(call, DBUS_ERROR_UNKNOWN_OBJECT, "No such object");
  }
}

DBusHandlerResult handle_message(DBusConnection *connection, DBusMessage *message, void *context) {
  (void)connection, (void)context;
  if (dbus_message_get_type(message) != DBUS_MESSAGE_TYPE_METHOD_CALL) return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
  handle_call(message);
  return DBUS_HANDLER_RESULT_HANDLED;
}
