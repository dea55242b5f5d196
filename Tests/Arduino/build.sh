#!/bin/bash
# Compiles the library's examples and the sketches for UNO and Mega, as the Arduino IDE would but with
# warnings as errors, and checks what the library costs.
#
#   build.sh [OUT_DIR [SKETCH_DIR...]]
#
# Writes OUT_DIR/BOARD/SKETCH.elf and OUT_DIR/sizes.txt. It installs nothing: what is missing is said.
#
# A sketch that asks its owner for a key gets one that was made for this folder, OUT_DIR/key, and that nobody else
# has; and OUT_DIR/master-pin.
# ARDUINO_CORE names the core's folder if it is not where Debian puts it.
set -euo pipefail
here=$(realpath "$(dirname "$0")")
out=$(realpath -m "${1:-$here/../../.build/arduino}")
shift || true
sketches=()
for sketch in "$@"; do sketches+=("$(realpath "$sketch")"); done
cd "$here"
library=$(realpath ../../Arduino/Sketch2MQTT)
core=${ARDUINO_CORE:-/usr/share/arduino/hardware/arduino/avr}

# At most so much more than the same sketch without the library.
most_flash=6000
most_ram=300

missing=
command -v avr-g++ >/dev/null || missing="$missing avr-g++ (gcc-avr)"
[ -f /usr/lib/avr/include/avr/io.h ] || [ -n "${AVR_LIBC:-}" ] || missing="$missing avr-libc (avr-libc)"
[ -f "$core/cores/arduino/Arduino.h" ] || missing="$missing the Arduino core (arduino-core-avr)"
if [ -n "$missing" ]; then
  echo "build.sh: missing:$missing" >&2
  exit 2
fi

common=(-g -Os -ffunction-sections -fdata-sections -flto -DF_CPU=16000000L -DARDUINO=10819 -DARDUINO_ARCH_AVR)
cxx=(-std=gnu++11 -fno-exceptions -fno-threadsafe-statics)
strict=(-Wall -Wextra -Werror)

# Only for Debian's GCC 5.4: its <float.h> has no DECIMAL_DIG in C++11, which the core's WString wants.
core_flags=(-w -fpermissive -DDECIMAL_DIG=__DECIMAL_DIG__)

mkdir -p "$out"
[ -s "$out/key" ] || od -An -vtx1 -N32 /dev/urandom | tr -d ' \n' >"$out/key"
printf 70362 >"$out/master-pin"
owner=(-DKEY="\"$(cat "$out/key")\"" -DMASTER_PIN="\"$(cat "$out/master-pin")\"")

compile() {  # compiler flags... -- source object
  local source=${*: -2:1} object=${*: -1}
  [ "$object" -nt "$source" ] && [ "$object" -nt "$newest_header" ] && return
  mkdir -p "$(dirname "$object")"
  "${@:1:$#-2}" -c "$source" -o "$object"
}

newest_header=$(find ../../Arduino stand-ins -name '*.h' -printf '%T@ %p\n' 2>/dev/null | sort -rn | head -1 |
  cut -d' ' -f2-) || true
[ -n "$newest_header" ] || newest_header=build.sh

# The folders of the libraries that a source includes, in this repository, among the stand-ins or in the core,
# and what those include in turn. As the IDE finds them: what the preprocessor misses is looked for, again and
# again.
libraries_of() {  # compiler flags... -- source
  local flags=("${@:1:$#-2}") sources=("${@: -1}") folders=() folder header found missing again=1
  while [ -n "$again" ]; do
    again=
    local includes=()
    for folder in "${folders[@]}"; do includes+=(-I"$folder"); done
    missing=$(avr-g++ "${flags[@]}" "${includes[@]}" -M -MG -w "${sources[@]}" | tr -s ' \\\n' '\n' |
      grep -E '^[A-Za-z0-9_]+\.h$' | sort -u) || true
    for header in $missing; do
      found=$(find "$library/src" stand-ins "$core/libraries" -name "$header" 2>/dev/null | head -1) || true
      [ -n "$found" ] || continue
      folder=$(realpath "$(dirname "$found")")
      case " ${folders[*]} " in *" $folder "*) continue ;; esac
      folders+=("$folder")
      while read -r found; do sources+=("$found"); done < <(find "$folder" -name '*.cpp')
      again=1
    done
  done
  printf '%s\n' "${folders[@]}"
}

build() {  # board mcu variant macro flash ram sketch [WORD VALUE]
  local board=$1 mcu=$2 variant=$3 macro=$4 flash=$5 ram=$6 sketch=$7 name file source folder
  file=$(basename "$sketch")
  case ${9:-} in [01]) name=$file-$8$9 ;; *) name=$file${9:+-$9} ;; esac
  local dir=$out/$board target=(-mmcu="$mcu" -D"$macro" -I"$core/cores/arduino" -I"$core/variants/$variant")
  local objects=()
  for source in "$core"/cores/arduino/*.c "$core"/cores/arduino/*.cpp "$core"/cores/arduino/*.S; do
    local object=$dir/core/$(basename "$source").o
    [ -f "$object" ] || case $source in
      *.cpp)
        compile avr-g++ "${common[@]}" "${cxx[@]}" "${core_flags[@]}" "${target[@]}" "$source" "$object" ;;
      *.c) compile avr-gcc "${common[@]}" -w "${target[@]}" "$source" "$object" ;;
      *.S) compile avr-gcc -x assembler-with-cpp "${common[@]}" "${target[@]}" "$source" "$object" ;;
    esac
  done
  [ -f "$dir/core.a" ] || avr-gcc-ar rcs "$dir/core.a" "$dir"/core/*.o

  # What the IDE puts before a sketch, but for the prototypes of its functions.
  printf '#include <Arduino.h>\n#line 1 "%s"\n' "$sketch/$file.ino" | cat - "$sketch/$file.ino" \
    >"$dir/$name.cpp"
  local includes=() folders
  folders=$(libraries_of "${common[@]}" "${cxx[@]}" "${target[@]}" -I"$sketch" "${owner[@]}" ${9:+-D$8=$9} \
    -- "$dir/$name.cpp")
  for folder in $folders; do includes+=(-I"$folder"); done
  for folder in $folders; do
    local warn=("${strict[@]}")
    case $folder in "$core"/*) warn=("${core_flags[@]}") ;; esac
    while read -r source; do
      local object
      object=$dir/libraries/$(basename "$(dirname "$folder")")/$(basename "$source").o
      case $source in
        *.c) compile avr-gcc "${common[@]}" -w "${target[@]}" "${includes[@]}" "$source" "$object" ;;
        *)
          compile avr-g++ "${common[@]}" "${cxx[@]}" "${warn[@]}" "${target[@]}" "${includes[@]}" \
            "$source" "$object"
          ;;
      esac
      objects+=("$object")
    done < <(find "$folder" -name '*.cpp' -o -name '*.c')
  done

  avr-g++ "${common[@]}" "${cxx[@]}" "${strict[@]}" "${target[@]}" "${includes[@]}" -I"$sketch" \
    "${owner[@]}" ${9:+-D$8=$9} -c "$dir/$name.cpp" -o "$dir/$name.o"
  avr-gcc -w -Os -g -flto -fuse-linker-plugin -Wl,--gc-sections -mmcu="$mcu" -o "$dir/$name.elf" \
    "$dir/$name.o" "${objects[@]}" "$dir/core.a" -lm
  avr-size "$dir/$name.elf" | awk -v name="$name" -v board="$board" -v flash="$flash" -v ram="$ram" '
    NR == 2 {
      f = $1 + $2; r = $2 + $3
      printf "%-18s %-5s flash %6d of %6d   ram %5d of %5d\n", name, board, f, flash, r, ram
      if (f > flash || r > ram) exit 1
    }' | tee -a "$out/sizes.txt"
}

: >"$out/sizes.txt"
if [ ${#sketches[@]} -eq 0 ]; then
  sketches=("$library"/examples/* sketches/*)
  for folder in ../../Arduino/*; do
    [ ! -f "$folder/$(basename "$folder").ino" ] || sketches+=("$folder")
  done
fi
for sketch in "${sketches[@]}"; do
  sketch=$(realpath "$sketch")
  build uno atmega328p standard ARDUINO_AVR_UNO 32256 2048 "$sketch"
  build mega atmega2560 mega ARDUINO_AVR_MEGA2560 253952 8192 "$sketch"
  # With everything else that it lets its owner choose.
  while read -r word default; do
    header=$(grep -slE "^#(el)?if $word == " "$library"/src/*.h "$sketch"/*.h | head -1) || true
    choices='0 1'
    [ -z "$header" ] || choices=$(sed -nE 's/^#define ([A-Z0-9]+) [0-9]+( .*)?$/\1/p' "$header")
    for choice in $choices; do
      [ "$choice" != "$default" ] || continue
      build uno atmega328p standard ARDUINO_AVR_UNO 32256 2048 "$sketch" "$word" "$choice"
    done
  done < <(sed -nE '/^#ifndef [A-Z]+$/{n;s/^#define ([A-Z]+) ([A-Z0-9]+)$/\1 \2/p}' \
    "$sketch/$(basename "$sketch").ino")
done

size_of() { awk -v name="$1" -v column="$2" '$1 == name && $2 == "uno" { print $column }' "$out/sizes.txt"; }
if [ -n "$(size_of Greenhouse 4)" ] && [ -n "$(size_of WithoutLibrary 4)" ]; then
  flash=$(($(size_of Greenhouse 4) - $(size_of WithoutLibrary 4)))
  ram=$(($(size_of Greenhouse 8) - $(size_of WithoutLibrary 8)))
  echo "ten entities on an UNO: $flash bytes of flash of $most_flash, $ram bytes of RAM of $most_ram"
  [ "$flash" -le $most_flash ] && [ "$ram" -le $most_ram ] || {
    echo "build.sh: too large" >&2
    exit 1
  }
fi
