"""What Home Assistant is set up with: the mqtt integration, and no other that is not needed."""

import asyncio
import json
from pathlib import Path

ENTRY = "proof0mqtt0entry"


def version():
    from homeassistant.const import __version__
    return __version__


def event_loop():
    from homeassistant import runner
    if hasattr(runner, "create_event_loop"):
        return runner.create_event_loop()
    asyncio.set_event_loop_policy(runner.HassEventLoopPolicy(False))
    return asyncio.new_event_loop()


async def start(settings):
    """Starts Home Assistant as it starts itself, without the integrations that it adds on its own."""
    from homeassistant import bootstrap, runner
    bootstrap.DEFAULT_INTEGRATIONS = set()
    bootstrap.CRITICAL_INTEGRATIONS = set()
    hass = await bootstrap.async_setup_hass(runner.RuntimeConfig(
        config_dir=settings["folder"], skip_pip=True, log_no_color=True,
        log_file=str(Path(settings["folder"]) / "home-assistant.log")))
    if hass is None or hass.config.recovery_mode:
        raise RuntimeError("Home Assistant started in its recovery mode")
    await hass.async_start()
    return hass


def write_configuration(settings):
    """Writes what is missing: what Home Assistant has stored itself outlives its restart."""
    folder = Path(settings["folder"])
    storage = folder / ".storage"
    if storage.exists():
        return
    storage.mkdir(parents=True)
    text = (
        "homeassistant:\n  name: Proof\n  latitude: 52.0\n  longitude: 5.0\n  elevation: 0\n"
        "  unit_system: metric\n  time_zone: UTC\n  currency: EUR\n  country: NL\n  language: en\n"
        f"{settings.get('homeassistant', '')}"
        "logger:\n  default: warning\n")
    port = settings["http_port"]
    if _keeps_its_web_server_in_storage():
        # From the file it would be on trial, and Home Assistant restart after five minutes.
        _store(storage, "http", {
            "server_host": ["127.0.0.1"], "server_port": port, "ssl_profile": "modern",
            "cors_allowed_origins": [], "login_attempts_threshold": -1, "ip_ban_enabled": False,
            "use_x_frame_options": True})
    else:
        text += f"http:\n  server_host: 127.0.0.1\n  server_port: {port}\n  ip_ban_enabled: false\n"
    (folder / "configuration.yaml").write_text(text + settings.get("configuration", ""))
    entries = [_mqtt_entry(settings["broker_port"]), *(
        entry(identifier=f"proof{number}", **one) for number, one in enumerate(settings.get("entries", [])))]
    _store(storage, "core.config_entries", {"entries": entries})
    for key, data in settings.get("stored", {}).items():
        _store(storage, key, data)


def entry(domain, title, data, options, version=1, minor_version=1, identifier=ENTRY):
    """An integration as a person would have set it up."""
    return {
        "entry_id": identifier, "version": version, "minor_version": minor_version, "domain": domain,
        "title": title, "data": data, "options": options, "pref_disable_new_entities": False,
        "pref_disable_polling": False, "source": "user", "unique_id": None, "disabled_by": None}


def _mqtt_entry(port):
    from homeassistant.components.mqtt import const
    entry_version = getattr(const, "CONFIG_ENTRY_VERSION", 1)
    minor_version = getattr(const, "CONFIG_ENTRY_MINOR_VERSION", 1)
    data = {"broker": "127.0.0.1", "port": port, "protocol": const.DEFAULT_PROTOCOL}
    options = {"discovery": True, "discovery_prefix": "homeassistant"}
    if (entry_version, minor_version) < (1, 2):
        data, options = {**data, **options}, {}
    return entry("mqtt", "proof", data, options, entry_version, minor_version)


def _keeps_its_web_server_in_storage():
    try:
        from homeassistant.components.http.config import HTTPConfigStore  # noqa: F401
    except ImportError:
        return False
    return True


def _store(storage, key, data):
    # The oldest format: every version brings it to its own.
    content = {"version": 1, "minor_version": 1, "key": key, "data": data}
    (storage / key).write_text(json.dumps(content))
