/* SPDX-License-Identifier: GPL-3.0-or-later, as libsimavr, which this is linked with. See README.md. */
/* What the parts of the simulator share. */
#pragma once

#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_io.h>
#include <simavr/sim_cycle_timers.h>
#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_timer.h>
#include <simavr/avr_twi.h>
#include <simavr/avr_uart.h>
#define LEN(a) (sizeof(a) / sizeof *(a))
#define MAX_UARTS 4
#define MAX_CLIENTS 4
#define MAX_I2C 4
#define MAX_WAVE 512

struct board {
    const char *name, *mcu;
    const char *digital;   /* "D0 D1 ..." as port letter + bit */
    const char *analog;    /* A0, A1, ...; "--" = ADC input only */
};

struct pin {
    bool driven, level;          /* what the outside puts on it */
    bool watch;
    bool now;                    /* last level seen */
    uint64_t rise, fall;         /* cycle of the last edges */
    uint64_t high, period;       /* of the last whole pulse, in cycles */
    uint64_t edges;
    avr_ioport_t *port;
    char letter;
    int bit;
    struct { bool level; uint64_t cycles; } wave[MAX_WAVE];
    int wave_len, wave_at;
};

enum uart_kind { UART_NONE, UART_PTY, UART_TCP, UART_STDIO };

struct uart {
    enum uart_kind kind;
    int index;
    int fd;                      /* pty master or the client's socket */
    int listener;
    bool open;                   /* somebody is at the other end */
    char link[256];
    avr_uart_t *io;
    avr_irq_t *irq;
    bool xoff;
    unsigned char in[1 << 16];   /* host -> firmware */
    unsigned in_head, in_tail;
    unsigned char out[1 << 16];  /* firmware -> host */
    unsigned out_len;
    uint64_t rx_bytes, tx_bytes, dropped;
};

struct client {
    int in, out;                 /* -1: free */
    char line[8192];
    unsigned len;
    bool too_long;
};

struct i2c_dev {
    int address;
    uint8_t reg[256];
    uint8_t at;
    bool selected, want_reg;
};

extern bool net_on;
extern struct port_map { int from, to; } net_map[16];
extern int net_maps;
extern bool has_time_server;
extern int64_t time_offset;      /* between the machine's time and the network's, in seconds */
extern avr_t *avr;
extern const struct board *board;
extern struct pin pins[16][8];           /* port 'A'..'P' */
extern struct uart uarts[MAX_UARTS];
extern struct client clients[MAX_CLIENTS];
extern struct i2c_dev i2c[MAX_I2C];
extern int i2c_count;
extern avr_irq_t *twi_irq;
extern avr_irq_t *adc_irq;
extern avr_adc_t *adc;
extern uint32_t adc_mv[16];
extern const char *eeprom_file;
extern uint8_t *eeprom_saved;
extern uint32_t eeprom_size;
extern void (*core_reset)(avr_t *);
extern uint64_t slept;                   /* cycles spent sleeping */
extern uint64_t resets, lagged_ns;
extern bool paused, stopped_told, reset_on_open, wait_open;
extern uint64_t run_until;               /* != 0: a `run` command is under way */
extern int run_client;
extern volatile sig_atomic_t quit;

/* main.c */
void die(const char *fmt, ...);
double us(uint64_t cycles);
void rebase(void);

/* clients.c */
void client_close(struct client *c);
__attribute__((format(printf, 2, 3))) void reply(struct client *c, const char *fmt, ...);
__attribute__((format(printf, 1, 2))) void event(const char *fmt, ...);

/* pins.c */
const char *pin_name(const struct pin *p, char *out);
struct pin *pin_find(const char *s);
void pin_notify(avr_irq_t *irq, uint32_t value, void *param);
void pin_apply(struct pin *p);
avr_cycle_count_t wave_step(avr_t *a, avr_cycle_count_t when, void *param);
void on_reset(avr_t *a);

/* uart.c */
void uart_tell_open(struct uart *u, bool open);
void uart_flush(struct uart *u);
void uart_in(struct uart *u);
int tcp_listen(const char *what, int port);
int tcp_accept(int listener);
void uart_setup(const char *spec);
void uart_attach(struct uart *u);

/* peripherals.c */
void adc_setup(void);
void adc_set(int channel, uint32_t mv);
void i2c_message(avr_irq_t *irq, uint32_t value, void *param);
void eeprom_get(uint8_t *to);
void eeprom_load(void);
void eeprom_save(void);

/* network.c */
void net_close(void);
void net_setup(void);

/* control.c */
const char *state_name(void);
void command(struct client *c, char *line);
void client_in(struct client *c);
