# sketch2mqtt. Debian 12 or later, Swift 6.2 or later.
#
#   make build    the program, in .build/release
#   make demo     a broker, simulated boards and the bridge, to look at (DEMO="--seconds 30" passes options)
#   make test     everything that must hold
#   make storm    the bridge under faults from all sides for minutes, other ones each time (ROUNDS=6 SECONDS=60);
#                 a failure says how to see it again
#   make fuzz     every decoder under libFuzzer, a minute each (FUZZ="--seconds 600 json" passes options)
#   make firmware the sketches for an UNO and a simulator that runs them, for make test and DEMO=--firmware
#   make arduino  the Arduino library and the sketches: tests on this computer, compiled for UNO and Mega, sizes
#   make docker-proof   the image of docker/, built and tried without a container engine, as root
#   make bench    the bridge beside the least that C can do and a bridge in Python (BENCH="--rounds 2" passes options)
#   make proof    the bridge with the programs that it is made for (PROOF=nats-cluster passes options and names)
#   make install  the program, its service and a first configuration, as root after make build (DESTDIR, PREFIX);
#                 make uninstall takes back all but the configuration and the state
#   make format   Swift as this repository writes it
#   make pages    the pages that are rendered from the program itself
#   make clean    removes what was built

# Libraries that the program is linked with, and what finds them.
BUILD_PACKAGES = libmosquitto-dev libdbus-1-dev libyaml-dev libjansson-dev libssl-dev pkg-config
# What the demo starts, and the clients of the lines that it shows.
DEMO_PACKAGES = $(BUILD_PACKAGES) mosquitto mosquitto-clients dbus-daemon
# What the tests read programs, files and units with, and run the examples with.
VOICE_PACKAGES = pocketsphinx pocketsphinx-en-us espeak-ng flite sox
TEST_PACKAGES = $(DEMO_PACKAGES) $(VOICE_PACKAGES) binutils bluez git iproute2 node-mqtt openssl procps systemd
# What compiles sketches, and what their tests read vectors with.
ARDUINO_PACKAGES = gcc-avr avr-libc arduino-core-avr g++ nlohmann-json3-dev python3
# What compiles the sketches that run in the simulator, and the simulator itself.
FIRMWARE_PACKAGES = gcc-avr avr-libc arduino-core-avr libsimavr-dev libelf-dev gcc libc6-dev
# What the benchmark's own programs are made with.
BENCH_PACKAGES = $(DEMO_PACKAGES) gcc libc6-dev python3-venv

# What makes file systems and images, and reads compose.yaml.
DOCKER_PROOF_PACKAGES = mosquitto mosquitto-clients buildah debootstrap docker-compose
# What the proofs start, and what they are written in and set up with; and what presses a dashboard, which CI leaves out.
PROOF_PACKAGES = $(TEST_PACKAGES) debian-archive-keyring patchelf python3 python3-paho-mqtt python3-pip \
	$(if $(findstring --ci,$(PROOF)),,chromium chromium-driver libturbojpeg0 python3-selenium)

SWIFT := $(or $(shell command -v swift),$(wildcard /opt/swift/usr/bin/swift),swift)
export PATH := $(PATH):$(dir $(SWIFT))

FORMATTED = Sources Tests Package.swift
DEMO =
BENCH =
PROOF =
FUZZ =

ROUNDS = 6
SECONDS = 60

PREFIX = /usr/local
DESTDIR =
BINDIR = $(PREFIX)/bin
UNITDIR = /etc/systemd/system
SYSUSERSDIR = /usr/lib/sysusers.d
SYSCONFDIR = /etc/sketch2mqtt

.PHONY: install uninstall build demo bench test proof storm fuzz arduino firmware docker-proof format lint pages clean test-packages

build:
	@$(call install-packages,$(BUILD_PACKAGES))
	$(SWIFT) build -c release --static-swift-stdlib --product sketch2mqtt

demo:
	@$(call install-packages,$(DEMO_PACKAGES))
	@$(MAKE) --no-print-directory build $(if $(findstring --firmware,$(DEMO)),firmware)
	.build/release/sketch2mqtt demo $(DEMO)

bench:
	@$(call install-packages,$(BENCH_PACKAGES))
	@$(MAKE) --no-print-directory build
	@$(MAKE) --no-print-directory -C Tests/Benchmark
	.build/benchmark/python/bin/python -B Tests/Benchmark/bench.py $(BENCH)

# All tests at once would wait for each other on a small machine until deadlines pass; not every Swift can say so.
WIDTH = experimental-maximum-parallelization-width

test: test-packages lint build
	$(MAKE) --no-print-directory firmware || echo "*** THE FIRMWARE'S TESTS ARE NOT RUN: see above ***" >&2
	$(SWIFT) build --build-tests
	$(SWIFT) test --skip-build \
		$$($(SWIFT) test --help-hidden | grep --quiet -e --$(WIDTH) && echo --$(WIDTH)=4)

storm: test-packages
	STORM_ROUNDS=$(ROUNDS) STORM_SECONDS=$(SECONDS) $(SWIFT) test --filter 'BridgeTests.*in a storm'

fuzz:
	@$(call install-packages,$(BUILD_PACKAGES))
	SWIFT=$(SWIFT) Tests/Fuzz/run $(FUZZ)

firmware:
	@$(call install-packages,$(FIRMWARE_PACKAGES))
	$(MAKE) --directory Tests/Arduino firmware

arduino:
	@$(call install-packages,$(ARDUINO_PACKAGES))
	$(MAKE) --directory Tests/Arduino

docker-proof:
	@$(call install-packages,$(DOCKER_PROOF_PACKAGES))
	Tests/Docker/prove "$$(dirname "$$(dirname "$(SWIFT)")")"

# Where something cannot be installed, a proof that needs it says that it is not run.
proof:
	-@$(call install-packages,$(PROOF_PACKAGES))
	@$(MAKE) --no-print-directory build
	$(SWIFT) build -c release --static-swift-stdlib --product simulate
	@if test -x /usr/bin/python3; then /usr/bin/python3 Tests/Proof/prove.py $(PROOF); \
		else echo "*** NO PROOF IS RUN: there is no python3 ***" >&2; \
		exit $(if $(findstring --ci,$(PROOF)),0,3); fi

# Not over an owner's configuration. The user and the service are made known only on the running system.
install:
	@test -x .build/release/sketch2mqtt || { echo "first: make build" >&2; exit 1; }
	install -D -m 755 .build/release/sketch2mqtt $(DESTDIR)$(BINDIR)/sketch2mqtt
	install -d $(DESTDIR)$(UNITDIR)
	sed 's#@bindir@#$(BINDIR)#' examples/systemd/sketch2mqtt.service > $(DESTDIR)$(UNITDIR)/sketch2mqtt.service
	install -D -m 644 examples/systemd/sketch2mqtt.conf $(DESTDIR)$(SYSUSERSDIR)/sketch2mqtt.conf
	install -d -m 750 $(DESTDIR)$(SYSCONFDIR)
	test -e $(DESTDIR)$(SYSCONFDIR)/config.yaml || \
		install -m 640 examples/sketch2mqtt.yaml $(DESTDIR)$(SYSCONFDIR)/config.yaml
	test -n "$(DESTDIR)" || systemd-sysusers sketch2mqtt.conf
	test -n "$(DESTDIR)" || chown -R root:sketch2mqtt $(SYSCONFDIR)
	test -n "$(DESTDIR)" || systemctl daemon-reload
	@echo "Edit $(SYSCONFDIR)/config.yaml, then: systemctl enable --now sketch2mqtt"

uninstall:
	test -n "$(DESTDIR)" || systemctl disable --now sketch2mqtt || true
	rm -f $(DESTDIR)$(BINDIR)/sketch2mqtt $(DESTDIR)$(UNITDIR)/sketch2mqtt.service
	rm -f $(DESTDIR)$(SYSUSERSDIR)/sketch2mqtt.conf
	test -n "$(DESTDIR)" || systemctl daemon-reload || true
	@echo "$(SYSCONFDIR) and /var/lib/sketch2mqtt are left; remove them when nothing in them is needed."

lint:
	$(SWIFT) format lint --strict --recursive --parallel $(FORMATTED)

format:
	$(SWIFT) format --in-place --recursive --parallel $(FORMATTED)

pages: test-packages
	RENDER_PAGES=1 $(SWIFT) test --filter 'DocumentationTests|ProfilesPageTests'

clean:
	rm -rf .build

test-packages:
	@$(call install-packages,$(TEST_PACKAGES))

# Installs what of $(1) is missing. Where there is no dpkg, the names say what to look for.
define install-packages
command -v dpkg-query >/dev/null || { echo "not a Debian: needs the like of $(1)"; exit 0; }; \
missing=; \
for package in $(1); do \
	state=$$(dpkg-query --show --showformat='$${db:Status-Status}' $$package 2>/dev/null || true); \
	test "$$state" = installed || missing="$$missing $$package"; \
done; \
test -n "$$missing" || exit 0; \
echo "installing$$missing"; \
if test "$$(id -u)" = 0; then as_root=; else as_root=sudo; fi; \
command -v $${as_root:-apt-get} >/dev/null || { echo "as root: apt-get install$$missing" >&2; exit 1; }; \
$$as_root apt-get update -qq && \
$$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing
endef
