/* A BlueZ that costs next to nothing, so that what is measured is the bridge: one adapter and many boards with the
 * Nordic UART service, on the bus that DBUS_SYSTEM_BUS_ADDRESS names. It models what a bridge calls when all goes well,
 * and no radio. */
#pragma once
#include <dbus/dbus.h>
#include <stdbool.h>
#include <stdint.h>

#include "../common.h"

#define ADAPTER_PATH "/org/bluez/hci0"
#define ADAPTER_INTERFACE "org.bluez.Adapter1"
#define DEVICE_INTERFACE "org.bluez.Device1"
#define SERVICE_INTERFACE "org.bluez.GattService1"
#define CHARACTERISTIC_INTERFACE "org.bluez.GattCharacteristic1"
#define PROPERTIES_INTERFACE "org.freedesktop.DBus.Properties"
#define MANAGER_INTERFACE "org.freedesktop.DBus.ObjectManager"

enum { MAX_BOARDS = 1024, MTU = 247, MAX_PATH = 160, MAX_VALUE = 512 };

/* What a path names. The last four are below a board. */
enum object { NOTHING, ROOT, ADAPTER, DEVICE, SERVICE, WRITE, NOTIFY };

struct board {
  char address[18], name[16], path[64];
  /* Has advertised; its services are known since it was connected once. */
  bool isPresent, isConnected, hasServices;
  /* Notifications are announced on the bus (StartNotify). */
  bool isAnnouncing;
  /* Of AcquireNotify and AcquireWrite; −1 without. */
  int notifyDescriptor, writeDescriptor;
  /* A marshalled announcement, and where in it the value of MARKER_SIZE bytes is. */
  char *announcement;
  int announcementSize, announcementValue;
};

extern DBusConnection *bus;
extern struct board boards[MAX_BOARDS];
extern int boardCount;
extern bool isDiscovering;
/* The boards are iBeacons, told by their place. */
extern bool areBeacons;

/* objects.c: the tree and its signals */
void object_path(char *path, const struct board *board, enum object object);
enum object object_at(const char *path, struct board **board);
void append_objects(DBusMessage *answer);
void send_added(struct board *board, enum object object);
void send_changed(const char *path, const char *interface, const char *property, bool value);
void send_strength(const struct board *board, int16_t decibel);
DBusMessage *new_announcement(const struct board *board, const uint8_t *value, int size);
void send_message(DBusMessage *message);

/* methods.c: what a bridge calls */
DBusHandlerResult handle_message(DBusConnection *connection, DBusMessage *message, void *context);

/* traffic.c: values from and to the boards */
bool is_notifying(const struct board *board);
void notify_begin(uint64_t count, double perSecond, const char *text);
uint64_t notify_wait(uint64_t now);
void notify_due(void);
void take_write(const uint8_t *value, int size);
void read_writes(struct board *board);
void traffic_reset(void);
void answer_status(void);
void answer_writes(void);
void answer_throttles(void);
