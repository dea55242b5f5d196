/* SPDX-License-Identifier: GPL-3.0-or-later, as libsimavr, which this is linked with. See README.md. */
/* Analog inputs, devices on the I2C bus, and the EEPROM in its file. */
#include "simduino.h"

/* simavr 1.6 holds 8 inputs only; the Mega's A8..A15 go through `temp`. */
static void adc_trigger(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq; (void)param;
    union { avr_adc_mux_t mux; uint32_t v; } e = { .v = 0 };
    e.v = value;
    if (e.mux.kind == ADC_MUX_TEMP && e.mux.src >= 8 && e.mux.src < 16)
        adc->temp = adc_mv[e.mux.src];
}

void adc_setup(void) {
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "adc")) adc = (avr_adc_t *)io;
    adc_irq = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, 0);
    if (!adc || !adc_irq) return;
    for (int i = 0; i < 8; i++)
        if (adc->muxmode[32 + i].kind == ADC_MUX_SINGLE && adc->muxmode[32 + i].src == (unsigned)i + 8)
            adc->muxmode[32 + i] = (avr_adc_mux_t){ .kind = ADC_MUX_TEMP, .src = i + 8 };
    avr_irq_register_notify(adc_irq + ADC_IRQ_OUT_TRIGGER, adc_trigger, NULL);
}

void adc_set(int channel, uint32_t mv) {
    adc_mv[channel] = mv;
    if (channel < 8) avr_raise_irq(adc_irq + ADC_IRQ_ADC0 + channel, mv);
}

/* A device with 256 registers: a written byte picks the register, more bytes
 * go into it and the following ones, reads come from there on. */
void i2c_message(avr_irq_t *irq, uint32_t value, void *param) {
    (void)irq;
    struct i2c_dev *d = param;
    avr_twi_msg_irq_t m;
    m.u.v = value;
    if (m.u.twi.msg & TWI_COND_STOP) d->selected = false;
    if (m.u.twi.msg & TWI_COND_START) {
        d->selected = (m.u.twi.addr >> 1) == (unsigned)d->address;
        if (d->selected) {
            d->want_reg = !(m.u.twi.addr & 1);
            avr_raise_irq(twi_irq + TWI_IRQ_INPUT,
                          avr_twi_irq_msg(TWI_COND_ACK, m.u.twi.addr, 1));
        }
    }
    if (!d->selected) return;
    if (m.u.twi.msg & TWI_COND_WRITE) {
        avr_raise_irq(twi_irq + TWI_IRQ_INPUT,
                      avr_twi_irq_msg(TWI_COND_ACK, m.u.twi.addr, 1));
        if (d->want_reg) d->at = m.u.twi.data;
        else d->reg[d->at++] = m.u.twi.data;
        d->want_reg = false;
    }
    if (m.u.twi.msg & TWI_COND_READ) {
        uint8_t data = d->reg[d->at++];
        avr_raise_irq(twi_irq + TWI_IRQ_INPUT,
                      avr_twi_irq_msg(TWI_COND_READ, m.u.twi.addr, data));
    }
}

void eeprom_get(uint8_t *to) {
    avr_eeprom_desc_t d = { .ee = to, .offset = 0, .size = eeprom_size };
    avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &d);
}

void eeprom_load(void) {
    eeprom_size = avr->e2end + 1;
    eeprom_saved = malloc(eeprom_size);
    if (!eeprom_file) return;
    FILE *f = fopen(eeprom_file, "rb");
    if (f) {
        if (fread(eeprom_saved, 1, eeprom_size, f) != eeprom_size || getc(f) != EOF)
            die("%s: want %u bytes", eeprom_file, eeprom_size);
        fclose(f);
        avr_eeprom_desc_t d = { .ee = eeprom_saved, .offset = 0, .size = eeprom_size };
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &d);
    } else if (errno != ENOENT) die("%s: %s", eeprom_file, strerror(errno));
    eeprom_get(eeprom_saved);
}

void eeprom_save(void) {
    if (!eeprom_file || !eeprom_saved) return;
    uint8_t *now = malloc(eeprom_size);
    eeprom_get(now);
    if (memcmp(now, eeprom_saved, eeprom_size)) {
        char tmp[4096];
        snprintf(tmp, sizeof tmp, "%s.tmp", eeprom_file);
        FILE *f = fopen(tmp, "wb");
        if (!f || fwrite(now, 1, eeprom_size, f) != eeprom_size || fclose(f) ||
            rename(tmp, eeprom_file))
            fprintf(stderr, "simduino: %s: %s\n", eeprom_file, strerror(errno));
        else memcpy(eeprom_saved, now, eeprom_size);
    }
    free(now);
}
