#pragma once

#include "SketchEntity.h"
#include "SketchObject.h"
#include "SketchRow.h"

/// SKETCH_TABLE(schedule, 10, 100, "Schedule"); of at most 10 rows, each of at most 100 bytes of JSON.
///
/// A row is a flat JSON object with a `name`. A command must fit the board's incoming line: a row's bytes + 10,
/// and two more for each byte that is escaped.
#define SKETCH_TABLE(key, rows, bytes, ...) \
  static_assert(rows >= 1 && rows <= 32, "1 to 32 rows"); \
  static_assert(bytes >= 16 && bytes <= 200, "16 to 200 bytes"); \
  static char key##Row[bytes + 1]; \
  SKETCH_DESCRIPTION(key, "j" #key "|", __VA_ARGS__, "|n" #rows, "|l" #bytes) \
  SKETCH_KEY(key); \
  SketchTable key(key##Description, key##Row, rows, bytes)

/// Rows of values that are set and deleted by name, such as a schedule. The sketch keeps them in its own way;
/// the table asks for one when it is to be sent.
class SketchTable : public SketchEntity {
public:
  SketchTable(const char *description, char *buffer, uint8_t rows, uint8_t bytes)
      : SketchEntity(description, buffer), rows_(rows), bytes_(bytes) {
    server_ = serve;
  }

  /// Writes a row when it is to be sent. A row into which nothing is written is empty.
  void onRow(void (*handler)(uint8_t row, SketchRow &out)) { handleBy((Handler)handler); }

  /// Asked to put a row into the place of the one with its name, or into an empty place; false refuses.
  /// Without a handler the table cannot be changed from outside.
  void onPut(bool (*handler)(const SketchObject &row)) { put_ = handler; }

  /// Asked to empty the row of a name; false refuses.
  void onDelete(bool (*handler)(const char *name)) { delete_ = handler; }

  /// A row is another than before.
  void changed(uint8_t row) {
    dirty_ |= (uint32_t)1 << row;
    change(true);
  }

  /// All rows are, or are known for the first time.
  void changed() {
    flags_ |= Whole;
    change(true);
  }

private:
  static char *serve(SketchEntity *entity, char *text, bool isCommand);
  char *writeRow(char *out);
  char obeyRow(char *value);

  bool (*put_)(const SketchObject &);
  bool (*delete_)(const char *);
  // The rows that are to be sent.
  uint32_t dirty_;
  const uint8_t rows_;
  const uint8_t bytes_;
};
