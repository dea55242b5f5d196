// The MQTT client library. libmosquitto has no module map of its own.
#include <mosquitto.h>
#include <mqtt_protocol.h>
// What a message of the library's costs after it is freed; Swift's Glibc does not have it.
#include <malloc.h>
