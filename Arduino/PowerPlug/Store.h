// Where the schedule outlives a power cut: in the EEPROM, or in a file on the Wi-Fi shield's SD card.
#pragma once

#define CELLS 1
#define CARD 2

#if STORE == CARD
#include <SD.h>

const uint8_t cardPin = 4;
const char tableName[] = "plug.tab";

void beginStore() { SD.begin(cardPin); }

bool loadTable(Activation *table, uint8_t count) {
  File file = SD.open(tableName);
  if (!file) return false;
  const int size = (int)(count * sizeof *table);
  const bool isWhole = file.read((void *)table, (uint16_t)size) == size;
  file.close();
  return isWhole;
}

void storeTable(const Activation *table, uint8_t count) {
  SD.remove(const_cast<char *>(tableName));
  File file = SD.open(tableName, FILE_WRITE);
  if (!file) return;
  file.write((const uint8_t *)table, count * sizeof *table);
  file.close();
}

#else
const int tableAddress = 16; // the identity has the cells before
const uint8_t tableMark = 0x5A; // begins a table that was stored

void beginStore() {}

bool loadTable(Activation *table, uint8_t count) {
  uint8_t mark;
  EEPROM.get(tableAddress, mark);
  if (mark != tableMark) return false;
  for (uint8_t slot = 0; slot < count; slot++) {
    EEPROM.get(tableAddress + 1 + slot * (int)sizeof *table, table[slot]);
  }
  return true;
}

// Its first byte goes first and comes last: should the power go half-way, the slot is free rather than one that nobody
// wrote. Cells that keep their value are not worn.
void storeSlot(int address, const Activation &activation) {
  const uint8_t *bytes = (const uint8_t *)&activation;
  uint8_t same = 0;
  while (same < sizeof activation && EEPROM.read(address + same) == bytes[same]) same++;
  if (same == sizeof activation) return;
  EEPROM.update(address, 0);
  for (uint8_t at = 1; at < sizeof activation; at++) EEPROM.update(address + at, bytes[at]);
  EEPROM.update(address, bytes[0]);
}

void storeTable(const Activation *table, uint8_t count) {
  for (uint8_t slot = 0; slot < count; slot++) {
    storeSlot(tableAddress + 1 + slot * (int)sizeof *table, table[slot]);
  }
  EEPROM.update(tableAddress, tableMark);
}
#endif
