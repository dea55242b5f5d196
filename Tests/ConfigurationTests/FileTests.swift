import Configuration
import DeviceModel
import Foundation
import Testing

struct `Files and the environment` {
  private let text = "mqtt:\n  username: me\n  password: !file secrets/mqtt\n"

  private func load(_ file: URL) -> (configuration: Configuration?, problems: [String]) {
    let (configuration, problems) = Configuration.load(
      path: file.path, kinds: kinds, environment: { _ in nil })
    return (
      configuration,
      problems.map { $0.description.replacing(file.deletingLastPathComponent().path, with: "DIR") }
    )
  }

  @Test func `a secret is read from a file beside the configuration, without its line end`() throws {
    for (written, meant) in [
      ("geheim\n", "geheim"), ("geheim", "geheim"), ("geheim\r\n", "geheim"),
      (" ge heim \n\n", " ge heim \n"),
    ] {
      try withDirectory { directory in
        try FileManager.default.createDirectory(
          at: directory.appending(path: "secrets"), withIntermediateDirectories: true)
        try directory.appending(path: "secrets/mqtt").write(written)
        try directory.appending(path: "c.yaml").write(text, permissions: 0o644)
        let (configuration, problems) = load(directory.appending(path: "c.yaml"))
        if meant.contains("\n") {
          #expect(
            problems == [
              "DIR/c.yaml:3:13: mqtt.password: it has a line break or another control character; expected text of at most 1000 characters"
            ])
        } else {
          #expect(problems == [])
          #expect(configuration?.mqtt.password?.reveal() == meant)
        }
      }
    }
  }

  @Test func `a secret that cannot be read is one problem at its place`() throws {
    try withDirectory { directory in
      let file = directory.appending(path: "c.yaml")
      try file.write(text)
      #expect(
        load(file).problems == [
          "DIR/c.yaml:3:13: 'DIR/secrets/mqtt' cannot be read: No such file or directory; expected a file with the secret"
        ])
      let secret = directory.appending(path: "secrets/mqtt")
      try FileManager.default.createDirectory(at: secret, withIntermediateDirectories: true)
      #expect(
        load(file).problems == [
          "DIR/c.yaml:3:13: 'DIR/secrets/mqtt' is not a regular file; expected a file with the secret"
        ])
      try FileManager.default.removeItem(at: secret)
      mkfifo(secret.path, 0o600)
      #expect(
        load(file).problems == [
          "DIR/c.yaml:3:13: 'DIR/secrets/mqtt' is not a regular file; expected a file with the secret"
        ])
      try FileManager.default.removeItem(at: secret)
      try secret.write("\n")
      #expect(
        load(file).problems == ["DIR/c.yaml:3:13: 'DIR/secrets/mqtt' is empty; expected a secret in it"])
      try secret.write(String(repeating: "x", count: 65_537))
      #expect(
        load(file).problems == [
          "DIR/c.yaml:3:13: 'DIR/secrets/mqtt' is larger than 64 kB; expected a file with the secret"
        ])
      try Data([0x67, 0xFC]).write(to: secret)
      #expect(load(file).problems == ["DIR/c.yaml:3:13: 'DIR/secrets/mqtt' is not UTF-8"])
    }
    #expect(
      problems("mqtt: { username: me, password: !file \"\" }")
        == "c.yaml:1:33: '!file' names no file; expected a path")
  }

  @Test func `a secret that everybody can read is worth a warning`() throws {
    try withDirectory { directory in
      let file = directory.appending(path: "c.yaml")
      try FileManager.default.createDirectory(
        at: directory.appending(path: "secrets"), withIntermediateDirectories: true)
      try directory.appending(path: "secrets/mqtt").write("geheim", permissions: 0o644)
      try file.write(text, permissions: 0o644)
      let (configuration, problems) = load(file)
      #expect(configuration != nil)
      #expect(
        problems == [
          "DIR/c.yaml:3:13: warning: 'DIR/secrets/mqtt' can be read by every user of this machine; expected a secret only for its owner (chmod o-rwx)"
        ])
    }
  }

  @Test func `a configuration with secrets that everybody can read is worth a warning`() throws {
    let clear = """
      mqtt: { username: me, password: geheim }
      devices:
        - { name: G, kind: garage_door, link: { ble_name: G }, options: { persons: [{ name: A, pin: 01234 }] } }
      """
    let warning =
      "warning: every user of this machine can read the secret here; expected !file, or a file only for its owner (chmod o-rwx)"
    try withDirectory { directory in
      let file = directory.appending(path: "c.yaml")
      try file.write(clear, permissions: 0o644)
      #expect(load(file).problems == ["DIR/c.yaml:1:33: \(warning)"])
      #expect(load(file).configuration != nil)
      try file.write(clear, permissions: 0o640)
      #expect(load(file).problems == [])
      try file.write(clear.replacing(" password: geheim", with: ""), permissions: 0o644)
      #expect(load(file).problems == ["DIR/c.yaml:3:95: \(warning)"])
      let key = "5b1f9cde8a07e46d3c52b8f0917a2e6410d3f7ab85c96e0b42a17d58ef3490c6"
      let withKey =
        "devices: [{ name: G, kind: garage_door, link: { ble_name: G }, options: { key: \"\(key)\" } }]"
      try file.write(withKey, permissions: 0o644)
      #expect(load(file).problems.last == "DIR/c.yaml:1:80: \(warning)")
      try file.write("output: json", permissions: 0o644)
      #expect(load(file).problems == [])
    }
  }

  @Test func `a variable of the environment is read`() throws {
    let text = "mqtt: { server: !env SERVER, username: me, password: !env PASSWORD }"
    let environment = ["SERVER": "mqtt://a", "PASSWORD": "geheim"]
    #expect(try configuration(text, environment: environment).mqtt.password?.reveal() == "geheim")
    #expect(try configuration(text, environment: environment).mqtt.servers.map(\.host) == ["a"])
    #expect(
      problems(text, environment: ["SERVER": ""])
        == """
        c.yaml:1:17: the variable 'SERVER' is empty
        c.yaml:1:54: the variable 'PASSWORD' is not in the environment
        """)
    #expect(
      problems(text, environment: ["SERVER": "gehe im", "PASSWORD": "x"]).hasPrefix(
        "c.yaml:1:17: mqtt.server: the value is not valid"))
  }

  @Test func `a value from the environment is in no problem, wherever it stands`() {
    let secrets = [
      "g3h31m", "G3H31M", "g3h31m:x", "g3h31m/#", "mqtt://g3h31m:1/x", "/g3h31m", "hci_g3h31m", "g3h31m\n",
    ]
    for secret in secrets {
      let texts = [
        """
        mqtt: { server: $, username: $, password: $, ca: $, certificate: $, key: $, base_topic: $, bridge: $,
          client_id: $, version: $, keep_alive: $, queue: $ }
        homeassistant: { discovery: $, prefix: $, status_topic: $ }
        bluetooth: { adapter: $, bus: $ }
        output: $
        accept: $
        log_level: $
        devices:
          - { name: $, id: $, kind: $, link: $, options: $, area: $, icon: $, last_seen: $, filters: $ }
          - { name: $, kind: uart, link: { tcp: $, session: $, poll: $, baud: $, service: $ }, options: $ }
          - { name: $, kind: uart, link: { ble: $, service: { service: $, write: $, notify: $ } } }
          - { name: $, kind: garage_door, link: { ble_name: $ }, options: { persons: [{ name: $, pin: $ }, $] } }
          - { name: $, kind: garage_door, link: { ble_name: $ }, filters: { minimum_change: $ } }
        """, "mqtt: $", "devices: $", "devices: [$]", "$", "$ : 1\nmqtt:", "mqtt: { servers: [$], $ : 1 }",
        "mqtt: { <<: $ }",
      ]
      for text in texts {
        let found = problems(text.replacing("$", with: "!env S"), environment: ["S": secret])
        #expect(!found.isEmpty)
        #expect(!found.lowercased().contains("g3h31m"), "\(found)")
      }
    }
  }

  @Test func `this process has an environment`() {
    #expect(Configuration.processEnvironment("PATH") == ProcessInfo.processInfo.environment["PATH"])
    #expect(Configuration.processEnvironment("NO_SUCH_VARIABLE") == nil)
  }

  @Test func `a file that cannot be read is named`() throws {
    try withDirectory { directory in
      let file = directory.appending(path: "c.yaml")
      #expect(load(file).problems == ["DIR/c.yaml: cannot be read: No such file or directory"])
      #expect(
        Configuration.load(path: directory.path, kinds: []).problems.map(\.message) == [
          "is not a regular file"
        ])
      try file.write("#" + String(repeating: "x", count: 1024 * 1024))
      #expect(load(file).problems == ["DIR/c.yaml: is larger than 1024 kB"])
      try file.write("output: json\n#" + String(repeating: "x", count: 1024 * 1024 - 14))
      #expect(load(file).problems == [])
    }
  }
}
