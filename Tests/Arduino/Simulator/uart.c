/* SPDX-License-Identifier: GPL-3.0-or-later, as libsimavr, which this is linked with. See README.md. */
/* Serial ports as pseudo terminals, TCP ports or standard input and output. */
#include "simduino.h"

void uart_tell_open(struct uart *u, bool open) {
    if (u->open == open) return;
    u->open = open;
    u->out_len = 0;
    if (!open) u->in_head = u->in_tail = 0;
    event("uart%d %s", u->index, open ? "open" : "closed");
    if (open && reset_on_open) avr_reset(avr);
}

static avr_cycle_count_t uart_feed(avr_t *a, avr_cycle_count_t when, void *param) {
    struct uart *u = param;
    if (u->in_head == u->in_tail) return 0;
    uint64_t gap = u->io->cycles_per_byte ? u->io->cycles_per_byte : a->frequency / 1000;
    if (!avr_regbit_get(a, u->io->rxen)) {
        /* Bytes which come while the receiver is off are lost, as on a board. */
        u->in_tail++;
        u->dropped++;
    } else if (!u->xoff) {
        unsigned char byte = u->in[u->in_tail++ % sizeof u->in];
        u->rx_bytes++;
        avr_raise_irq(u->irq + UART_IRQ_INPUT, byte);
    }
    return when + gap;
}

static void uart_out(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    struct uart *u = param;
    u->tx_bytes++;
    if (!u->open || u->out_len == sizeof u->out) { u->dropped++; return; }
    u->out[u->out_len++] = value;
}

static void uart_xon(avr_irq_t *irq, uint32_t v, void *param) {
    (void)irq;
    if (v) ((struct uart *)param)->xoff = false;
}

static void uart_xoff(avr_irq_t *irq, uint32_t v, void *param) {
    (void)irq;
    if (v) ((struct uart *)param)->xoff = true;
}

void uart_flush(struct uart *u) {
    if (!u->open || !u->out_len) return;
    int fd = u->kind == UART_STDIO ? 1 : u->fd;
    ssize_t w = write(fd, u->out, u->out_len);
    if (w < 0) {
        if (errno == EAGAIN || errno == EINTR) return;
        if (u->kind == UART_TCP) { close(u->fd); u->fd = -1; uart_tell_open(u, false); }
        u->out_len = 0;
        return;
    }
    memmove(u->out, u->out + w, u->out_len - w);
    u->out_len -= w;
}

void uart_in(struct uart *u) {
    unsigned char buf[4096];
    unsigned space = sizeof u->in - (u->in_head - u->in_tail);
    if (!space) return;                    /* leave it in the kernel: back pressure */
    int fd = u->kind == UART_STDIO ? 0 : u->fd;
    ssize_t n = read(fd, buf, space < sizeof buf ? space : sizeof buf);
    if (n <= 0) {
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (u->kind == UART_TCP) { close(u->fd); u->fd = -1; }
        if (u->kind == UART_STDIO) u->fd = -1; else uart_tell_open(u, false);
        return;
    }
    for (ssize_t i = 0; i < n; i++) u->in[u->in_head++ % sizeof u->in] = buf[i];
    if (!avr_cycle_timer_status(avr, uart_feed, u))
        avr_cycle_timer_register(avr, 1, uart_feed, u);
}

int tcp_listen(const char *what, int port) {
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int on = 1;
    struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof a;
    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (s < 0 || bind(s, (struct sockaddr *)&a, sizeof a) || listen(s, 4) ||
        getsockname(s, (struct sockaddr *)&a, &len))
        die("%s: port %d: %s", what, port, strerror(errno));
    printf("%s tcp 127.0.0.1:%d\n", what, ntohs(a.sin_port));
    return s;
}

int tcp_accept(int listener) {
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    int on = 1;
    if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

void uart_setup(const char *spec) {
    if (spec[0] < '0' || spec[0] >= '0' + MAX_UARTS || spec[1] != '=')
        die("--uart wants N=pty[:LINK], N=tcp:PORT or N=stdio");
    struct uart *u = &uarts[spec[0] - '0'];
    const char *s = spec + 2;
    char what[20];
    u->index = spec[0] - '0';
    u->fd = u->listener = -1;
    sprintf(what, "uart%d", u->index);
    if (!strncmp(s, "tcp:", 4)) {
        u->kind = UART_TCP;
        u->listener = tcp_listen(what, atoi(s + 4));
    } else if (!strcmp(s, "stdio")) {
        u->kind = UART_STDIO;
        u->fd = 0;
        u->open = true;
    } else if (!strncmp(s, "pty", 3) && (!s[3] || s[3] == ':')) {
        char name[128];
        int slave;
        struct termios t;
        u->kind = UART_PTY;
        if (openpty(&u->fd, &slave, name, NULL, NULL)) die("pty: %s", strerror(errno));
        tcgetattr(slave, &t);
        cfmakeraw(&t);
        tcsetattr(slave, TCSANOW, &t);
        close(slave);                      /* from here on poll() tells who is there */
        fcntl(u->fd, F_SETFL, O_NONBLOCK);
        fcntl(u->fd, F_SETFD, FD_CLOEXEC);
        if (s[3]) {
            snprintf(u->link, sizeof u->link, "%s", s + 4);
            unlink(u->link);
            if (symlink(name, u->link)) die("%s: %s", u->link, strerror(errno));
        }
        printf("%s pty %s\n", what, u->link[0] ? u->link : name);
    } else die("--uart: unknown kind %s", s);
}

void uart_attach(struct uart *u) {
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart") && ((avr_uart_t *)io)->name == '0' + u->index)
            u->io = (avr_uart_t *)io;
    u->irq = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0' + u->index), 0);
    if (!u->io || !u->irq) {
        if (u->kind) die("%s has no UART %d", avr->mmcu, u->index);
        return;
    }
    u->io->flags = 0;                      /* neither print nor sleep by itself */
    if (!u->kind) return;
    avr_irq_register_notify(u->irq + UART_IRQ_OUTPUT, uart_out, u);
    avr_irq_register_notify(u->irq + UART_IRQ_OUT_XON, uart_xon, u);
    avr_irq_register_notify(u->irq + UART_IRQ_OUT_XOFF, uart_xoff, u);
}
