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
  printf '#include <Sketch2MQTT.h>\n#include <SketchSecret.h>\n%s\n' "$1" >"$out/rejected.cpp"
  ${CXX:-g++} -std=gnu++11 -Wall -Wextra -Werror -fsyntax-only -Ihost/arduino -Istand-ins/Adafruit_BLE_UART \
    -I"$library/src" "$out/rejected.cpp" >"$out/rejected.log" 2>&1
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

# Keys: none, too few digits, those that stand on pages or that somebody made up, and how they would be repeated.
good=5b1f9cde8a07e46d3c52b8f0917a2e6410d3f7ab85c96e0b42a17d58ef3490c6
accepts "SKETCH_SECRET(key, \"$good\");"
accepts "SKETCH_SECRET(key, \"${good^^}\");"
rejects 'a key is missing' 'SKETCH_SECRET(key, "");'
for wrong in "${good%?}" "${good}0" "${good%?}g" "0x${good%??}" "${good%?} "; do
  rejects '64 hexadecimal digits' "SKETCH_SECRET(key, \"$wrong\");"
done
counted=$(printf %02x {0..31})
for guessed in "$counted" "$(printf %02x {1..32})" "$(printf %02x {31..0})" "$(printf %02x {0..62..2})" \
  "$(printf '00%.0s' {1..32})" "$(printf 'ff%.0s' {1..32})" "$(printf 'a5%.0s' {1..32})" \
  "$(printf '0123456789abcdef%.0s' {1..4})" "$(printf 'deadbeef%.0s' {1..8})" \
  "$(printf '0%.0s' {1..63})1" "${good:0:32}${good:0:32}"; do
  rejects 'can be guessed' "SKETCH_SECRET(key, \"$guessed\");"
done

# The garage door as it is handed out, and with what nobody may use.
door() {  # key master-pin
  printf '#define KEY "%s"\n#define MASTER_PIN "%s"\n#include "%s"\n' "$1" "$2" \
    "$PWD/../../Arduino/GarageDoor/GarageDoor.ino"
}
accepts "$(door $good 70362)"
rejects 'a key is missing' "#include \"$PWD/../../Arduino/GarageDoor/GarageDoor.ino\""
rejects 'the master PIN is missing' "#include \"$PWD/../../Arduino/GarageDoor/GarageDoor.ino\""
rejects 'can be guessed' "$(door "$counted" 70362)"
rejects 'the master PIN is missing' "$(door $good '')"
for wrong in 7036 703622 7036ä; do rejects 'the master PIN has five characters' "$(door $good $wrong)"; done
for guessed in 00000 11111 12345 54321 13579 abcde 90909 62342 48151 04711; do
  rejects 'this master PIN is an example' "$(door $good $guessed)"
done
rejects 'a key is missing' "#include \"$PWD/$library/examples/Gate/Gate.ino\""

[ $failed = 0 ] && echo "rejected: all as it should be"
exit $failed
