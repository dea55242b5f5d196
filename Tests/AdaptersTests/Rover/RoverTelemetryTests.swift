import DeviceModel
import Testing

@testable import Adapters

struct `What a rover's board says` {
  private func pieces(_ chunks: [String]) -> [RoverDecoder.Piece] {
    var decoder = RoverDecoder()
    var pieces: [RoverDecoder.Piece] = []
    for chunk in chunks { decoder.receive(Array(chunk.utf8), into: &pieces) }
    return pieces
  }

  private func tilt(_ across: Int, _ along: Int) -> RoverDecoder.Piece {
    .tilt(.init(across: across, along: along))
  }

  @Test(arguments: [
    ("-0.31:1.20", -31, 120), ("0.00:0.00", 0, 0), ("9.99:-9.99", 999, -999), ("-0.05:12.34", -5, 1234),
    ("1.00:2.00\n", 100, 200), ("1.00:2.00\r\n", 100, 200),
  ])
  func `a message is read`(text: String, across: Int, along: Int) {
    #expect(pieces([text]) == [tilt(across, along)])
  }

  @Test func `messages may come in pieces or together`() {
    let ready = [tilt(0, 0)]
    #expect(pieces(["0.00:0.00\n-0.3", "1:1.", "20", "\n"]) == ready + [tilt(-31, 120)])
    #expect(pieces(["0.00:0.00\n", "-", "0.31:1.20\r", "\n"]) == ready + [tilt(-31, 120)])
    #expect(pieces(["0.10:0.20-0.30:0.40"]) == [tilt(10, 20), tilt(-30, 40)])
    #expect(pieces(["0.10:0.20\n0.30:0.40\n"]) == [tilt(10, 20), tilt(30, 40)])
  }

  @Test(arguments: [
    "x", "1:2", "1.2:3.4", "1.00;2.00", "--1.00:2.00", "1000.00:2.00", "1.00:200.00", "-0.31:1.2",
    "x0.10:0.20", "nan:nan",
  ])
  func `garbage is counted, and what comes after it is read`(text: String) {
    let garbage = RoverDecoder.Piece.garbage(bytes: text.utf8.count)
    #expect(pieces([text, "0.10:0.20"]) == [garbage, tilt(10, 20)])
    #expect(pieces(["0.10:0.20\n\(text)\n", "-0.30:0.40\n"]) == [tilt(10, 20), garbage, tilt(-30, 40)])
  }

  @Test func `a line without an end is given up, and the board may speak in packets again`() {
    let long = String(repeating: "1", count: 40)
    #expect(
      pieces(["0.00:0.00\n", long, "0.10:0.20"])
        == [tilt(0, 0), .garbage(bytes: 33), tilt(10, 20)])
  }

  @Test func `what an overflowing buffer leaves spoils itself only`() {
    var bytes = Array("-10.0".utf8)
    bytes += [0xFF, 0x00, 0x3A]
    var decoder = RoverDecoder()
    var found: [RoverDecoder.Piece] = []
    decoder.receive(bytes, into: &found)
    decoder.receive(Array("-9.81:0.12".utf8), into: &found)
    #expect(found.last == tilt(-981, 12))
  }

  @Test func `tilt, angles and tipping are reported, and the first message makes it available`() {
    var rover = RoverTalk(isUp: false)
    rover.connect()
    rover.receive("-0.31:4.90")
    #expect(rover.outputs.contains(.alive))
    #expect(rover.state["tilt_x"] == -0.31)
    #expect(rover.state["tilt_y"] == 4.90)
    #expect(rover.state["roll"] == -1.8)
    #expect(rover.state["pitch"] == 30.0)
    #expect(rover.state["tipping"] == true)
    rover.pass(.seconds(1))
    rover.receive("12.00:-12.00")
    #expect(rover.state["roll"] == 90.0)
    #expect(rover.state["pitch"] == -90.0)
  }

  @Test func `noise is not reported, and what moves fast is at most twice a second`() {
    var rover = RoverTalk()
    let before = rover.talk.changes.count
    for _ in 0..<100 {
      rover.receive("0.02:-0.03")
      rover.pass(.milliseconds(20))
    }
    #expect(rover.talk.changes.count == before)
    for step in 0..<100 {
      rover.receive("0.\(step % 10)0:0.00")
      rover.pass(.milliseconds(20))
    }
    rover.receive("1.00:0.00")
    rover.pass(.seconds(1))
    let changes = rover.talk.changes.dropFirst(before).filter { $0.key == "tilt_x" }
    #expect((2...7).contains(changes.count))
    #expect(rover.state["tilt_x"] == 1.0)
  }

  @Test func `exactly one and a half is not yet tipping`() {
    var rover = RoverTalk()
    rover.receive("1.50:-1.50")
    #expect(rover.state["tipping"] == false)
    rover.receive("1.50:-1.51")
    #expect(rover.state["tipping"] == true)
    rover.receive("1.30:1.40")
    #expect(rover.state["tipping"] == true)
    rover.receive("1.29:1.29")
    #expect(rover.state["tipping"] == false)
  }

  @Test func `any bytes and any commands are survived`() {
    let inputs = RandomInputs(
      properties: Rover().description.properties,
      phrases: ["-0.31:1.20", "0.00:0.00\n", "-10.00:"].map { Array($0.utf8) },
      values: [
        .unknown, true, 50, 101, -7, "STOP", "FAST FORWARD", "offline", "backward", "slow", "neutral",
        ["pitch": 60, "roll": 10], ["w": 1, "x": 0, "y": 0, "z": 0], [:],
        ["pitch": 60, "roll": 0, "neutral": true],
      ])
    var invariants = AdapterInvariants()
    invariants.check(Rover(), with: inputs, rounds: 5000)
    #expect(invariants.handled > 1000)
  }
}
