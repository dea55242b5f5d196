import EventLoop
import Simulation
import TestSupport
import Testing

/// `scan` and `explore` as a person types them, beside a bridge that runs.
struct `A look around from the command line` {
  @Test func `scan lists whom the bridge hears, as far as it is wanted`() async throws {
    try await withAir { lodge, air in
      let (_, weather) = air.weather()
      weather.rssiDBm = -40
      let uuid = [UInt8](repeating: 0xAB, count: 16)
      air.bluez.addIBeacon(at: "C0:DE:00:00:00:13", uuid: uuid, major: 1, minor: 65_535).rssiDBm = -70
      let all = try await lodge.typed("scan", "--seconds", "1")
      #expect(all.status == 0 && all.errors == "")
      let lines = all.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 5 && lines.allSatisfy { $0.count <= 80 })
      #expect(lines[1].hasPrefix("C0:DE:00:00:00:11   -40  Weather") && lines[1].contains("180f Battery"))
      #expect(lines[2].hasPrefix("C0:DE:00:00:00:13   -70") && lines[2].hasSuffix("ibeacon"))
      #expect(lines[3] == "  abababab-abab-abab-abab-abababababab:1:65535", "whole, to be copied")
      #expect(lines[4] == "2 devices")
      for (option, count) in [
        ("--rssi=-50", "1 device"), ("--rssi=-70", "2 devices"), ("--name=Wea", "1 device"),
        ("--service=180F", "1 device"), ("--service=181a", "nobody was heard"),
        ("--name=X", "nobody was heard"),
      ] {
        let result = try await lodge.typed("scan", "--seconds=1", option)
        #expect(result.status == 0 && result.output.hasSuffix("\(count)\n"), "\(option): \(result)")
      }
      air.bluez.powerOff()
      let off = try await lodge.typed("scan", "--seconds=1")
      #expect(off.status == 1 && off.output == "" && off.errors.contains("is off"))
    }
  }

  @Test func `explore lists a board's services, by its address or its name`() async throws {
    try await withAir { lodge, air in
      let (board, _) = air.weather()
      for word in [Air.weatherAddress, "Weather"] {
        let result = try await lodge.typed("explore", word, "--values")
        #expect(result.status == 0 && result.errors == "")
        for part in [
          "C0:DE:00:00:00:11  Weather  -60 dBm  MTU 23", "\n181a  Environmental Sensing\n",
          "  2a6e  Temperature", "read notify", "'outside'", "'attic'", "* when paired",
        ] { #expect(result.output.contains(part), "\(part) in \(result.output)") }
      }
      #expect(board.written.isEmpty)
      let nobody = try await lodge.typed("explore", "C0:DE:00:00:00:77")
      #expect(nobody.status == 1 && nobody.errors.contains("not heard"))
    }
  }
}

extension Lodge {
  fileprivate nonisolated func typed(_ arguments: String...) async throws -> ProgramResult {
    let file = try folder.write("mqtt: { server: \"mqtt://127.0.0.1:\(broker.port)\" }\n", to: "typed.yaml")
    return try await Program.run(Program.sketch2mqtt, arguments + ["--config", file])
  }
}
