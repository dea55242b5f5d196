/* SPDX-License-Identifier: GPL-3.0-or-later, as libsimavr, which this is linked with. See README.md. */
/* The control protocol: one command a line, as README.md lists them. */
#include "simduino.h"

static bool number(const char *s, long lo, long hi, long *out) {
    if (!s) return false;
    char *end;
    *out = strtol(s, &end, 0);
    return end != s && !*end && *out >= lo && *out <= hi;
}

static int unhex(const char *s, uint8_t *out, int max) {
    int n = 0;
    for (; s[0] && s[1]; s += 2, n++) {
        unsigned v;
        if (n == max || !isxdigit((unsigned char)s[0]) || !isxdigit((unsigned char)s[1]) ||
            sscanf(s, "%2x", &v) != 1) return -1;
        out[n] = v;
    }
    return *s ? -1 : n;
}

const char *state_name(void) {
    if (paused) return "paused";
    switch (avr->state) {
        case cpu_Done: return "done";
        case cpu_Crashed: return "crashed";
        case cpu_Sleeping: return "sleeping";
        default: return "running";
    }
}

void command(struct client *c, char *line) {
    char *w[MAX_WAVE + 2] = { 0 };
    int n = 0;
    for (char *t = strtok(line, " \t\r"); t && n < (int)LEN(w) - 1; t = strtok(NULL, " \t\r"))
        w[n++] = t;
    if (!n) return;
    long a, b;
    struct pin *p;
    char name[8];

    if (!strcmp(w[0], "set") && n == 3) {
        if (!(p = pin_find(w[1]))) { reply(c, "err no pin %s", w[1]); return; }
        if (strcmp(w[2], "0") && strcmp(w[2], "1") && strcmp(w[2], "z")) {
            reply(c, "err level is 0, 1 or z"); return;
        }
        p->driven = w[2][0] != 'z';
        p->level = w[2][0] == '1';
        pin_apply(p);
        reply(c, "ok");
    } else if (!strcmp(w[0], "get") && n == 2) {
        if (!(p = pin_find(w[1]))) { reply(c, "err no pin %s", w[1]); return; }
        uint8_t m = 1 << p->bit;
        bool out = avr->data[p->port->r_ddr] & m, port = avr->data[p->port->r_port] & m;
        reply(c, "ok %s %s %d", pin_name(p, name), out ? "out" : port ? "in-pullup" : "in",
              p->now);
    } else if (!strcmp(w[0], "pulse") && n == 2) {
        if (!(p = pin_find(w[1]))) { reply(c, "err no pin %s", w[1]); return; }
        reply(c, "ok %s high_us=%.2f period_us=%.2f edges=%" PRIu64 " level=%d",
              pin_name(p, name), us(p->high), us(p->period), p->edges, p->now);
    } else if (!strcmp(w[0], "pwm") && n == 2) {
        /* What analogWrite() put in the timer; simavr makes edges for some modes only. */
        if (!(p = pin_find(w[1]))) { reply(c, "err no pin %s", w[1]); return; }
        for (avr_io_t *io = avr->io_port; io; io = io->next) {
            if (strcmp(io->kind, "timer")) continue;
            avr_timer_t *t = (avr_timer_t *)io;
            for (int i = 0; i < AVR_TIMER_COMP_COUNT; i++) {
                avr_timer_comp_t *m = &t->comp[i];
                if (!m->r_ocr || m->com_pin.reg != p->port->r_port || (int)m->com_pin.bit != p->bit)
                    continue;
                unsigned ocr = avr->data[m->r_ocr] | (m->r_ocrh ? avr->data[m->r_ocrh] << 8 : 0);
                if (avr_regbit_get(avr, m->com)) {
                    reply(c, "ok %s on %u", pin_name(p, name), ocr);
                    return;
                }
            }
        }
        reply(c, "ok %s off %d", pin_name(p, name), p->now);
    } else if ((!strcmp(w[0], "watch") || !strcmp(w[0], "unwatch")) && n == 2) {
        if (!(p = pin_find(w[1]))) { reply(c, "err no pin %s", w[1]); return; }
        p->watch = w[0][0] == 'w';
        reply(c, "ok");
    } else if (!strcmp(w[0], "wave") && n >= 3) {
        /* wave PIN LEVEL:US LEVEL:US ... ; the pin keeps the last level */
        if (!(p = pin_find(w[1]))) { reply(c, "err no pin %s", w[1]); return; }
        p->wave_len = p->wave_at = 0;
        for (int i = 2; i < n; i++) {
            double t;
            int l;
            if (sscanf(w[i], "%d:%lf", &l, &t) != 2 || l < 0 || l > 1 || t <= 0 || t > 1e7) {
                p->wave_len = 0;
                reply(c, "err bad step %s", w[i]);
                return;
            }
            p->wave[p->wave_len].level = l;
            p->wave[p->wave_len++].cycles = t * avr->frequency / 1e6 + 0.5;
        }
        avr_cycle_timer_cancel(avr, wave_step, p);
        avr_cycle_timer_register(avr, 16, wave_step, p);
        reply(c, "ok");
    } else if (!strcmp(w[0], "adc") && n == 3) {
        char *s = w[1];
        if (toupper(*s) == 'A') s++;
        bool raw = !strncmp(w[2], "raw=", 4);
        if (!adc_irq || !number(s, 0, 15, &a) || !number(w[2] + (raw ? 4 : 0), 0, raw ? 1023 : 6000, &b)) {
            reply(c, "err adc CHANNEL 0..6000 (mV) or raw=0..1023"); return;
        }
        /* the smallest whole mV that converts to this value, reference = AVCC */
        if (raw) b = (b * (long)avr->avcc + 1022) / 1023;
        adc_set(a, b);
        reply(c, "ok");
    } else if (!strcmp(w[0], "eeprom") && n == 4 && !strcmp(w[1], "read")) {
        if (!number(w[2], 0, eeprom_size - 1, &a) || !number(w[3], 1, eeprom_size - a, &b)) {
            reply(c, "err out of range"); return;
        }
        uint8_t *all = malloc(eeprom_size);
        char *hex = malloc(2 * b + 1);
        eeprom_get(all);
        hex[0] = 0;
        for (long i = 0; i < b; i++) sprintf(hex + 2 * i, "%02x", all[a + i]);
        reply(c, "ok %s", hex);
        free(hex);
        free(all);
    } else if (!strcmp(w[0], "eeprom") && n == 4 && !strcmp(w[1], "write")) {
        uint8_t data[4096];
        int len;
        if (!number(w[2], 0, eeprom_size - 1, &a) || (len = unhex(w[3], data, sizeof data)) < 1 ||
            a + len > (long)eeprom_size) {
            reply(c, "err out of range or no hex"); return;
        }
        avr_eeprom_desc_t d = { .ee = data, .offset = a, .size = len };
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &d);
        reply(c, "ok");
    } else if (!strcmp(w[0], "i2c") && n == 5) {
        /* i2c read ADDRESS REGISTER COUNT | i2c write ADDRESS REGISTER HEX */
        struct i2c_dev *d = NULL;
        if (number(w[2], 0, 127, &a))
            for (int i = 0; i < i2c_count; i++)
                if (i2c[i].address == a) d = &i2c[i];
        if (!d || !number(w[3], 0, 255, &a)) { reply(c, "err no such device or register"); return; }
        if (!strcmp(w[1], "write")) {
            uint8_t data[256];
            int len = unhex(w[4], data, sizeof data);
            if (len < 1) { reply(c, "err no hex"); return; }
            for (int i = 0; i < len; i++) d->reg[(a + i) & 255] = data[i];
            reply(c, "ok");
        } else {
            char hex[513] = "";
            if (!number(w[4], 1, 256, &b)) { reply(c, "err count"); return; }
            for (int i = 0; i < b; i++) sprintf(hex + 2 * i, "%02x", d->reg[(a + i) & 255]);
            reply(c, "ok %s", hex);
        }
    } else if (!strcmp(w[0], "clock") && n == 2) {
        /* what a time server says from now on: seconds since 1970, or nothing */
        has_time_server = strcmp(w[1], "off") != 0;
        if (has_time_server && !number(w[1], 1, 0xFFFFFFFFL, &a)) {
            reply(c, "err clock SECONDS|off"); return;
        }
        if (has_time_server) time_offset = a - time(NULL);
        reply(c, "ok");
    } else if (!strcmp(w[0], "reset") && n == 1) {
        avr_reset(avr);
        stopped_told = false;
        rebase();
        reply(c, "ok");
    } else if (!strcmp(w[0], "pause") && n == 1) {
        paused = true;
        reply(c, "ok");
    } else if (!strcmp(w[0], "resume") && n == 1) {
        paused = false;
        rebase();
        reply(c, "ok");
    } else if (!strcmp(w[0], "run") && n == 2) {
        /* while paused: run for so many ms of the firmware's time, unpaced */
        char *end;
        double ms = strtod(w[1], &end);
        if (!paused || end == w[1] || *end || ms <= 0 || ms > 3.6e6 || run_until) {
            reply(c, "err run MS works while paused"); return;
        }
        run_until = avr->cycle + (uint64_t)(ms * avr->frequency / 1000);
        run_client = c - clients;
    } else if (!strcmp(w[0], "stat") && n == 1) {
        struct rusage r;
        getrusage(RUSAGE_SELF, &r);
        reply(c, "ok state=%s cycle=%" PRIu64 " ms=%.3f cpu_ms=%ld sleep_pct=%.1f lag_ms=%.1f"
              " resets=%" PRIu64 " rx=%" PRIu64 " tx=%" PRIu64 " dropped=%" PRIu64,
              state_name(), (uint64_t)avr->cycle, us(avr->cycle) / 1000,
              (r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000 +
              (r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1000,
              avr->cycle ? 100.0 * slept / avr->cycle : 0, lagged_ns / 1e6, resets,
              uarts[0].rx_bytes, uarts[0].tx_bytes, uarts[0].dropped);
    } else if (!strcmp(w[0], "quit") && n == 1) {
        reply(c, "ok");
        quit = 1;
    } else reply(c, "err unknown command or wrong number of words: %s", w[0]);
}

void client_in(struct client *c) {
    char buf[4096];
    ssize_t n = read(c->in, buf, sizeof buf);
    if (n <= 0) {
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (c->in == 0) quit = 1;                  /* whoever started it is gone */
        client_close(c);
        return;
    }
    for (ssize_t i = 0; i < n; i++) {
        if (buf[i] == '\n') {
            c->line[c->len] = 0;
            if (c->too_long) reply(c, "err line too long");
            else command(c, c->line);
            c->len = 0;
            c->too_long = false;
        } else if (c->len < sizeof c->line - 1) c->line[c->len++] = buf[i];
        else c->too_long = true;
    }
}
