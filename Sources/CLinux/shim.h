// What Linux offers and Swift's Glibc module does not import.
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <termios.h>

// GNU extensions: the Glibc module is built without them.
int accept4(int descriptor, struct sockaddr *address, socklen_t *size, int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
