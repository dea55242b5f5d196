#include "SketchTable.h"

#include "SketchDigits.h"

char *SketchTable::serve(SketchEntity *entity, char *text, bool isCommand) {
  SketchTable *table = static_cast<SketchTable *>(entity);
  if (!isCommand) return table->writeRow(text);
  *text = table->obeyRow(text);
  return text;
}

char *SketchTable::writeRow(char *out) {
  const uint32_t all = 0xFFFFFFFF >> (32 - rows_);
  if (flags_ & Whole || !dirty_) dirty_ = all;
  flags_ &= (uint8_t)~Whole;
  uint8_t row = 0;
  while (!(dirty_ >> row & 1)) row++;
  dirty_ &= ~((uint32_t)1 << row) & all;
  if (dirty_) flags_ |= Unsent;
  SketchRow json(text_, bytes_);
  if (handler_) ((void (*)(uint8_t, SketchRow &))handler_)(row, json);
  json.end();
  out = SketchDigits::write(out, row);
  *out++ = ':';
  return out;
}

char SketchTable::obeyRow(char *value) {
  const char verb = *value;
  if ((verb != 'p' && verb != 'd') || !unescape(value)) return 'i';
  bool isDone;
  if (verb == 'p') {
    const SketchObject row(value);
    if (!row.isWhole() || !row.has(F("name"))) return 'i';
    if (!put_) return 'u';
    isDone = put_(row);
  } else {
    if (!SketchObject::readText(value, value, 255)) return 'i';
    if (!delete_) return 'u';
    isDone = delete_(value);
  }
  return isDone ? '+' : 'n';
}
