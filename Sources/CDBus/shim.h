// libdbus. Swift cannot import its DBUS_TYPE_* macros, which are casts of character constants.
#include <dbus/dbus.h>

static const int dbusTypeInvalid = DBUS_TYPE_INVALID;
static const int dbusTypeByte = DBUS_TYPE_BYTE;
static const int dbusTypeBoolean = DBUS_TYPE_BOOLEAN;
static const int dbusTypeInt16 = DBUS_TYPE_INT16;
static const int dbusTypeUInt16 = DBUS_TYPE_UINT16;
static const int dbusTypeInt32 = DBUS_TYPE_INT32;
static const int dbusTypeUInt32 = DBUS_TYPE_UINT32;
static const int dbusTypeInt64 = DBUS_TYPE_INT64;
static const int dbusTypeUInt64 = DBUS_TYPE_UINT64;
static const int dbusTypeDouble = DBUS_TYPE_DOUBLE;
static const int dbusTypeString = DBUS_TYPE_STRING;
static const int dbusTypeObjectPath = DBUS_TYPE_OBJECT_PATH;
static const int dbusTypeSignature = DBUS_TYPE_SIGNATURE;
static const int dbusTypeDescriptor = DBUS_TYPE_UNIX_FD;
static const int dbusTypeArray = DBUS_TYPE_ARRAY;
static const int dbusTypeVariant = DBUS_TYPE_VARIANT;
static const int dbusTypeStructure = DBUS_TYPE_STRUCT;
static const int dbusTypeDictionaryEntry = DBUS_TYPE_DICT_ENTRY;
