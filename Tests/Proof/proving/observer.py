"""Sees every message on a broker, and publishes."""

import itertools
import json
import threading

import paho.mqtt.client as paho

from .record import Failed
from .waiting import PATIENCE, eventually


class Observer:
    """A client of its own, from before whatever is observed starts."""

    numbers = itertools.count(1)

    def __init__(self, port, version=paho.MQTTv5, seconds=PATIENCE):
        self.version = version
        self.messages = []
        self.connects = 0
        self.lock = threading.Lock()
        self.is_up = threading.Event()
        options = {"client_id": f"observer-{next(self.numbers)}", "protocol": version}
        if hasattr(paho, "CallbackAPIVersion"):
            options["callback_api_version"] = paho.CallbackAPIVersion.VERSION2
        self.client = paho.Client(**options)
        self.client.on_connect = self._connected
        self.client.on_message = self._received
        self.client.on_disconnect = lambda *_: self.is_up.clear()
        self.client.on_subscribe = lambda *_: self.is_up.set()
        self.client.reconnect_delay_set(1, 1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        if not self.is_up.wait(seconds):
            self.close()
            raise Failed(f"no connection to the broker on {port}")

    def _connected(self, client, _data, _flags, reason, _properties=None):
        if reason != 0:
            return
        if self.version == paho.MQTTv5:
            # The flag as it was sent, and what is retained not again after a broken connection.
            options = paho.SubscribeOptions(
                qos=1, retainAsPublished=True, retainHandling=2 if self.connects else 0)
            client.subscribe("#", options=options)
        else:
            # QoS 1 makes a clustered broker keep accounts of what an observer has seen.
            client.subscribe("#", qos=0)
        self.connects += 1

    def _received(self, _client, _data, message):
        with self.lock:
            self.messages.append((message.topic, message.payload.decode(errors="replace"), message.retain))

    def publish(self, topic, payload, retain=False):
        if not isinstance(payload, str):
            payload = json.dumps(payload)
        # After a broken connection, what is published before the next one is lost.
        if not self.is_up.wait(PATIENCE):
            raise Failed("no connection to the broker")
        message = self.client.publish(topic, payload, 1, retain)
        message.wait_for_publish(PATIENCE)
        if not message.is_published():
            raise Failed(f"the broker does not take what is published to {topic}")

    @property
    def count(self):
        return len(self.messages)

    def payloads(self, topic, since=0):
        with self.lock:
            return [payload for name, payload, _ in self.messages[since:] if name == topic]

    def expect(self, topic, payload, since=0, seconds=PATIENCE):
        """Waits for a message, by its whole payload."""
        def missing():
            seen = self.payloads(topic, since)
            return [] if payload in seen else [f"{topic}: no {payload!r} but {seen[-3:]}"]
        eventually(missing, seconds)

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()


def retained(port, version=paho.MQTTv5, seconds=PATIENCE):
    """What the broker on `port` holds, by topic, as a client sees it that comes now."""
    client = Observer(port, version, seconds)
    try:
        # QoS 1 keeps the order within a connection: what is retained comes before this does.
        client.publish("proof/end", "")
        client.expect("proof/end", "", seconds=seconds)
        with client.lock:
            # Some brokers show what they keep for themselves to everyone, against the standard.
            return {
                topic: payload for topic, payload, _ in client.messages
                if payload and not topic.startswith("$")}
    finally:
        client.close()
