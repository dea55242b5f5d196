/* SPDX-License-Identifier: GPL-3.0-or-later, as libsimavr, which this is linked with. See README.md. */
/* Runs an AVR firmware in simavr in real time: options, the loop, and its pace. */
#include "simduino.h"

static const struct board boards[] = {
    { "uno", "atmega328p",
      "D0D1D2D3D4D5D6D7B0B1B2B3B4B5", "C0C1C2C3C4C5" },
    { "nano", "atmega328p",
      "D0D1D2D3D4D5D6D7B0B1B2B3B4B5", "C0C1C2C3C4C5----" },
    { "mega", "atmega2560",
      "E0E1E4E5G5E3H3H4H5H6B4B5B6B7J1J0H1H0D3D2D1D0"
      "A0A1A2A3A4A5A6A7C7C6C5C4C3C2C1C0D7G2G1G0"
      "L7L6L5L4L3L2L1L0B3B2B1B0",
      "F0F1F2F3F4F5F6F7K0K1K2K3K4K5K6K7" },
};

avr_t *avr;
const struct board *board;
struct pin pins[16][8];           /* port 'A'..'P' */
struct uart uarts[MAX_UARTS];
struct client clients[MAX_CLIENTS];
struct i2c_dev i2c[MAX_I2C];
int i2c_count;
avr_irq_t *twi_irq;
avr_irq_t *adc_irq;
avr_adc_t *adc;
uint32_t adc_mv[16];
static int control_listener = -1;

const char *eeprom_file;
uint8_t *eeprom_saved;
uint32_t eeprom_size;

void (*core_reset)(avr_t *);
uint64_t slept;                   /* cycles spent sleeping */
uint64_t resets, lagged_ns;
bool paused, stopped_told, reset_on_open, wait_open;
uint64_t run_until;               /* != 0: a `run` command is under way */
int run_client;
volatile sig_atomic_t quit;
static int verbose;

static uint64_t base_ns, base_cycle;     /* where wall time and cycles meet */
static double speed = 1.0;

void die(const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    fputs("simduino: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    exit(1);
}

static uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + t.tv_nsec;
}

double us(uint64_t cycles) { return cycles * 1e6 / avr->frequency; }

void rebase(void) {
    base_ns = now_ns();
    base_cycle = avr->cycle;
}

static void on_sleep(avr_t *a, avr_cycle_count_t how_long) {
    (void)a;
    slept += how_long + 1;                 /* no waiting here: the main loop paces */
}

static void on_log(avr_t *a, const int level, const char *fmt, va_list ap) {
    (void)a;
    if (level <= (verbose ? LOG_DEBUG : LOG_ERROR)) vfprintf(stderr, fmt, ap);
}

static void on_signal(int s) { (void)s; quit = 1; }

static bool alive(void) { return avr->state != cpu_Done && avr->state != cpu_Crashed; }

static void run_to(uint64_t target) {
    while (avr->cycle < target && alive()) {
        uint64_t left = target - avr->cycle;
        avr->run_cycle_limit = left < 4000 ? left : 4000;
        avr_run(avr);
    }
    if (!alive() && !stopped_told) {
        stopped_told = true;
        event("stopped %s pc=%04x", state_name(), avr->pc);
        fprintf(stderr, "simduino: the firmware stopped: %s at pc=%04x\n", state_name(), avr->pc);
    }
}

static void usage(FILE *f) {
    fputs("usage: simduino [-b uno|nano|mega | -m MCU -f HZ] [options] FIRMWARE.elf\n"
          "  --uart N=pty[:LINK]  UART N on a pseudo terminal, LINK pointing to it\n"
          "  --uart N=tcp:PORT    UART N on 127.0.0.1:PORT (0: any free port)\n"
          "  --uart N=stdio       UART N on stdin and stdout\n"
          "  --control PORT|-     the control protocol on 127.0.0.1:PORT, or on stdin/stdout\n"
          "  --eeprom FILE        keep the EEPROM in FILE\n"
          "  --i2c ADDRESS        a device with 256 registers on the I2C bus\n"
          "  --net[=PORT=PORT]    network for the WiFi stand-in library; every address means\n"
          "                       127.0.0.1, ports can be mapped to others\n"
          "  --reset-on-open      opening a UART resets the board (as DTR does)\n"
          "  --wait               start only when a UART has been opened\n"
          "  --paused             start paused (see `run` in README.md)\n"
          "  --speed FACTOR       1 = real time (default)\n"
          "  --slice US           longest time between looks at the clock (default 1000)\n"
          "  --vcc MV             supply and ADC reference (default 5000)\n"
          "  -v                   simavr's own messages\n", f);
}

int main(int argc, char **argv) {
    const char *mcu = NULL, *control = NULL;
    uint32_t hz = 16000000, vcc = 5000, slice_us = 1000;
    const char *uart_spec[MAX_UARTS];
    int uart_specs = 0;
    static const struct option longopts[] = {
        { "uart", 1, 0, 'u' }, { "control", 1, 0, 'c' }, { "eeprom", 1, 0, 'e' },
        { "i2c", 1, 0, 'i' }, { "net", 2, 0, 'n' }, { "reset-on-open", 0, 0, 'r' }, { "wait", 0, 0, 'w' },
        { "paused", 0, 0, 'p' }, { "speed", 1, 0, 's' }, { "slice", 1, 0, 'S' },
        { "vcc", 1, 0, 'V' }, { "help", 0, 0, 'h' }, { 0, 0, 0, 0 }
    };
    board = &boards[0];
    for (int o; (o = getopt_long(argc, argv, "b:m:f:vh", longopts, NULL)) != -1;)
        switch (o) {
            case 'b':
                board = NULL;
                for (unsigned i = 0; i < LEN(boards); i++)
                    if (!strcmp(optarg, boards[i].name)) board = &boards[i];
                if (!board) die("unknown board %s", optarg);
                break;
            case 'm': mcu = optarg; board = NULL; break;
            case 'f': hz = strtoul(optarg, NULL, 10); break;
            case 'u':
                if (uart_specs == MAX_UARTS) die("too many --uart");
                uart_spec[uart_specs++] = optarg;
                break;
            case 'c': control = optarg; break;
            case 'e': eeprom_file = optarg; break;
            case 'i':
                if (i2c_count == MAX_I2C) die("too many --i2c");
                i2c[i2c_count++].address = strtol(optarg, NULL, 0);
                break;
            case 'n':
                net_on = true;
                if (!optarg) break;
                if (net_maps == LEN(net_map) ||
                    sscanf(optarg, "%d=%d", &net_map[net_maps].from, &net_map[net_maps].to) != 2)
                    die("--net=PORT=PORT");
                net_maps++;
                break;
            case 'r': reset_on_open = true; break;
            case 'w': wait_open = true; break;
            case 'p': paused = true; break;
            case 's': speed = strtod(optarg, NULL); break;
            case 'S': slice_us = strtoul(optarg, NULL, 10); break;
            case 'V': vcc = strtoul(optarg, NULL, 10); break;
            case 'v': verbose = 1; break;
            case 'h': usage(stdout); return 0;
            default: usage(stderr); return 2;
        }
    if (optind != argc - 1 || speed <= 0 || slice_us < 50) { usage(stderr); return 2; }

    avr_global_logger_set(on_log);
    elf_firmware_t fw;
    memset(&fw, 0, sizeof fw);
    if (elf_read_firmware(argv[optind], &fw) || !fw.flash) die("cannot read %s", argv[optind]);
    avr = avr_make_mcu_by_name(board ? board->mcu : mcu);
    if (!avr) die("unknown MCU");
    avr_init(avr);
    avr->log = verbose ? LOG_DEBUG : LOG_ERROR;
    fw.frequency = hz;
    fw.vcc = fw.avcc = fw.aref = vcc;
    avr_load_firmware(avr, &fw);
    avr->frequency = hz;
    avr->vcc = avr->avcc = avr->aref = vcc;
    avr->sleep = on_sleep;
    core_reset = avr->reset;
    avr->reset = on_reset;

    setvbuf(stdout, NULL, _IOLBF, 0);
    for (unsigned i = 0; i < LEN(clients); i++) clients[i].in = clients[i].out = -1;
    for (unsigned i = 0; i < LEN(uarts); i++) { uarts[i].index = i; uarts[i].fd = uarts[i].listener = -1; }
    for (int i = 0; i < uart_specs; i++) uart_setup(uart_spec[i]);
    for (unsigned i = 0; i < LEN(uarts); i++) uart_attach(&uarts[i]);
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "port")) {
            avr_ioport_t *port = (avr_ioport_t *)io;
            if (port->name < 'A' || port->name > 'P') continue;
            for (int b = 0; b < 8; b++) {
                struct pin *p = &pins[port->name - 'A'][b];
                p->port = port;
                p->letter = port->name;
                p->bit = b;
                avr_irq_register_notify(io->irq + IOPORT_IRQ_PIN0 + b, pin_notify, p);
            }
        }
    adc_setup();
    net_setup();
    if (i2c_count) {
        twi_irq = avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), 0);
        if (!twi_irq) die("%s has no TWI", avr->mmcu);
        for (int i = 0; i < i2c_count; i++)
            avr_irq_register_notify(twi_irq + TWI_IRQ_OUTPUT, i2c_message, &i2c[i]);
    }
    eeprom_load();
    if (control && !strcmp(control, "-")) {
        clients[0].in = 0;
        clients[0].out = 1;
    } else if (control) control_listener = tcp_listen("control", atoi(control));
    signal(SIGPIPE, SIG_IGN);
    struct sigaction sa = { .sa_handler = on_signal };
    sigaction(SIGTERM, &sa, NULL);
    sigaction(SIGINT, &sa, NULL);
    printf("running %s %u\n", avr->mmcu, hz);

    uint64_t last_save = now_ns(), last_hup = 0;
    rebase();
    while (!quit) {
        if (wait_open)
            for (unsigned i = 0; i < LEN(uarts); i++)
                if (uarts[i].open) { wait_open = false; rebase(); }

        /* 1. run the firmware up to now */
        uint64_t now = now_ns(), wake = now + slice_us * 1000ull;
        if (run_until) {
            /* in pieces, so that sockets are served meanwhile */
            uint64_t piece = avr->cycle + hz / 100;
            run_to(piece < run_until ? piece : run_until);
            if (avr->cycle >= run_until || !alive()) {
                run_until = 0;
                reply(&clients[run_client], "ok cycle=%" PRIu64, (uint64_t)avr->cycle);
            }
            wake = now;
        } else if (!paused && !wait_open && alive()) {
            uint64_t target = base_cycle + (uint64_t)((now - base_ns) * (speed * hz / 1e9));
            if (target > avr->cycle + hz / 5) {      /* 0.2 s behind: give it up */
                lagged_ns += (target - avr->cycle) * 1e9 / hz;
                base_ns = now;
                base_cycle = avr->cycle;
                target = avr->cycle + hz / 1000;
            }
            run_to(target);
            if (avr->cycle > target) {               /* asleep until later */
                uint64_t due = base_ns + (uint64_t)((avr->cycle - base_cycle) / (speed * hz / 1e9));
                if (due > wake) wake = due;
            }
        } else wake = now + 20000000;
        for (unsigned i = 0; i < LEN(uarts); i++) uart_flush(&uarts[i]);
        if (now - last_save > 20000000) { eeprom_save(); last_save = now; }

        /* 2. wait for the next slice or for something from outside */
        struct pollfd fds[1 + 2 * MAX_UARTS + MAX_CLIENTS];
        struct { char what; int i; } who[LEN(fds)];
        int n = 0;
#define ADD(fd_, ev_, what_, i_) \
        (fds[n] = (struct pollfd){ fd_, ev_, 0 }, who[n].what = what_, who[n].i = i_, n++)
        bool look_hup = now - last_hup > 5000000;
        if (look_hup) last_hup = now;
        for (unsigned i = 0; i < LEN(uarts); i++) {
            struct uart *u = &uarts[i];
            if (u->listener >= 0) ADD(u->listener, POLLIN, 'l', i);
            bool room = u->in_head - u->in_tail < sizeof u->in;
            int ev = (room ? POLLIN : 0) | (u->out_len ? POLLOUT : 0);
            if (u->kind == UART_PTY && !u->open) {
                /* Without an opener poll() would report POLLHUP at once. */
                if (look_hup) {
                    struct pollfd p = { u->fd, POLLIN, 0 };
                    if (poll(&p, 1, 0) >= 0 && !(p.revents & POLLHUP)) uart_tell_open(u, true);
                }
            } else if (u->fd >= 0) ADD(u->fd, ev, 'u', i);
        }
        if (control_listener >= 0) ADD(control_listener, POLLIN, 'L', 0);
        for (unsigned i = 0; i < LEN(clients); i++)
            if (clients[i].in >= 0) ADD(clients[i].in, POLLIN, 'c', i);

        now = now_ns();
        uint64_t left = wake > now ? wake - now : 0;
        struct timespec ts = { left / 1000000000u, left % 1000000000u };
        if (ppoll(fds, n, &ts, NULL) <= 0) continue;
        for (int k = 0; k < n; k++) {
            if (!fds[k].revents) continue;
            struct uart *u = &uarts[who[k].i];
            switch (who[k].what) {
                case 'l': {
                    int fd = tcp_accept(u->listener);
                    if (fd < 0) break;
                    if (u->fd >= 0) { close(fd); break; }    /* one at a time */
                    u->fd = fd;
                    uart_tell_open(u, true);
                    break;
                }
                case 'u':
                    if (u->kind == UART_PTY && (fds[k].revents & POLLHUP)) uart_tell_open(u, false);
                    else if (fds[k].revents & (POLLIN | POLLHUP | POLLERR)) uart_in(u);
                    break;
                case 'L': {
                    int fd = tcp_accept(control_listener);
                    struct client *free_one = NULL;
                    for (unsigned i = 0; i < LEN(clients); i++)
                        if (clients[i].in < 0) free_one = &clients[i];
                    if (fd >= 0 && !free_one) close(fd);
                    else if (fd >= 0) free_one->in = free_one->out = fd;
                    break;
                }
                case 'c': client_in(&clients[who[k].i]); break;
            }
        }
    }
    eeprom_save();
    for (unsigned i = 0; i < LEN(uarts); i++)
        if (uarts[i].link[0]) unlink(uarts[i].link);
    return 0;
}
