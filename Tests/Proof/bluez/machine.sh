#!/bin/bash
# A command in a machine of its own, whose kernel has Bluetooth: User-mode Linux, a kernel that is a program.
#
#   machine.sh prepare CACHE                       builds the kernel and the Python environment, once (minutes)
#   machine.sh run CACHE FOLDER SECONDS COMMAND…   boots (a second) and runs COMMAND as root
#
# The machine sees this one's files, read-only but for FOLDER; what else it writes is lost. Its output comes out here,
# its kernel's is in FOLDER/console. Exit status: COMMAND's; 124: not finished in SECONDS; 125: no machine.
set -u -o pipefail

PYTHON_PACKAGES="bumble==0.0.236 dbus-fast==5.2.0 paho-mqtt==2.1.0"
# 6.1.192 frees a channel twice when a link ends.
KERNELS="6.1.176-1 6.1.170-3"

say() { printf 'machine: %s\n' "$*" >&2; }
die() { say "$*"; exit 125; }

# ---- once

apt() { DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 "$@" >>"$CACHE/log" 2>&1; }

install_missing() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return
    say "installing ${missing[*]}"
    apt install -y --no-install-recommends "${missing[@]}" ||
        { apt update && apt install -y --no-install-recommends "${missing[@]}"; } ||
        die "apt-get failed, see $CACHE/log"
}

source_package() {
    local version
    [ -n "$(apt-cache madison linux-source-6.1 2>/dev/null)" ] || apt update
    for version in $KERNELS; do
        apt-cache madison linux-source-6.1 2>/dev/null | awk '{print $3}' | grep -qxF "$version" &&
            { echo "linux-source-6.1=$version"; return; }
    done
    echo linux-source-6.1
}

prepare_kernel() {
    local config; config=$(realpath "$(dirname "${BASH_SOURCE[0]}")/kernel.config")
    local stamp; stamp=$({ cat "$config"; declare -f prepare_kernel; } | sha256sum)
    [ -x "$CACHE/linux" ] && [ "$(cat "$CACHE/linux.stamp" 2>/dev/null)" = "$stamp" ] && return
    install_missing gcc make libc6-dev flex bison bc xz-utils cpio
    local package source="$CACHE/source"
    package=$(source_package)
    say "fetching $package and building the kernel (minutes)"
    rm -rf "$source"; mkdir -p "$source"
    ( cd "$source" && { apt download "$package" || { apt update && apt download "$package"; }; } &&
      dpkg-deb -x ./*.deb . && tar xf usr/src/linux-source-6.1.tar.xz --exclude='*/Documentation/*' \
          --exclude='*/tools/testing/*' --exclude='*/drivers/gpu/drm/amd/include/*' &&
      cd linux-source-6.1 && mkdir -p Documentation && touch Documentation/Kconfig &&
      # Room for the vector registers of processors with AMX.
      sed -i 's/DEFINE_LONGS(HOST_FP_SIZE, 2696)/DEFINE_LONGS(HOST_FP_SIZE, 12288)/' \
          arch/x86/um/user-offsets.c &&
      # The double free; nothing to find in a kernel without it.
      sed -i '/^static void l2cap_conn_free/,/^}/{/hci_chan_del/d}' net/bluetooth/l2cap_core.c &&
      make -s ARCH=um KCONFIG_ALLCONFIG="$config" allnoconfig &&
      grep -q '^CONFIG_BT_HCIVHCI=y' .config && make -s ARCH=um -j"$(nproc)" linux &&
      strip -s -o "$CACHE/linux.new" linux ) >>"$CACHE/log" 2>&1 || die "cannot build the kernel, see $CACHE/log"
    mv "$CACHE/linux.new" "$CACHE/linux" && rm -rf "$source" && echo "$stamp" >"$CACHE/linux.stamp"
}

prepare_python() {
    [ "$(cat "$CACHE/venv/packages" 2>/dev/null)" = "$PYTHON_PACKAGES" ] && return
    install_missing python3-venv
    say "installing $PYTHON_PACKAGES"
    rm -rf "$CACHE/venv"
    # shellcheck disable=SC2086
    { /usr/bin/python3 -m venv "$CACHE/venv" && "$CACHE/venv/bin/pip" install -q $PYTHON_PACKAGES; } >>"$CACHE/log" 2>&1 ||
        die "pip failed, see $CACHE/log"
    echo "$PYTHON_PACKAGES" >"$CACHE/venv/packages"
}

prepare() {
    local config; config=$(realpath "$(dirname "${BASH_SOURCE[0]}")/kernel.config")
    [ "$(uname -m)" = x86_64 ] || die "User-mode Linux 6.1 is for x86-64 only"
    [ "$(id -u)" = 0 ] || die "only root can start the machine"
    [ -f "$config" ] || die "no $config"
    mkdir -p "$CACHE"
    ( flock 9 && install_missing bluez dbus-daemon iproute2 python3 && prepare_python && prepare_kernel ) \
        9>"$CACHE/lock" || exit 125
}

# ---- in the machine

first_process() {
    cat <<'E'
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
R=/mnt/root
mount -t proc proc /proc; mount -t tmpfs tmpfs /mnt; mkdir /mnt/up /mnt/work $R
mount -t overlay -o lowerdir=/,upperdir=/mnt/up,workdir=/mnt/work overlay $R
mount -t devtmpfs dev $R/dev; mount -t proc proc $R/proc; mount -t sysfs sysfs $R/sys
mount -t tmpfs tmpfs $R/run; mkdir -p $R/run/dbus $R/run/lock $R/dev/pts $R/dev/shm $R/var/lib/bluetooth "$R$FOLDER"
mount -t devpts -o ptmxmode=0666 devpts $R/dev/pts; mount -t tmpfs -o mode=1777 shm $R/dev/shm
mount -t tmpfs -o mode=700 bluetooth $R/var/lib/bluetooth
mount -t hostfs -o "$FOLDER" none "$R$FOLDER" || echo "cannot share $FOLDER"
hostname machine; ip link set lo up
mapfile -d '' -t COMMAND <"$FOLDER/command"
cd /
S="$R$FOLDER"
chroot $R "${COMMAND[@]}" </dev/null >"$S/stdout" 2>"$S/stderr"
echo $? >"$S/status.new"; mv "$S/status.new" "$S/status"
sync
chroot $R /usr/bin/python3 -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321FEDC)' # power off
E
}

run() {
    local folder=$1 seconds=$2 machine; shift 2
    folder=$(realpath -e "$folder") || die "no folder $folder"
    : >"$folder/stdout"; : >"$folder/stderr"; rm -f "$folder/status"
    printf '%s\0' "$@" >"$folder/command"
    { printf '#!/bin/bash\nFOLDER=%q\n' "$folder"; first_process; } >"$folder/init"; chmod +x "$folder/init"
    setsid "$CACHE/linux" mem=1536M root=/dev/root rootfstype=hostfs hostfs=/ ro quiet panic=-1 \
        umid="machine$$" uml_dir="$folder/" con=null con0=fd:0,fd:1 init="$folder/init" \
        </dev/null >"$folder/console" 2>&1 &
    machine=$!
    trap 'kill -TERM -- "-$machine" 2>/dev/null; sleep 0.2; kill -KILL -- "-$machine" 2>/dev/null' EXIT
    trap 'exit 130' INT; trap 'exit 143' TERM
    tail -n +1 -s 0.2 -f --pid=$machine "$folder/stdout" & local out=$!
    tail -n +1 -s 0.2 -f --pid=$machine "$folder/stderr" >&2 & local err=$!
    local deadline=$((SECONDS + seconds))
    while kill -0 $machine 2>/dev/null; do
        [ $SECONDS -ge $deadline ] && { say "not finished after $seconds s"; exit 124; }
        sleep 0.1
    done
    wait $machine 2>/dev/null; wait $out $err 2>/dev/null
    trap - EXIT INT TERM
    [ -s "$folder/status" ] || { say "the machine ended early:"; tail -n 15 "$folder/console" >&2; exit 125; }
    exit "$(cat "$folder/status")"
}

[ $# -ge 2 ] || die "usage: machine.sh prepare CACHE | run CACHE FOLDER SECONDS COMMAND…"
VERB=$1; mkdir -p "$2" && CACHE=$(realpath "$2") || die "no folder $2"; shift 2
case $VERB in
    prepare) prepare ;;
    run) run "$@" ;;
    *) die "no such thing: $VERB" ;;
esac
