"""A clustered broker: the node dies on which the bridge is, and nothing is lost."""

import contextlib
import json
import re

import paho.mqtt.client as paho

from proving.boards import Boards
from proving.bridge import Bridge
from proving.observer import Observer, retained
from proving.processes import scratch
from proving.record import Failed
from proving.waiting import eventually, until

from .cluster import SECONDS_TO_AGREE, SECONDS_TO_ANSWER, Cluster, server

FOREIGN = "somebody/else"
DEVICE = "sketch2mqtt/garden_plug"


class ClusterProof:
    name = "nats-cluster"
    title = "A cluster of three NATS servers with MQTT 3.1.1"

    def prepare(self):
        server()

    def run(self, record):
        with scratch(self.name) as folder:
            cluster = Cluster(folder)
            boards = Boards(folder)
            bridge = Bridge(folder, *cluster.ports)
            port = boards.add("garden_plug", "power_plug")
            bridge.devices["garden_plug"] = {
                "name": "Garden plug", "kind": "power_plug",
                "link": {"tcp": f"127.0.0.1:{port}", "session": "polled", "poll": "1s"}}
            try:
                Course(record, cluster, boards, bridge).run()
                record.versions["nats-server"] = cluster.version
            finally:
                for end in (bridge.kill, boards.stop, cluster.stop):
                    end()


class Course:
    def __init__(self, record, cluster, boards, bridge):
        self.record = record
        self.cluster = cluster
        self.boards = boards
        self.bridge = bridge
        self.power = "OFF"
        self.topics = set()

    def run(self):
        with self.record.step("three servers form a cluster", is_about_machine=True):
            self.cluster.start()
        with self.record.step("the bridge steps down to MQTT 3.1.1, and every node holds what it retained"):
            self.bridge.start()
            self.expect_home(self.cluster.nodes)
            if not re.search(r"connected to .* with MQTT 3\.1\.1", self.bridge.process.text()):
                raise Failed("the bridge does not say that it speaks MQTT 3.1.1")
            with self.visitor(self.cluster.nodes[2]) as visitor:
                visitor.publish(FOREIGN, "kept", retain=True)
            self.topics = set(self.retained(self.cluster.nodes[0])) | {FOREIGN}
        with self.record.step("a command that reaches one node switches the board, and all nodes hold the state"):
            self.switch(self.cluster.nodes[1])
            self.expect_home(self.cluster.nodes)
        with self.record.step("the node is killed on which the bridge is: it goes on by another, commands are "
                              "heard there, and nothing retained is lost"):
            node = self.node_of_the_bridge()
            node.kill()
            rest = [other for other in self.cluster.nodes if other is not node]
            eventually(lambda: self.still_on(node), SECONDS_TO_AGREE)
            self.expect_home(rest)
            self.switch(rest[0])
            self.expect_home(rest)
        with self.record.step("the node comes back, and holds it too"):
            node.start()
            self.cluster.expect_service(node)
            self.expect_home(self.cluster.nodes)
        with self.record.step("node after node dies on which the bridge is, and comes back: it goes on each time, "
                              "and suspects no second client"):
            for _ in self.cluster.nodes:
                node = self.node_of_the_bridge()
                node.kill()
                eventually(lambda: self.still_on(node), SECONDS_TO_AGREE)
                node.start()
                self.cluster.expect_service(node)
            self.switch(self.cluster.nodes[0])
            self.expect_said(self.node_of_the_bridge(), {
                "sketch2mqtt/bridge/main/state": "online", f"{DEVICE}/availability": "online"})
            if "another client" in self.bridge.process.text():
                raise Failed("it says that another client uses its client id")
        with self.record.step("the bridge stops, and says so"):
            node = self.node_of_the_bridge()
            self.bridge.stop()
            self.expect_said(node, {
                "sketch2mqtt/bridge/main/state": "offline", f"{DEVICE}/availability": "offline"})

    # ---- parts

    def node_of_the_bridge(self):
        ports = re.findall(r"connected to mqtt://127\.0\.0\.1:(\d+)", self.bridge.process.text())
        return next(node for node in self.cluster.nodes if node.port == int(ports[-1]))

    def still_on(self, node):
        return [f"the bridge is on no other node than {node.name}"] if self.node_of_the_bridge() is node else []

    def switch(self, node):
        """Over, by a client of this node. It says so again until the bridge hears it: a cluster that lacks a server
        refuses subscriptions for a while."""
        power = "OFF" if self.power == "ON" else "ON"
        words = f"garden_plug received state {1 if power == 'ON' else 0}"
        since = self.boards.count

        def unheard():
            with self.visitor(node) as visitor:
                visitor.publish(f"{DEVICE}/power/set", power)
                return [] if until(lambda: words in self.boards.lines[since:], 2) else [f"no {words}"]
        eventually(lambda: tried(unheard), SECONDS_TO_AGREE)
        self.power = power

    def expect_home(self, nodes):
        """The bridge and its board are online, and the board is as it was switched last, on each of the nodes."""
        for node in nodes:
            self.expect_retained(node, {
                "sketch2mqtt/bridge/main/state": "online", f"{DEVICE}/availability": "online"})

    def expect_retained(self, node, expected):
        def wrong():
            held = self.retained(node)
            lines = [f"{node.name} has lost {topic}" for topic in sorted(self.topics - set(held))]
            lines += [
                f"{node.name} {topic}: expected {payload!r}, found {held.get(topic)!r}"
                for topic, payload in expected.items() if held.get(topic) != payload]
            power = json.loads(held.get(DEVICE, "{}")).get("power")
            return lines + ([] if power == self.power else [f"{node.name}: {power}, not {self.power}"])
        eventually(lambda: tried(wrong), SECONDS_TO_AGREE)

    def expect_said(self, node, expected):
        """What the bridge retained, on the node that it said it to. Others may have lost it: when its servers die one
        after the other, nats-server 2.9 can lose the majority of its account of what is retained ("NO quorum")."""
        def wrong():
            held = self.retained(node)
            lines = [
                f"{node.name} {topic}: expected {payload!r}, found {held.get(topic)!r}"
                for topic, payload in expected.items() if held.get(topic) != payload]
            power = json.loads(held.get(DEVICE, "{}")).get("power")
            return lines + ([] if power == self.power else [f"{node.name}: {power}, not {self.power}"])
        eventually(lambda: tried(wrong), SECONDS_TO_AGREE)

    @staticmethod
    @contextlib.contextmanager
    def visitor(node):
        visitor = Observer(node.port, paho.MQTTv311, SECONDS_TO_ANSWER)
        try:
            yield visitor
        finally:
            visitor.close()

    @staticmethod
    def retained(node):
        return retained(node.port, paho.MQTTv311, SECONDS_TO_ANSWER)


def tried(differences):
    """Its differences; a server that does not answer now may do so later."""
    try:
        return differences()
    except (Failed, OSError, RuntimeError) as error:
        return [str(error)]


def proofs():
    return [ClusterProof()]
