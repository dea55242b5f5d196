import Configuration
import DeviceModel
import Foundation
import Testing

/// Each mistake with its file, line, column, key, what was expected and what was probably meant.
struct `A mistake is named with its place` {
  @Test func `all of them at once, in the order of the file`() {
    #expect(
      problems(
        """
        mqtt:
          sever: mqtt://localhost
          version: 4
          queue: 5
        homeassistant:
          discovery: of
        outpt: json
        devices:
          - name: Plug
            kind: power_plgu
            link: { tpc: "a:1" }
          - name: Door
            kind: pet_door
            link:
              ble: C0:DE
              session: hold
        """)
          == """
          c.yaml:2:3: mqtt.sever: unknown key 'sever'; expected one of server, servers, username, password, ca, certificate, key, base_topic, bridge, client_id, version, keep_alive, queue; did you mean 'server'?
          c.yaml:3:12: mqtt.version: '4' is not valid; expected one of 5, 3.1.1
          c.yaml:4:10: mqtt.queue: '5': out of range; expected an integer from 10 to 100000
          c.yaml:6:14: homeassistant.discovery: 'of' is not valid; expected one of device, components, off; did you mean 'off'?
          c.yaml:7:1: outpt: unknown key 'outpt'; expected one of mqtt, homeassistant, bluetooth, output, accept, log_level, devices; did you mean 'output'?
          c.yaml:10:11: devices[0].kind: 'power_plgu' is no known kind; expected one of power_plug, pet_door, uart, tv_volume, garage_door, rover, beacon, drone; did you mean 'power_plug'?
          c.yaml:11:13: devices[0].link.tpc: unknown key 'tpc'; expected one of tcp, udp, serial, ble, ble_name, capture, baud, resets, boot, service, session, poll, connect_timeout; did you mean 'tcp'?
          c.yaml:15:12: devices[1].link.ble: 'C0:DE' is not valid; expected a Bluetooth address such as C0:DE:00:00:00:01
          c.yaml:16:16: devices[1].link.session: 'hold' is not valid; expected one of held, polled, on_demand; did you mean 'held'?
          """)
  }

  @Test func `a configuration with an error is none`() {
    #expect(read("output: jsno").configuration == nil)
  }

  @Test(arguments: [
    ("mqtt: { server: http://a }", "1:17: mqtt.server: 'http://a': web sockets are not supported"),
    ("mqtt: { server: tcp://a:1 }", "1:17: mqtt.server: 'tcp://a:1' is not valid"),
    ("mqtt: { server: mtqt://a }", "1:17: mqtt.server: 'mtqt://a': unknown scheme"),
    (
      "mqtt: { server: mqtt://me:geheim@a }",
      "1:17: mqtt.server: user name and password have keys of their own"
    ),
    ("mqtt: { server: \"a:70000\" }", "1:17: mqtt.server: 'a:70000' is not valid"),
    ("mqtt: { server: mqtt://a/b }", "1:17: mqtt.server: 'mqtt://a/b' is not valid"),
    ("mqtt: { servers: [] }", "1:18: mqtt.servers: 0 entries"),
    ("mqtt: { server: a, servers: [b] }", "1:20: mqtt.servers: 'servers' beside 'server' (line 1)"),
    ("mqtt: { server: }", "1:17: mqtt.server: no value"),
    ("mqtt: [a]", "1:7: mqtt: found a list"),
    ("mqtt: a", "1:7: mqtt: found text"),
    ("mqtt: { password: x }", "1:19: mqtt.password: 'password' without 'username'"),
    (
      "mqtt: { server: mqtts://a, key: MistakeTests.swift }",
      "1:33: mqtt.key: 'MistakeTests.swift' cannot be read"
    ),
    ("mqtt: { base_topic: a/# }", "1:21: mqtt.base_topic: 'a/#': '#' stands for other topics"),
    ("mqtt: { base_topic: a+ }", "1:21: mqtt.base_topic: 'a+': '+' stands for other topics"),
    ("mqtt: { base_topic: /a }", "1:21: mqtt.base_topic: '/a': a slash at its end"),
    ("mqtt: { base_topic: a/ }", "1:21: mqtt.base_topic: 'a/': a slash at its end"),
    ("mqtt: { base_topic: a//b }", "1:21: mqtt.base_topic: 'a//b': two slashes in a row"),
    ("mqtt: { base_topic: $SYS }", "1:21: mqtt.base_topic: '$SYS': topics with '$' belong to the broker"),
    ("mqtt: { base_topic: \"\" }", "1:21: mqtt.base_topic: empty"),
    (
      "mqtt: { base_topic: \"a\\0b\" }",
      "1:21: mqtt.base_topic: 'a\u{FFFD}b': it has a character that no topic should have"
    ),
    ("mqtt: { bridge: a/b }", "1:17: mqtt.bridge: 'a/b' is not valid"),
    ("mqtt: { bridge: Main }", "1:17: mqtt.bridge: 'Main' is not valid"),
    ("mqtt: { keep_alive: 30 }", "1:21: mqtt.keep_alive: '30': it has no unit"),
    ("mqtt: { queue: 010 }", "1:16: mqtt.queue: '010': it has a leading zero"),
    ("homeassistant: { prefix: sketch2mqtt }", "1:26: homeassistant.prefix: the same as mqtt.base_topic"),
    (
      "homeassistant: { status_topic: a/+ }",
      "1:32: homeassistant.status_topic: 'a/+': '+' stands for other topics"
    ),
    ("bluetooth: { adapter: hci }", "1:23: bluetooth.adapter: 'hci' is not valid"),
    ("output: yes", "1:9: output: 'yes' is not valid"),
    ("accept: none", "1:9: accept: 'none' is not valid"),
    ("accept: [x]", "1:10: accept[0]: 'x' is not valid"),
    ("accept: { a: b }", "1:9: accept: found a mapping"),
    ("log_level: warn", "1:12: log_level: 'warn' is not valid"),
    ("devices: { a: b }", "1:10: devices: found a mapping"),
    ("devices: [a]", "1:11: devices[0]: found text"),
    ("devices: [{}]", "1:11: devices[0].name: missing"),
    ("[a]", "1:1: found a list"),
  ])
  func `in the general settings`(text: String, start: String) {
    let found = problems(text)
    #expect(found.hasPrefix("c.yaml:\(start)"))
    #expect(found.contains("expected "))
    #expect(!found.contains("geheim"))
  }

  @Test(arguments: [
    (
      "kind: uart, link: ▸{}",
      "devices[0].link: missing; expected one of tcp, udp, serial, ble, ble_name, capture"
    ),
    ("kind: uart, link: { tcp: ▸a }", "devices[0].link.tcp: 'a' is not valid; expected host:port"),
    (
      "kind: uart, link: { tcp: \"a:1\", ▸ble_name: b }",
      "devices[0].link.ble_name: 'ble_name' beside 'tcp' (line 2); expected only one of tcp, udp, serial, ble, ble_name, capture"
    ),
    ("kind: uart, link: ▸x", "devices[0].link: found text; expected a mapping with tcp"),
    ("kind: uart, links: ▸[]", "devices[0].links: found a list; expected a mapping of names"),
    (
      "kind: uart, link: { serial: ▸ttyUSB0 }",
      "devices[0].link.serial: 'ttyUSB0' is not valid; expected the path of a serial port such as /dev/serial/by-id/usb-…; did you mean '/dev/ttyUSB0'?"
    ),
    (
      "kind: uart, link: { serial: ▸ports/a }",
      "devices[0].link.serial: 'ports/a' is not valid; expected the path of a serial port"
    ),
    (
      "kind: uart, link: { capture: ▸[a] }",
      "devices[0].link.capture: the kind 'uart' is not reached by 'capture'; expected one of ble, ble_name, tcp, udp, serial"
    ),
    (
      "kind: uart, link: { tcp: \"a:1\", baud: ▸9600 }",
      "devices[0].link.baud: 'baud' beside 'tcp'; expected it beside 'serial'"
    ),
    (
      "kind: uart, link: { tcp: \"a:1\", service: ▸nus }",
      "devices[0].link.service: 'service' beside 'tcp'; expected it beside 'ble' or 'ble_name'"
    ),
    (
      "kind: uart, link: { serial: /dev/a, baud: ▸1 }",
      "devices[0].link.baud: '1': out of range; expected an integer from 300 to 4000000"
    ),
    (
      "kind: uart, link: { tcp: \"a:1\", session: held, poll: ▸1s }",
      "devices[0].link.poll: 'poll' beside 'session: held'; expected it with 'session: polled'"
    ),
    (
      "kind: uart, link: { ble_name: a, service: ▸nsu }",
      "devices[0].link.service: 'nsu' is not valid; expected one of nus, hm10; did you mean 'nus'?"
    ),
    (
      "kind: uart, link: { ble_name: a, service: { service: ▸FFE, write: FFE1 } }",
      "devices[0].link.service.service: 'FFE' is not valid; expected a UUID such as FFE0 or 6e400001-b5a3-f393-e0a9-e50e24dcca9e"
    ),
    ("kind: beacon, link: ▸{ ble_name: a }", "devices[0].link: the kind 'beacon' has no link"),
    (
      "kind: uart, link: { ble_name: a }, ▸links: { board: { ble_name: a } }",
      "devices[0].links: 'links' beside 'link' (line 2); expected only one of link, links"
    ),
    (
      "kind: tv_volume, links: ▸{ microphone: { udp: \"a:1\" } }",
      "devices[0].links.board: missing; expected a link of the kind 'tv_volume': ble, ble_name"
    ),
    (
      "kind: tv_volume, links: { board: { ble_name: a }, microfone: ▸{ udp: \"a:1\" } }",
      "devices[0].links.microfone: the kind 'tv_volume' has no link 'microfone'; expected one of board, microphone; did you mean 'microphone'?"
    ),
    ("kind: beacon, icon: ▸door", "devices[0].icon: 'door' is not valid; expected an icon such as mdi:door"),
    ("kind: beacon, rssi: ▸1", "devices[0].rssi: '1' is not valid; expected true or false"),
    (
      "kind: beacon, filters: { minimum_interval: ▸5 }",
      "devices[0].filters.minimum_interval: '5': it has no unit; expected a duration such as 500ms, 10s or 5m, from 0s to 24h; did you mean '5s'?"
    ),
    (
      "kind: beacon, filters: { properties: { set: ▸{ minimum_change: 1 } } }",
      "devices[0].filters.properties.set: no property can have this name; expected the key of a property"
    ),
    ("kind: beacon, options: { ▸a: 1 }", "devices[0].options.a: unknown key 'a'; expected no keys here"),
    ("kind: beacon, options: ▸[1]", "devices[0].options: found a list; expected a mapping with"),
    (
      "kind: beacon, id: ▸Ab",
      "devices[0].id: 'Ab' is not valid; expected 1 to 64 of the characters a to z, 0 to 9 and _; did you mean 'ab'?"
    ),
    (
      "kind: beacon, id: ▸bridge",
      "devices[0].id: the topic 'bridge' is the bridge's own; expected another id"
    ),
  ])
  func `in a device, at the mark`(marked: String, problem: String) {
    let parts = "  - { name: X, \(marked) }".split(separator: "▸")
    let found = problems("devices:\n\(parts.joined())").split(separator: "\n")
    #expect(parts.count == 2)
    let start = "c.yaml:2:\(parts[0].count + 1): \(problem)"
    #expect(found.contains { $0.hasPrefix(start) }, "\(start) is not in \(found)")
  }

  @Test func `in the options of a kind`() {
    #expect(
      problems(
        """
        devices:
          - name: Garage
            kind: garage_door
            link: { ble_name: G }
            options:
              persons:
                - { name: Anna, pin: 0123 }
                - { nmae: Bo, pin: [1] }
              person: 1
        """)
          == """
          c.yaml:7:30: devices[0].options.persons[0].pin: 4 characters; expected text of 5 characters
          c.yaml:8:13: devices[0].options.persons[1].nmae: unknown key 'nmae'; expected one of name, pin; did you mean 'name'?
          c.yaml:8:28: devices[0].options.persons[1].pin: found a list; expected text of 5 characters
          c.yaml:9:7: devices[0].options.person: unknown key 'person'; expected one of persons; did you mean 'persons'?
          """)
  }

  @Test func `a device without a link or without a kind, at its beginning`() {
    #expect(
      problems("devices:\n  - name: X\n    kind: uart\n  - { name: Y }")
        == """
        c.yaml:2:5: devices[0].link: missing; expected a link of the kind 'uart': ble, ble_name, tcp, udp, serial
        c.yaml:4:5: devices[1].kind: missing; expected text of at most 64 characters
        """)
  }

  @Test func `two devices on one topic, with both lines`() {
    #expect(
      problems(
        """
        devices:
          - { name: Pet door, kind: beacon }
          - { name: "Pet-Door", kind: beacon }
          - { name: Other, id: pet_door, kind: beacon }
          - { name: Pet Door, id: pet_door_2, kind: beacon }
        """)
          == """
          c.yaml:3:13: devices[1].name: the id 'pet_door' is already that of devices[0] in line 2; expected an 'id' of its own
          c.yaml:4:24: devices[2].id: the id 'pet_door' is already that of devices[0] in line 2; expected an 'id' of its own
          """)
  }

  @Test func `a name that is no topic`() {
    #expect(
      problems("devices:\n  - { name: \"🐈\", kind: beacon }\n  - { name: Bridge, kind: beacon }")
        == """
        c.yaml:2:13: devices[0].name: no letter or digit for a topic; expected an 'id' beside it
        c.yaml:3:13: devices[1].name: the topic 'bridge' is the bridge's own; expected an 'id' beside it
        """)
  }

  @Test func `two devices on one board are a warning`() throws {
    let (configuration, problems) = read(
      """
      devices:
        - { name: A, kind: uart, link: { tcp: "a:1" } }
        - { name: B, kind: uart, link: { tcp: "a:1" } }
      """)
    #expect(configuration?.devices.count == 2)
    #expect(
      problems.map(\.description) == [
        "c.yaml:3:34: warning: the same board as in line 2; expected one device for a board"
      ])
  }

  @Test func `TLS files without TLS are a warning, half a pair is an error`() throws {
    try withDirectory { directory in
      let pem = directory.appending(path: "x.pem")
      try pem.write("PEM")
      #expect(
        problems("mqtt: { server: mqtt://a, ca: \(pem.path) }")
          == "c.yaml:1:31: warning: mqtt.ca: 'ca' has no effect; expected a server that begins with mqtts://")
      #expect(
        problems("mqtt: { server: mqtts://a, key: \(pem.path) }")
          == "c.yaml:1:33: mqtt.key: 'key' without 'certificate'; expected both or none")
    }
  }

  @Test func `nothing at all`() {
    for text in ["", "\n# only a comment\n", "---\n", "~"] {
      #expect(
        problems(text).hasPrefix("c.yaml: nothing is written; expected a mapping with mqtt, "), "\(text)")
    }
  }

  @Test func `more mistakes than anyone reads are counted`() {
    let (_, problems) = read((0..<5000).map { "k\($0): 1" }.joined(separator: "\n"))
    #expect(problems.count == 101)
    #expect(problems.last?.description == "c.yaml: 4900 problems more")
  }
}
