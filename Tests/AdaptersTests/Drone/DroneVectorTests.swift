import DeviceModel
import JSON
import Testing

@testable import Adapters

struct `The drone's vectors` {
  @Test func `packets of telemetry are read as their vector says`() throws {
    for vector in try Vectors.load("drone-telemetry.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      let bytes = try vector.bytes("bytes")
      do throws(DroneTelemetry.DecodingError) {
        let telemetry = try DroneTelemetry(decoding: bytes)
        #expect(telemetry.vector == vector["telemetry"], why)
      } catch {
        let expected = try #require(vector.text("error"), why)
        #expect(error.description.hasPrefix(expected), why)
      }
    }
  }

  @Test func `commands are written as their vector says`() throws {
    for vector in try Vectors.load("drone-commands.json") {
      let command = try #require(DroneCommand(vector["command"]))
      let line = command.line(try #require(vector.integer("sequence")))
      #expect(
        String(decoding: line, as: UTF8.self) == vector.text("line"),
        Comment(rawValue: vector.text("why") ?? ""))
    }
  }

  @Test func `positions are read as their vector says`() throws {
    let now = Moment(uptime: .seconds(1000), wall: Timestamp(seconds: 1_796_029_200))
    for vector in try Vectors.load("drone-positions.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      let payload = Array(try #require(vector.text("payload")).utf8)
      do throws(DronePosition.Flaw) {
        let position: DroneNavigator.Position? =
          if vector.text("form") == "owntracks" {
            try DronePosition.readOwnTracks(payload, at: now)
          } else {
            try DronePosition.read((try? JSON.parse(payload)) ?? .unknown, at: now)
          }
        #expect(position.map { Value.object($0.vector(at: now)) } == vector["position"], why)
      } catch {
        let expected = try #require(vector.text("error"), why)
        #expect(error.description.hasPrefix(expected), why)
      }
    }
  }
}

extension DroneTelemetry {
  fileprivate var vector: Value {
    var members: Value.Members = [
      "state": .integer(Int(state.rawValue)), "sequence": .integer(Int(sequence)),
    ]
    if let demo {
      let control =
        switch demo.control {
        case .landed: "landed"
        case .takingOff: "taking off"
        case .flying: "flying"
        case .landing: "landing"
        case .other(let number): "other \(number)"
        }
      members["demo"] = [
        "control": .text(control), "battery": .integer(Int(demo.battery)), "pitch": .number(demo.pitch),
        "roll": .number(demo.roll), "yaw": .number(demo.yaw), "altitude": .number(demo.altitude),
      ]
    }
    return .object(members)
  }
}

extension DroneCommand {
  fileprivate init?(_ value: Value?) {
    switch value {
    case "take_off": self = .reference(isFlying: true)
    case "land": self = .reference(isFlying: false)
    case "emergency": self = .reference(isFlying: false, isEmergency: true)
    case "hover": self = .hover
    case "flat_trim": self = .flatTrim
    case "watchdog": self = .communicationWatchdog
    case "short_telemetry": self = .shortTelemetry
    case "acknowledge": self = .acknowledge
    case .list(let list) where list.count == 4:
      let numbers = list.map { if case .number(let number) = $0 { Float(number) } else { Float.nan } }
      self = .progress(roll: numbers[0], pitch: numbers[1], gaz: numbers[2], yaw: numbers[3])
    default: return nil
    }
  }
}

extension DroneNavigator.Position {
  fileprivate func vector(at now: Moment) -> Value.Members {
    var members: Value.Members = [
      "latitude": .number(place.latitude), "longitude": .number(place.longitude),
    ]
    members["heading"] = heading.map { .number($0) }
    members["accuracy"] = accuracy.map { .number($0) }
    members["age"] = .number((now.uptime - time) / .seconds(1))
    return members
  }
}
