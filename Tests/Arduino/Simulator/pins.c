/* SPDX-License-Identifier: GPL-3.0-or-later, as libsimavr, which this is linked with. See README.md. */
/* The board's pins, by the names that are printed beside them. */
#include "simduino.h"

const char *pin_name(const struct pin *p, char *out) {
    if (board) {
        const char *maps[] = { board->digital, board->analog };
        for (int m = 0; m < 2; m++)
            for (int i = 0; maps[m][2 * i]; i++)
                if (maps[m][2 * i] == p->letter && maps[m][2 * i + 1] == '0' + p->bit) {
                    sprintf(out, "%c%d", m ? 'A' : 'D', i);
                    return out;
                }
    }
    sprintf(out, "P%c%d", p->letter, p->bit);
    return out;
}

struct pin *pin_find(const char *s) {
    char letter = 0;
    int bit = 0;
    if (toupper(s[0]) == 'P' && isalpha((unsigned char)s[1]) && s[2] >= '0' && s[2] <= '7' && !s[3]) {
        letter = toupper(s[1]);
        bit = s[2] - '0';
    } else if (board) {
        const char *map = board->digital;
        if (toupper(s[0]) == 'A') { map = board->analog; s++; }
        else if (toupper(s[0]) == 'D') s++;
        char *end;
        long n = strtol(s, &end, 10);
        if (end == s || *end || n < 0 || (size_t)n >= strlen(map) / 2) return NULL;
        letter = map[2 * n];
        bit = map[2 * n + 1] - '0';
    }
    if (letter < 'A' || letter > 'P') return NULL;
    struct pin *p = &pins[letter - 'A'][bit];
    return p->port ? p : NULL;
}

void pin_notify(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    struct pin *p = param;
    bool level = value & 1;
    if (level == p->now) return;
    p->now = level;
    p->edges++;
    if (level) {
        if (p->rise) p->period = avr->cycle - p->rise;
        p->rise = avr->cycle;
    } else {
        if (p->rise) p->high = avr->cycle - p->rise;
        p->fall = avr->cycle;
    }
    if (p->watch) {
        char name[8];
        event("%s %d %.4f", pin_name(p, name), level, us(avr->cycle));
    }
}

/* Puts the levels which come from outside into the input register. */
void pin_apply(struct pin *p) {
    avr_ioport_external_t e = { .name = p->letter };
    uint8_t mask = 0, value = 0;
    for (int b = 0; b < 8; b++) {
        struct pin *q = &pins[p->letter - 'A'][b];
        if (q->driven) {
            mask |= 1 << b;
            if (q->level) value |= 1 << b;
        }
    }
    e.mask = mask;
    e.value = value;
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(p->letter), &e);
    bool out = avr->data[p->port->r_ddr] & (1 << p->bit);
    if (out) return;                       /* the firmware drives it */
    bool pullup = avr->data[p->port->r_port] & (1 << p->bit);
    avr_raise_irq(p->port->io.irq + IOPORT_IRQ_PIN0 + p->bit,
                  p->driven ? p->level : pullup);
}

avr_cycle_count_t wave_step(avr_t *a, avr_cycle_count_t when, void *param) {
    (void)a;
    struct pin *p = param;
    if (p->wave_at >= p->wave_len) { p->wave_len = 0; return 0; }
    p->driven = true;
    p->level = p->wave[p->wave_at].level;
    pin_apply(p);
    return when + p->wave[p->wave_at++].cycles;
}

/* Runs inside every reset, the watchdog's too. */
void on_reset(avr_t *a) {
    if (core_reset) core_reset(a);
    for (int l = 0; l < 16; l++)
        for (int b = 0; b < 8; b++) {
            struct pin *p = &pins[l][b];
            if (p->port && p->driven && p->level) a->data[p->port->r_pin] |= 1 << b;
            p->wave_len = 0;
            p->rise = p->fall = 0;
        }
    for (unsigned i = 0; i < LEN(uarts); i++) uarts[i].xoff = false;
    net_close();
    resets++;
    event("reset %" PRIu64, resets);
}
