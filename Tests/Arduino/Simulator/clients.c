/* SPDX-License-Identifier: GPL-3.0-or-later, as libsimavr, which this is linked with. See README.md. */
/* Who speaks the control protocol, and what is said to them. */
#include "simduino.h"

void client_close(struct client *c) {
    if (c->in < 0) return;
    if (c->in > 2) close(c->in);
    c->in = c->out = -1;
    c->len = 0;
}

static void send_all(int fd, const char *s, size_t n) {
    while (n) {
        ssize_t w = write(fd, s, n);
        if (w < 0) {
            if (errno == EINTR) continue;
            if (errno != EAGAIN) return;
            struct pollfd p = { fd, POLLOUT, 0 };
            if (poll(&p, 1, 200) <= 0) return;   /* a reader who does not read */
            continue;
        }
        s += w;
        n -= w;
    }
}

void reply(struct client *c, const char *fmt, ...) {
    char buf[8300];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(buf, sizeof buf - 1, fmt, ap);
    va_end(ap);
    if (n > (int)sizeof buf - 2) n = sizeof buf - 2;
    buf[n++] = '\n';
    if (c->out >= 0) send_all(c->out, buf, n);
}

void event(const char *fmt, ...) {
    char buf[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(buf, sizeof buf, fmt, ap);
    va_end(ap);
    for (unsigned i = 0; i < LEN(clients); i++)
        if (clients[i].in >= 0) reply(&clients[i], "event %s", buf);
}
