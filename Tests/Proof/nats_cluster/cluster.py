"""Three NATS servers that are one MQTT broker."""

import re
import subprocess

import paho.mqtt.client as paho

from proving.observer import Observer
from proving.processes import Process, free_port, unpacked
from proving.record import Failed
from proving.waiting import eventually

NODES = 3
SECONDS_TO_ANSWER = 10
"""After so many, a server that cannot agree with the others never answers this client."""
SECONDS_TO_AGREE = 180


def server():
    """Its program. Debian's package enables a service for all who install it."""
    return unpacked("nats-server", "nats-server", "usr/sbin/nats-server")


class Node:
    def __init__(self, number, folder, routes):
        self.name = f"node{number}"
        self.port = free_port()
        self.program = server()
        self.folder = folder / self.name
        self.folder.mkdir()
        listening = ", ".join(f'"nats://127.0.0.1:{port}"' for port in routes)
        self.configuration = self.folder / "nats.conf"
        self.configuration.write_text(
            f"server_name: {self.name}\nlisten: 127.0.0.1:{free_port()}\n"
            f'jetstream {{ store_dir: "{self.folder}/store" }}\n'
            f"cluster {{ name: proof, listen: 127.0.0.1:{routes[number]}, routes: [{listening}] }}\n"
            # A subscription's account lives with its client: three of them, on disk, take seconds each to agree on.
            f"mqtt {{ listen: 127.0.0.1:{self.port}, consumer_replicas: 1, consumer_memory_storage: true }}\n")
        self.process = None

    def start(self):
        self.process = Process([self.program, "-c", str(self.configuration)], self.folder / "log")
        self.process.wait_for_port(self.port)

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process = None


class Cluster:
    def __init__(self, folder):
        routes = [free_port() for _ in range(NODES)]
        self.nodes = [Node(number, folder, routes) for number in range(NODES)]

    @property
    def version(self):
        told = subprocess.run([self.nodes[0].program, "--version"], capture_output=True, text=True).stdout
        return re.search(r"v?(\d[\d.]*)", told)[1]

    @property
    def ports(self):
        return [node.port for node in self.nodes]

    def start(self):
        for node in self.nodes:
            node.start()
        for node in self.nodes:
            self.expect_service(node)

    def expect_service(self, node):
        """Waits until the node takes clients, for which the servers must have found a majority."""
        def refused():
            try:
                Observer(node.port, paho.MQTTv311, SECONDS_TO_ANSWER).close()
                return []
            except (Failed, OSError) as error:
                return [f"{node.name}: {error}"]
        eventually(refused, SECONDS_TO_AGREE)

    def stop(self):
        for node in self.nodes:
            node.kill()
