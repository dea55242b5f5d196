// libdbus. Swift cannot import its DBUS_TYPE_* macros, which are casts of character constants.
#include <dbus/dbus.h>
