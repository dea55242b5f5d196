import DeviceModel
import JSON
import Testing

@testable import Bridge

struct CaptureRecordTests {
  static let inputs: [Input] = [
    .linkUp(.board, maximumPacket: 20), .linkUp("telemetry", maximumPacket: nil),
    .linkDown(.board, "closed by the board"), .received(.board, [0, 0x4F, 0xFF]), .received(.board, []),
    .sent(3), .notSent(4, "the link is down"), .notSent(5, "error 0x0e", mayHaveArrived: true),
    .commands(
      CommandBatch(
        number: 7, [Command("power", true), Command("schedule", verb: .put, ["name": "pump", "length": 30])])),
    .transmit(number: 8, [1, 2]), .refresh, .broker(isConnected: false), .stopping,
    .remembered(["a": [1, nil]]),
    .listening(false, "no adapter"), .listening(true, nil), .deafened(true), .deafened(false),
    .message(
      OutsideMessage("ann", topic: "owntracks/ann/phone", payload: Array("{}".utf8), isRetained: true)),
    .advertisement(
      Advertisement(
        address: "C0:DE:00:00:00:01", isRandomAddress: true, name: "tag", rssiDBm: -60,
        services: [BluetoothUUID(assigned: 0x180F)], manufacturerData: [76: [2, 21]],
        serviceData: [BluetoothUUID(assigned: 0xFEAA): [0]])),
  ]

  @Test(arguments: inputs)
  func `what is written is read back`(input: Input) throws {
    let record = CaptureRecord(.input(input), at: .milliseconds(12_345))
    let text = JSON.text(of: try #require(record.value))
    #expect(CaptureRecord(try JSON.parse(Array(text.utf8))) == record)
  }

  @Test func `what was sent is read back`() throws {
    let record = CaptureRecord(.sent("board", [0x0A, 0xF0]), at: .zero)
    let value = try #require(record.value)
    #expect(JSON.text(of: value) == #"{"send":"board","hex":"0af0","t":0}"#)
    #expect(CaptureRecord(value) == record)
  }

  @Test(arguments: [
    Input.timerFired("silence"), .random([1, 2]),
    .request(KindRequest(number: 1, "garage/pin/add", ["pin": "1"])),
  ])
  func `what a replay has of its own, and what may be secret, is not written`(input: Input) {
    #expect(CaptureRecord(.input(input), at: .zero).value == nil)
  }

  @Test(arguments: [
    "null", "[]", "{}", #"{"t":1}"#, #"{"t":-1,"refresh":true}"#, #"{"t":1,"received":"board"}"#,
    #"{"t":1,"received":"board","hex":"0"}"#, #"{"t":1,"received":"board","hex":"zz"}"#,
    #"{"t":1,"sent":-1}"#, #"{"t":1,"commands":[{}],"number":1}"#, #"{"t":1,"commands":[],"number":"x"}"#,
    #"{"t":1,"unheard_of":true}"#, #"{"refresh":true}"#, #"{"t":1e300,"refresh":true}"#,
    #"{"t":1,"advertisement":{}}"#, #"{"t":1,"message":"x","hex":""}"#,
  ])
  func `anything else is no record`(text: String) throws {
    #expect(CaptureRecord(try JSON.parse(Array(text.utf8))) == nil)
  }
}

struct CaptureReplayTests {
  /// Reports what it received, and a second later that nothing more came.
  struct Echo: Adapter {
    var description: DeviceDescription { DeviceDescription(properties: []) }

    mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
      switch input {
      case .received(_, let bytes):
        outputs += [.report("count", .integer(bytes.count)), .setTimer("quiet", after: .seconds(1))]
      case .timerFired(let name): outputs.append(.event(name, ["wall": .text(now.wall.iso8601)]))
      case .linkDown: outputs.append(.cancelTimer("quiet"))
      default: break
      }
    }
  }

  @Test func `timers run out by themselves, at the time of the capture`() {
    var replay = CaptureReplay(Echo(), start: Timestamp(seconds: 1_000_000_000))
    let first = CaptureRecord(.input(.received(.board, [1, 2])), at: .seconds(3))
    #expect(
      replay.take(first) == [
        .told(.received(.board, [1, 2]), at: .seconds(3)), .wanted(.report("count", 2), at: .seconds(3)),
      ])
    #expect(
      replay.take(CaptureRecord(.sent(.board, [9]), at: .seconds(10))) == [
        .told(.timerFired("quiet"), at: .seconds(4)),
        .wanted(.event("quiet", ["wall": "2001-09-09T01:46:44Z"]), at: .seconds(4)),
        .wasSent(.board, [9], at: .seconds(10)),
      ])
    _ = replay.take(CaptureRecord(.input(.received(.board, [])), at: .seconds(11)))
    _ = replay.take(CaptureRecord(.input(.linkDown(.board, "gone")), at: .milliseconds(11_500)))
    #expect(
      replay.take(CaptureRecord(.input(.refresh), at: .seconds(20))) == [.told(.refresh, at: .seconds(20))])
  }
}
