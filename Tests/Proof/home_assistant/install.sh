#!/usr/bin/env bash
# Installs a Home Assistant Core for a proof, with the mqtt integration and those that are named.
#
#   install.sh DIR VERSION SUITE X.Y [INTEGRATION…]
#
# DIR/venv/bin/python then runs it. It needs Python X.Y: that of this machine, or else the one of the Debian SUITE,
# unpacked below DIR/python, with nothing installed anywhere else. Running it again does nothing.
set -euo pipefail

dir=$1 version=$2 suite=$3 python=$4
shift 4
say() { printf 'install: %s\n' "$*"; }
die() { printf 'install: %s\n' "$*" >&2; exit 1; }

mkdir -p "$dir"; dir=$(cd "$dir" && pwd -P)
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PIP_NO_INPUT=1
# Compiling what is installed takes seconds each time unless it is kept.
unset PYTHONDONTWRITEBYTECODE

is_whole() {
  "$dir/venv/bin/python" -c '
import sys
import hass_nabucasa, paho.mqtt.client
from homeassistant.const import __version__
sys.exit(__version__ != sys.argv[1])' "$version" 2> /dev/null
}
if [ -f "$dir/installed.txt" ] && is_whole && [ "$(cat "$dir/integrations.txt" 2> /dev/null)" = "$*" ]; then exit 0; fi
rm -rf "$dir/venv" "$dir/installed.txt"

# Unpacks a Debian suite's Python with every library that it needs, and points it at its own dynamic loader and
# libraries, so that it runs on an older system like any program.
unpack_python() {
  local root=$dir/python apt=$dir/apt arch key uri options file libraries loader
  rm -rf "$root" "$apt"
  mkdir -p "$root" "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/etc/parts"
  : > "$apt/status"
  arch=$(dpkg --print-architecture)
  key=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -f "$key" ] || die "no $key (package debian-archive-keyring)"
  uri=$(apt-get indextargets --format '$(ORIGIN) $(CODENAME) $(REPO_URI)' 'Created-By: Packages' 2> /dev/null |
    awk '$1 == "Debian" && $2 !~ /security/ { print $3; exit }')
  [ -n "$uri" ] || die "apt knows no Debian archive here (apt-get update?)"
  echo "deb [arch=$arch signed-by=$key] ${uri%/} $suite main" > "$apt/etc/sources.list"
  options=(-qq -o "Dir::State=$apt" -o "Dir::State::status=$apt/status" -o "Dir::State::Lists=$apt/lists"
    -o "Dir::Cache=$apt/cache" -o "Dir::Etc::SourceList=$apt/etc/sources.list"
    -o "Dir::Etc::SourceParts=$apt/etc/parts" -o "Dir::Etc::PreferencesParts=$apt/etc/parts"
    -o Acquire::Languages=none -o APT::Sandbox::User= -o Debug::NoLocking=1 -o Dpkg::Use-Pty=0)
  say "fetching Python $python of Debian $suite"
  apt-get "${options[@]}" update
  apt-get "${options[@]}" -y --no-install-recommends --download-only install "python$python" > /dev/null
  for file in "$apt"/cache/archives/*.deb; do dpkg-deb --extract "$file" "$root"; done
  # Headers, for the odd package that comes as source.
  (cd "$apt" && apt-get "${options[@]}" download "libpython$python-dev" > /dev/null &&
    dpkg-deb --fsys-tarfile libpython"$python"-dev_*.deb | tar -x -C "$root" ./usr/include)
  rm -rf "$apt" "$root/usr/share/doc" "$root/usr/share/man" "$root/usr/share/locale"

  libraries=$(dirname "$(find "$root" -name libc.so.6 | head -n 1)")
  loader=$(find "$libraries" "$root" -name 'ld-linux*.so.*' -type f | head -n 1)
  [ -n "$loader" ] || die "no dynamic loader below $root"
  patchelf --set-interpreter "$loader" --force-rpath \
    --set-rpath "$libraries:$root/usr/lib/${libraries##*/}" "$root/usr/bin/python$python"
}

can_run() { "$1" -c 'import bz2, ctypes, lzma, sqlite3, ssl, venv, zlib' 2> /dev/null; }
interpreter=
for candidate in "/usr/bin/python$python" "$dir/python/usr/bin/python$python"; do
  if can_run "$candidate"; then interpreter=$candidate; break; fi
done
if [ -z "$interpreter" ]; then
  unpack_python
  interpreter=$dir/python/usr/bin/python$python
  can_run "$interpreter" || die "the unpacked Python does not run"
  export CPATH=$dir/python/usr/include${CPATH:+:$CPATH}
fi
say "with $("$interpreter" --version)"
"$interpreter" -m venv --without-pip "$dir/venv"
venv=$dir/venv/bin/python
# pip out of its own wheel serves any Python, with or without ensurepip.
/usr/bin/python3 -m pip download -q --no-deps -d "$dir/wheels" pip
"$venv" "$(ls "$dir"/wheels/pip-*.whl)/pip" install -q --no-index --find-links "$dir/wheels" pip
rm -rf "$dir/wheels"

say "installing Home Assistant $version"
"$venv" -m pip install -q --no-compile "homeassistant==$version"
folder=$("$venv" -c 'import importlib.util as u; print(u.find_spec("homeassistant").submodule_search_locations[0])')
# What the integrations need stands in their manifests, not in the package: the mqtt integration, what it depends on,
# and every platform that discovery can create.
"$venv" - "$folder" "$@" > "$dir/requirements.txt" <<'PYTHON'
import json, pathlib, sys

components = pathlib.Path(sys.argv[1]) / "components"

def manifest(name):
    file = components / name / "manifest.json"
    return json.loads(file.read_text()) if file.exists() else {}

wanted = {"mqtt", "http", "auth", "config", "logger", "device_automation", "homeassistant", *sys.argv[2:]}
wanted |= set(manifest("mqtt").get("after_dependencies", []))
wanted |= {file.stem for file in (components / "mqtt").glob("*.py") if manifest(file.stem)}
seen, requirements = set(), set()
while wanted:
    name = wanted.pop()
    if name not in seen:
        seen.add(name)
        requirements |= set(manifest(name).get("requirements", []))
        wanted |= set(manifest(name).get("dependencies", []))
print("\n".join(sorted(requirements)))
PYTHON
say "installing $(wc -l < "$dir/requirements.txt") requirements of its integrations"
"$venv" -m pip install -q --no-compile -c "$folder/package_constraints.txt" -r "$dir/requirements.txt"
# Older versions leave josepy open, and its version 2 breaks them: every request over HTTP fails.
"$venv" -c 'import hass_nabucasa' 2> /dev/null || "$venv" -m pip install -q --no-compile 'josepy<2'
is_whole || die "what was installed is not Home Assistant $version"
printf '%s\n' "$*" > "$dir/integrations.txt"
"$venv" -m pip freeze > "$dir/installed.txt"
