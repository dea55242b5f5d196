#!/bin/bash
# Declarations that must not compile, each with the words that say why.
#
#   rejected.sh LIBRARY OUT_DIR
set -euo pipefail
cd "$(dirname "$0")"
library=$1
out=$2
failed=0

compiles() {
  printf '#include <Sketch2MQTT.h>\n%s\n' "$1" >"$out/rejected.cpp"
  ${CXX:-g++} -std=gnu++11 -Wall -Wextra -Werror -fsyntax-only -Ihost/arduino -I"$library/src" \
    "$out/rejected.cpp" >"$out/rejected.log" 2>&1
}

rejects() {  # words declaration
  if compiles "$2"; then
    echo "compiles, but must not: $2" >&2
    failed=1
  elif ! grep -qF "$1" "$out/rejected.log"; then
    echo "is not refused with '$1': $2" >&2
    cat "$out/rejected.log" >&2
    failed=1
  fi
}

accepts() {
  compiles "$1" || {
    echo "does not compile: $1" >&2
    cat "$out/rejected.log" >&2
    failed=1
  }
}

accepts 'SKETCH_SWITCH(lamp_2, "Lamp");'
accepts 'SKETCH_SWITCH(setting, "Set");'
accepts 'SKETCH_SENSOR(x, "\"Größe\" ~ \\ : =", WITH_UNIT("m/s²"));'
accepts 'SKETCH_TEXT(x, 200, "X");'
rejects 'lower-case letters' 'SKETCH_SWITCH(Lamp, "Lamp");'
rejects 'taken by a topic' 'SKETCH_SWITCH(set, "Set");'
rejects 'taken by a topic' 'SKETCH_SENSOR(availability, "Availability");'
rejects 'taken by a topic' 'SKETCH_TEXT(rx, 5, "Received");'
rejects 'a | or a control character' 'SKETCH_SWITCH(lamp, "on|off");'
rejects 'a | or a control character' 'SKETCH_SWITCH(lamp, "two\nlines");'
rejects 'a | or a control character' 'SKETCH_SENSOR(x, "X", WITH_UNIT("a|b"));'
rejects 'a | or a control character' 'SKETCH_SELECT(x, "X", WITH_OPTIONS("a", "b|c"));'
rejects 'a | or a control character' 'SKETCH_BOARD(board, "A|B");'
rejects 'needs WITH_RANGE' 'SKETCH_NUMBER(x, "X");'
rejects 'needs WITH_OPTIONS' 'SKETCH_SELECT(x, "X");'
rejects 'needs WITH_OPTIONS' 'SKETCH_EVENT(x, "X");'
rejects 'needs WITH_OPTIONS' 'SKETCH_ENUMERATION(x, "X", WITH_ICON("mdi:x"));'
rejects '1 to 200 bytes' 'SKETCH_TEXT(x, 0, "X");'
rejects '1 to 200 bytes' 'SKETCH_TEXT(x, 201, "X");'
accepts 'SKETCH_TABLE(x, 32, 200, "X");'
rejects '1 to 32 rows' 'SKETCH_TABLE(x, 0, 50, "X");'
rejects '1 to 32 rows' 'SKETCH_TABLE(x, 33, 50, "X");'
rejects '16 to 200 bytes' 'SKETCH_TABLE(x, 10, 15, "X");'
rejects '16 to 200 bytes' 'SKETCH_TABLE(x, 10, 201, "X");'
rejects 'taken by a topic' 'SKETCH_TABLE(set, 10, 50, "X");'
accepts 'SKETCH_BOARD(board, "X", WITH_PATIENCE(2));'
rejects '2 to 35 seconds' 'SKETCH_BOARD(board, "X", WITH_PATIENCE(1));'
rejects '2 to 35 seconds' 'SKETCH_BOARD(board, "X", WITH_VERSION("1.0"), WITH_PATIENCE(36));'
rejects '24 to 250 bytes' 'SKETCH_BOARD_TAKING(23, board, "X");'
long=$(printf 'x%.0s' {1..214})
accepts "SKETCH_SWITCH(lamp, \"$long\");"
rejects 'is too long' "SKETCH_SWITCH(lamp, \"x$long\");"
rejects 'is too long' "SKETCH_BOARD(board, \"$long 234567\");"
tildes=$(printf '~%.0s' {1..72})
rejects 'is too long' "SKETCH_SWITCH(lamp, \"$tildes\");"

[ $failed = 0 ] && echo "rejected: all as it should be"
exit $failed
