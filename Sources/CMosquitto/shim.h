// The MQTT client library. libmosquitto has no module map of its own.
#include <mosquitto.h>
#include <mqtt_protocol.h>
