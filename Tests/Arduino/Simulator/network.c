/* SPDX-License-Identifier: GPL-3.0-or-later, as libsimavr, which this is linked with. See README.md. */
#include "simduino.h"

/*
 * A stand-in for a network shield: the firmware writes arguments to GPIOR0 and
 * a command to GPIOR1, then reads the status from GPIOR1 and bytes from GPIOR0.
 * Every address means 127.0.0.1; --net PORT=PORT maps a port to another.
 */

#define GPIOR0_ADDR 0x3E       /* on the ATmega328P and the ATmega2560 */
#define GPIOR1_ADDR 0x4A
#define NET_SOCKS 8

bool net_on;
static int net_sock[NET_SOCKS] = { -1, -1, -1, -1, -1, -1, -1, -1 };
struct port_map net_map[16];
int net_maps;
static uint8_t net_arg[256], net_res[256], net_status;
static unsigned net_args, net_res_len, net_res_at;

bool has_time_server = true;
int64_t time_offset;      /* between the machine's time and the network's, in seconds */

static int net_port(int port) {
    for (int i = 0; i < net_maps; i++)
        if (net_map[i].from == port) return net_map[i].to;
    return port;
}

static int net_free(void) {
    for (int i = 0; i < NET_SOCKS; i++)
        if (net_sock[i] < 0) return i;
    return 255;
}

static void net_command(uint8_t cmd) {
    unsigned slot = net_args ? net_arg[0] : 255;
    int fd = slot < NET_SOCKS ? net_sock[slot] : -1;
    int on = 1, n = 0;
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    net_res_len = net_res_at = 0;
    net_status = 0;
    switch (cmd) {
        case 'N':                                  /* is there a network? */
            net_res[net_res_len++] = 'S';
            net_status = 1;
            break;
        case 'C':                                  /* connect: address, port */
            net_status = 255;
            if (net_args != 6 || (n = net_free()) == 255) break;
            a.sin_port = htons(net_port(net_arg[4] | net_arg[5] << 8));
            fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            if (connect(fd, (struct sockaddr *)&a, sizeof a)) { close(fd); break; }
            setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            fcntl(fd, F_SETFL, O_NONBLOCK);
            net_sock[net_status = n] = fd;
            break;
        case 'L':                                  /* listen: port */
            net_status = 255;
            if (net_args != 2 || (n = net_free()) == 255) break;
            a.sin_port = htons(net_port(net_arg[0] | net_arg[1] << 8));
            fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
            setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
            if (bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 4)) {
                fprintf(stderr, "simduino: port %d: %s\n", ntohs(a.sin_port), strerror(errno));
                close(fd);
                break;
            }
            net_sock[net_status = n] = fd;
            break;
        case 'P':                                  /* accept */
            net_status = 255;
            if (fd < 0 || (n = net_free()) == 255) break;
            fd = tcp_accept(fd);
            if (fd >= 0) net_sock[net_status = n] = fd;
            break;
        case 'W':
            if (fd < 0 || net_args < 2) break;
            n = send(fd, net_arg + 1, net_args - 1, MSG_NOSIGNAL);
            net_status = n > 0 ? n : 0;
            break;
        case 'A':
            if (fd >= 0 && !ioctl(fd, FIONREAD, &n)) net_status = n < 255 ? n : 255;
            break;
        case 'R': case 'K':                        /* read, peek */
            if (fd < 0) break;
            n = recv(fd, net_res, cmd == 'K' ? 1 : net_args > 1 ? net_arg[1] : 1,
                     cmd == 'K' ? MSG_PEEK : 0);
            net_status = net_res_len = n > 0 ? n : 0;
            break;
        case 'O': {                                /* still connected? */
            char c;
            if (fd < 0) break;
            n = recv(fd, &c, 1, MSG_PEEK);
            net_status = n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
            break;
        }
        case 'S':
            if (fd >= 0) { close(fd); net_sock[slot] = -1; }
            break;
        case 'T': {                                /* a time server's: seconds since 1900 */
            if (!has_time_server) break;
            uint32_t seconds = (uint32_t)(time(NULL) + time_offset + 2208988800);
            for (int shift = 24; shift >= 0; shift -= 8) net_res[net_res_len++] = seconds >> shift;
            net_status = net_res_len;
            break;
        }
    }
}

static void net_write(avr_t *a, avr_io_addr_t addr, uint8_t v, void *param) {
    (void)param;
    a->data[addr] = v;
    if (addr == GPIOR0_ADDR) {
        if (net_args < sizeof net_arg) net_arg[net_args++] = v;
        return;
    }
    if (v) net_command(v);
    net_args = 0;
}

static uint8_t net_read(avr_t *a, avr_io_addr_t addr, void *param) {
    (void)param;
    uint8_t v = net_status;
    if (addr == GPIOR0_ADDR) v = net_res_at < net_res_len ? net_res[net_res_at++] : 0;
    return a->data[addr] = v;
}

void net_close(void) {
    for (int i = 0; i < NET_SOCKS; i++)
        if (net_sock[i] >= 0) { close(net_sock[i]); net_sock[i] = -1; }
}

void net_setup(void) {
    if (!net_on) return;
    for (int addr = GPIOR0_ADDR; addr; addr = addr == GPIOR0_ADDR ? GPIOR1_ADDR : 0) {
        avr_register_io_write(avr, addr, net_write, NULL);
        avr_register_io_read(avr, addr, net_read, NULL);
    }
}
