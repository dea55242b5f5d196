/* The tree of objects, as org.freedesktop.DBus.ObjectManager shows it, and the signals of its changes. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bluez.h"

typedef DBusMessageIter iterator;

static const char serviceUUID[] = "6e400001-b5a3-f393-e0a9-e50e24dcca9e";
static const char writeUUID[] = "6e400002-b5a3-f393-e0a9-e50e24dcca9e";
static const char notifyUUID[] = "6e400003-b5a3-f393-e0a9-e50e24dcca9e";

static const char *const tails[] = {
    [DEVICE] = "", [SERVICE] = "/service000a", [WRITE] = "/service000a/char000b", [NOTIFY] = "/service000a/char000d"};
static const char *const interfaces[] = {
    [ADAPTER] = ADAPTER_INTERFACE,
    [DEVICE] = DEVICE_INTERFACE,
    [SERVICE] = SERVICE_INTERFACE,
    [WRITE] = CHARACTERISTIC_INTERFACE,
    [NOTIFY] = CHARACTERISTIC_INTERFACE};

void object_path(char *path, const struct board *board, enum object object) {
  bool isAdapter = object == ADAPTER;
  snprintf(path, MAX_PATH, "%s%s", isAdapter ? ADAPTER_PATH : board->path, isAdapter ? "" : tails[object]);
}

enum object object_at(const char *path, struct board **board) {
  unsigned high, low;
  *board = NULL;
  if (!strcmp(path, "/")) return ROOT;
  if (!strcmp(path, ADAPTER_PATH)) return ADAPTER;
  if (sscanf(path, ADAPTER_PATH "/dev_C0_DE_00_00_%2x_%2x", &high, &low) != 2) return NOTHING;
  unsigned index = high << 8 | low;
  if (index >= (unsigned)boardCount || !boards[index].isPresent) return NOTHING;
  *board = &boards[index];
  const char *tail = path + strlen(boards[index].path);
  for (enum object object = DEVICE; object <= NOTIFY; object++)
    if (!strcmp(tail, tails[object]) && (object == DEVICE || boards[index].hasServices)) return object;
  return NOTHING;
}

/* MARK: properties */

static void append_property(iterator *properties, const char *name, int type, const void *value) {
  iterator entry, variant;
  const char signature[] = {(char)type, 0};
  dbus_message_iter_open_container(properties, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &variant);
  dbus_message_iter_append_basic(&variant, type, value);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(properties, &entry);
}

static void append_text(iterator *properties, const char *name, const char *text) {
  append_property(properties, name, DBUS_TYPE_STRING, &text);
}

static void append_path(iterator *properties, const char *name, const char *path) {
  append_property(properties, name, DBUS_TYPE_OBJECT_PATH, &path);
}

static void append_truth(iterator *properties, const char *name, bool isTrue) {
  dbus_bool_t value = isTrue;
  append_property(properties, name, DBUS_TYPE_BOOLEAN, &value);
}

static void append_texts(iterator *properties, const char *name, const char *text, ...) {
  iterator entry, variant, array;
  dbus_message_iter_open_container(properties, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &variant);
  dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "s", &array);
  va_list texts;
  va_start(texts, text);
  for (; text; text = va_arg(texts, const char *)) dbus_message_iter_append_basic(&array, DBUS_TYPE_STRING, &text);
  va_end(texts);
  dbus_message_iter_close_container(&variant, &array);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(properties, &entry);
}

/* a{qv} with the data of an iBeacon, and how strongly it was heard. */
static void append_advertisement(iterator *properties, const struct board *board) {
  iterator entry, variant, companies, company, data, array;
  const char *name = "ManufacturerData";
  const dbus_uint16_t apple = 0x004C;
  const int minor = (int)(board - boards);
  uint8_t bytes[23] = {0x02, 0x15};
  const uint8_t *start = bytes;
  memset(bytes + 2, 0xAB, 16);
  bytes[20] = (uint8_t)(minor >> 8);
  bytes[21] = (uint8_t)minor;
  bytes[22] = 0xC5;
  dbus_message_iter_open_container(properties, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "a{qv}", &variant);
  dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "{qv}", &companies);
  dbus_message_iter_open_container(&companies, DBUS_TYPE_DICT_ENTRY, NULL, &company);
  dbus_message_iter_append_basic(&company, DBUS_TYPE_UINT16, &apple);
  dbus_message_iter_open_container(&company, DBUS_TYPE_VARIANT, "ay", &data);
  dbus_message_iter_open_container(&data, DBUS_TYPE_ARRAY, "y", &array);
  dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &start, sizeof bytes);
  dbus_message_iter_close_container(&data, &array);
  dbus_message_iter_close_container(&company, &data);
  dbus_message_iter_close_container(&companies, &company);
  dbus_message_iter_close_container(&variant, &companies);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(properties, &entry);
}

static void append_properties(iterator *properties, const struct board *board, enum object object) {
  const dbus_uint16_t mtu = MTU;
  const dbus_int16_t strength = -60;
  char path[MAX_PATH];
  switch (object) {
    case ADAPTER:
      append_text(properties, "Address", "C0:DE:FF:00:00:01");
      append_text(properties, "AddressType", "public");
      append_text(properties, "Name", "benchmark");
      append_text(properties, "Alias", "benchmark");
      append_truth(properties, "Powered", true);
      append_truth(properties, "Discovering", isDiscovering);
      append_texts(properties, "Roles", "central", "peripheral", (char *)NULL);
      break;
    case DEVICE:
      append_text(properties, "Address", board->address);
      append_text(properties, "AddressType", "random");
      append_text(properties, "Name", board->name);
      append_text(properties, "Alias", board->name);
      append_truth(properties, "Paired", false);
      append_truth(properties, "Trusted", false);
      append_truth(properties, "Blocked", false);
      append_property(properties, "RSSI", DBUS_TYPE_INT16, &strength);
      if (areBeacons) append_advertisement(properties, board);
      append_truth(properties, "Connected", board->isConnected);
      append_texts(properties, "UUIDs", serviceUUID, (char *)NULL);
      append_path(properties, "Adapter", ADAPTER_PATH);
      append_truth(properties, "ServicesResolved", board->isConnected);
      break;
    case SERVICE:
      append_text(properties, "UUID", serviceUUID);
      append_path(properties, "Device", board->path);
      append_truth(properties, "Primary", true);
      break;
    case WRITE:
    case NOTIFY:
      object_path(path, board, SERVICE);
      append_text(properties, "UUID", object == WRITE ? writeUUID : notifyUUID);
      append_path(properties, "Service", path);
      append_property(properties, "MTU", DBUS_TYPE_UINT16, &mtu);
      if (object == WRITE) {
        append_texts(properties, "Flags", "write-without-response", "write", (char *)NULL);
        append_truth(properties, "WriteAcquired", board->writeDescriptor >= 0);
      } else {
        append_texts(properties, "Flags", "notify", (char *)NULL);
        append_truth(properties, "Notifying", is_notifying(board));
        append_truth(properties, "NotifyAcquired", board->notifyDescriptor >= 0);
      }
      break;
    default: break;
  }
}

/* The one interface of an object with its properties. */
static void append_interfaces(iterator *parent, const struct board *board, enum object object) {
  iterator all, entry, properties;
  dbus_message_iter_open_container(parent, DBUS_TYPE_ARRAY, "{sa{sv}}", &all);
  dbus_message_iter_open_container(&all, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &interfaces[object]);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_ARRAY, "{sv}", &properties);
  append_properties(&properties, board, object);
  dbus_message_iter_close_container(&entry, &properties);
  dbus_message_iter_close_container(&all, &entry);
  dbus_message_iter_close_container(parent, &all);
}

static void append_object(iterator *objects, const struct board *board, enum object object) {
  iterator entry;
  char path[MAX_PATH];
  const char *text = path;
  object_path(path, board, object);
  dbus_message_iter_open_container(objects, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_OBJECT_PATH, &text);
  append_interfaces(&entry, board, object);
  dbus_message_iter_close_container(objects, &entry);
}

void append_objects(DBusMessage *answer) {
  iterator arguments, objects;
  dbus_message_iter_init_append(answer, &arguments);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{oa{sa{sv}}}", &objects);
  append_object(&objects, NULL, ADAPTER);
  for (int i = 0; i < boardCount; i++) {
    if (!boards[i].isPresent) continue;
    append_object(&objects, &boards[i], DEVICE);
    for (enum object object = SERVICE; object <= NOTIFY && boards[i].hasServices; object++)
      append_object(&objects, &boards[i], object);
  }
  dbus_message_iter_close_container(&arguments, &objects);
}

/* MARK: signals */

void send_message(DBusMessage *message) {
  dbus_connection_send(bus, message, NULL);
  dbus_message_unref(message);
}

void send_added(struct board *board, enum object object) {
  DBusMessage *signal = dbus_message_new_signal("/", MANAGER_INTERFACE, "InterfacesAdded");
  iterator arguments;
  char path[MAX_PATH];
  const char *text = path;
  object_path(path, board, object);
  dbus_message_iter_init_append(signal, &arguments);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_OBJECT_PATH, &text);
  append_interfaces(&arguments, board, object);
  send_message(signal);
}

static DBusMessage *begin_change(const char *path, const char *interface, iterator *arguments, iterator *properties) {
  DBusMessage *signal = dbus_message_new_signal(path, PROPERTIES_INTERFACE, "PropertiesChanged");
  dbus_message_iter_init_append(signal, arguments);
  dbus_message_iter_append_basic(arguments, DBUS_TYPE_STRING, &interface);
  dbus_message_iter_open_container(arguments, DBUS_TYPE_ARRAY, "{sv}", properties);
  return signal;
}

static void end_change(iterator *arguments, iterator *properties) {
  iterator invalidated;
  dbus_message_iter_close_container(arguments, properties);
  dbus_message_iter_open_container(arguments, DBUS_TYPE_ARRAY, "s", &invalidated);
  dbus_message_iter_close_container(arguments, &invalidated);
}

void send_changed(const char *path, const char *interface, const char *property, bool value) {
  iterator arguments, properties;
  DBusMessage *signal = begin_change(path, interface, &arguments, &properties);
  append_truth(&properties, property, value);
  end_change(&arguments, &properties);
  send_message(signal);
}

void send_strength(const struct board *board, int16_t decibel) {
  iterator arguments, properties;
  DBusMessage *signal = begin_change(board->path, DEVICE_INTERFACE, &arguments, &properties);
  append_property(&properties, "RSSI", DBUS_TYPE_INT16, &decibel);
  if (areBeacons) append_advertisement(&properties, board);
  end_change(&arguments, &properties);
  send_message(signal);
}

DBusMessage *new_announcement(const struct board *board, const uint8_t *value, int size) {
  iterator arguments, properties, entry, variant, array;
  char path[MAX_PATH];
  const char *name = "Value";
  object_path(path, board, NOTIFY);
  DBusMessage *signal = begin_change(path, CHARACTERISTIC_INTERFACE, &arguments, &properties);
  dbus_message_iter_open_container(&properties, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &name);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "ay", &variant);
  dbus_message_iter_open_container(&variant, DBUS_TYPE_ARRAY, "y", &array);
  dbus_message_iter_append_fixed_array(&array, DBUS_TYPE_BYTE, &value, size);
  dbus_message_iter_close_container(&variant, &array);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(&properties, &entry);
  end_change(&arguments, &properties);
  return signal;
}
