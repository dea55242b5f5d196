import EventLoop
import Foundation
import Simulation
import TestSupport
import Testing

/// The script of `examples/voice`, run as it stands but for its microphone and its loudspeaker.
@Suite(
  .enabled(
    if: VoicePrograms.areInstalled,
    "NOT RUN: pocketsphinx, its model, espeak-ng, flite or sox is missing; `make test` installs them"))
struct VoiceExampleTests {
  init() { _ = LoopThread.started }

  private static let folder = Program.packageRoot.appending(path: "examples/voice")

  private static let words = [
    "right", "left", "center", "forward", "slow forward", "fast forward", "backward", "slow backward",
    "fast backward", "stop",
  ]

  /// Raw sound as the script's microphone gives it.
  private func speak(_ word: String, _ voice: String, to file: String) async throws {
    let synthesis =
      voice.hasPrefix("en") ? "espeak-ng -v \(voice) -s 140 -w" : "flite -voice \(voice) -o"
    let text = voice.hasPrefix("en") ? "'\(word)'" : "-t '\(word)'"
    let result = try await Program.run(
      "/bin/sh",
      [
        "-c",
        """
        \(synthesis) \(file).wav \(text) &&
          sox -q \(file).wav -r 16000 -c 1 -b 16 -e signed -t raw \(file) pad 0.3 0.3
        """,
      ])
    try #require(result.status == 0, "\(result.errors)")
  }

  @Test @Loop func `each word is understood, spoken back and obeyed`() async throws {
    let directory = try TestSupport.TemporaryDirectory()
    var wrong: [String] = []
    try await ExampleHouse.with { house in
      for voice in ["en-us", "en-gb", "slt", "rms"] {
        for (number, word) in Self.words.enumerated() {
          try await speak(word, voice, to: directory("word-\(number)"))
        }
        // The microphone gives one file after the other; the loudspeaker writes down what it says.
        try directory.write("0", to: "next")
        try directory.write(
          """
          n=$(cat \(directory("next"))); cat "\(directory("word-"))$n"; echo $((n + 1)) > \(directory("next"))
          """, to: "microphone")
        let before = house.owner.messages.count
        var environment = house.environment
        environment["RECORD"] = "sh \(directory("microphone"))"
        environment["SAY"] = "echo said"
        let result = try await Program.run(
          "/bin/sh",
          ["-c", "yes '' | head -n \(Self.words.count) | \(Self.folder.path)/voice-drive rover"],
          environment: environment)
        #expect(result.status == 0, "\(result.errors)")
        let said = result.output.split(separator: "\n").filter { $0.hasPrefix("said ") }
          .map { String($0.dropFirst(5)) }
        wrong += zip(Self.words, said).filter { $0 != $1 }.map { "\(voice): \($0) as \($1)" }
        #expect(said.count == Self.words.count)
        // All that was said, and STOP when it ends.
        let sent = said.map { $0.uppercased() } + ["STOP"]
        let words = {
          house.owner.messages.all.dropFirst(before)
            .filter { $0.topic == "sketch2mqtt/rover/voice/set" }.map(\.text)
        }
        #expect(await eventually { words().count >= sent.count })
        #expect(words() == sent)
      }
      #expect(house.refusals == [])
      try await house.rover.wait { $0.wheels.isStanding }
    }
    // Of 40; the words of this grammar were understood 69 times of 70 when it was made.
    #expect(wrong.count <= 2, "\(wrong)")
  }

  @Test @Loop func `a key stops without listening, and a killed script stops the rover`() async throws {
    try await ExampleHouse.with { house in
      let directory = try TestSupport.TemporaryDirectory()
      try await speak("fast forward", "en-us", to: directory("word"))
      var environment = house.environment
      environment["RECORD"] = "cat \(directory("word"))"
      environment["SAY"] = "echo said"
      let script = "\(Self.folder.path)/voice-drive"
      // The shell that is killed is the script itself.
      let drive = try ChildProcess(
        "/bin/bash", ["-c", "exec \(script) rover < <(echo; exec sleep 20)"], environment: environment)
      try await house.message("rover") {
        $0.contains(#""voice":"FAST FORWARD""#) && $0.contains(#""throttle":80"#)
      }
      let before = house.owner.messages.count
      try await drive.kill9()
      try await house.message("rover", from: before) { $0.contains(#""throttle":0"#) }

      let after = house.owner.messages.count
      let result = try await Program.run(
        "/bin/sh", ["-c", "echo x | RECORD=false \(script) rover"], environment: environment)
      #expect(result.status == 0 && result.output == "stop\nsaid stop\n", "\(result.errors)")
      try await house.owner.messages.first(from: after, within: .seconds(60)) {
        $0.topic == "sketch2mqtt/rover/voice/set" && $0.text == "STOP"
      }
    }
  }

  @Test @Loop func `silence is no word`() async throws {
    try await ExampleHouse.with { house in
      var environment = house.environment
      environment["RECORD"] = "head -c 64000 /dev/zero"
      environment["SAY"] = "echo said"
      let before = house.owner.messages.count
      let result = try await Program.run(
        "/bin/sh", ["-c", "echo | \(Self.folder.path)/voice-drive rover"], environment: environment)
      #expect(result.output == "said I heard nothing\n", "\(result.output)\(result.errors)")
      try await house.owner.messages.first(from: before, within: .seconds(60)) {
        $0.topic == "sketch2mqtt/rover/voice/set"
      }
      let words = house.owner.messages.all.dropFirst(before).filter {
        $0.topic == "sketch2mqtt/rover/voice/set"
      }
      #expect(words.map(\.text) == ["STOP"])
    }
  }
}

private enum VoicePrograms {
  static let areInstalled = [
    "/usr/bin/pocketsphinx_continuous", "/usr/share/pocketsphinx/model/en-us/en-us", "/usr/bin/espeak-ng",
    "/usr/bin/flite", "/usr/bin/sox",
  ].allSatisfy(FileManager.default.fileExists)
}
