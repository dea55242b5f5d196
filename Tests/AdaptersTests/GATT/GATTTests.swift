import DeviceModel
import Testing

@testable import Adapters

struct `A GATT device` {
  @Test func `what is declared is subscribed to, read and reported, and nothing else is asked`() throws {
    var board = Sensor(["services": ["battery"], "characteristics": [.object(Sensor.led)]])
    #expect(
      board.talk.connect().orders == [
        .subscribe(Sensor.battery), .read(Sensor.battery), .subscribe(Sensor.switched),
        .read(Sensor.switched),
      ])
    board.tell(.subscribed(Sensor.battery))
    board.tell(.value(Sensor.battery, [77]))
    board.tell(.refused(Sensor.switched, .subscribe, "no"))
    #expect(board.tell(.value(Sensor.switched, [1])).isFinished)
    #expect(board.talk.state["battery"] == 77.0)
    #expect(board.talk.state["led"] == true)
    board.tell(.value(Sensor.battery, [76]))
    #expect(board.talk.state["battery"] == 76.0)
  }

  @Test func `what is not notified is polled, and only when the last answer has come`() {
    var board = Sensor(["services": ["battery"], "poll": "10s"])
    _ = board.talk.connect()
    board.tell(.refused(Sensor.battery, .subscribe, "no"))
    board.tell(.value(Sensor.battery, [77]))
    #expect(board.talk.pass(.milliseconds(9999)).orders == [])
    #expect(board.talk.pass(.milliseconds(1)).orders == [.read(Sensor.battery)])
    #expect(board.talk.pass(.seconds(100)).orders == [])
    board.tell(.value(Sensor.battery, [76]))
    #expect(board.talk.pass(.seconds(10)).orders == [.read(Sensor.battery)])
  }

  @Test func `what is notified is not polled`() {
    var board = Sensor(["services": ["battery"], "poll": "10s"])
    _ = board.talk.connect()
    board.tell(.subscribed(Sensor.battery))
    board.tell(.value(Sensor.battery, [77]))
    #expect(board.talk.pass(.seconds(3600)).orders == [])
  }

  @Test func `one that cannot be read is still notified`() {
    var board = Sensor(["services": ["battery"]])
    _ = board.talk.connect()
    board.tell(.subscribed(Sensor.battery))
    let outputs = board.tell(.refused(Sensor.battery, .read, "the board does not offer this"))
    #expect(!outputs.contains { if case .log = $0 { true } else { false } })
    board.tell(.value(Sensor.battery, [5]))
    #expect(board.talk.state["battery"] == 5.0)
  }

  @Test func `a value of the standard that means unknown is unknown`() {
    var board = Sensor(["services": ["environmental_sensing"]])
    _ = board.talk.connect()
    board.tell(.value(Sensor.temperature, [0x66, 0x08]))
    #expect(board.talk.state["temperature"] == 21.5)
    board.tell(.value(Sensor.temperature, [0x00, 0x80]))
    #expect(board.talk.state["temperature"] == .unknown)
    #expect(board.tell(.value(Sensor.temperature, [0x66])).undecodableBytes == 1)
  }

  @Test func `a switch is written, confirmed by the board, and read back`() {
    var board = Sensor(["characteristics": [.object(Sensor.led)]])
    board.settle([1])
    let outputs = board.talk.command(5, Command("led", false))
    #expect(outputs.orders == [.write(Sensor.switched, [0], number: 1)])
    #expect(board.talk.state["led"] == true, "the board has said nothing yet")
    #expect(board.tell(.written(number: 1)).orders == [.read(Sensor.switched)])
    #expect(board.talk.state["led"] == false)
    board.tell(.value(Sensor.switched, [1]))
    #expect(board.talk.state["led"] == true, "the board's word counts")
  }

  @Test func `a write that the board refuses, or that the link's end prevents, is told`() {
    var board = Sensor(["characteristics": [.object(Sensor.led)]])
    board.settle([0])
    _ = board.talk.command(5, Command("led", true))
    let refusal = board.tell(.refused(Sensor.switched, .write(number: 1), "ATT error 0x3")).rejections
    #expect(refusal.map(\.number) == [5])
    #expect(refusal.map(\.rejection.reason) == [.linkError])
    _ = board.talk.command(6, Command("led", true))
    #expect(board.talk.disconnect("out of range").rejections.map(\.number) == [6])
    #expect(board.talk.command(7, Command("led", true)).reasons == [.away])
    #expect(board.talk.state["led"] == false)
  }

  @Test func `two bits of one characteristic are one write`() {
    var other = Sensor.led
    other["name"] = "Buzzer"
    other["bit"] = 3
    var board = Sensor(["characteristics": [.object(Sensor.led), .object(other)]])
    board.settle([0b0100])
    let outputs = board.talk.command(1, Command("led", true), Command("buzzer", true))
    #expect(outputs.orders == [.write(Sensor.switched, [0b1101], number: 1)])
  }

  @Test func `a batch is carried out whole or not at all`() {
    var number = Sensor.led
    number["name"] = "Level"
    number["characteristic"] = "FF02"
    number["format"] = "uint8"
    number["minimum"] = 0
    number["maximum"] = 1000
    var board = Sensor(["characteristics": [.object(Sensor.led), .object(number)]])
    _ = board.talk.connect()
    let outputs = board.talk.command(1, Command("led", true), Command("level", 300.0))
    #expect(outputs.orders == [])
    #expect(outputs.reasons == [.outOfRange])
    #expect(board.talk.command(2, Command("led", true), Command("colour", 1.0)).reasons == [.unknownProperty])
  }

  @Test func `a board of other services is asked for them anew, once, and then left`() throws {
    var board = Sensor(["characteristics": [.object(Sensor.led)]])
    _ = board.talk.connect()
    board.tell(.missing(Sensor.switched, .subscribe))
    #expect(board.tell(.missing(Sensor.switched, .read)).orders == [.forgetServices])
    board.talk.disconnect()
    _ = board.talk.connect()
    board.tell(.missing(Sensor.switched, .subscribe))
    let outputs = board.tell(.missing(Sensor.switched, .read))
    #expect(outputs.orders == [])
    #expect(outputs.hasFailed)
  }

  @Test func `a whole service may have parts that the board lacks`() {
    var board = Sensor(["services": ["environmental_sensing"]])
    var outputs: [Output] = []
    for order in board.talk.connect().orders {
      switch order {
      case .read(Sensor.temperature): outputs += board.tell(.value(Sensor.temperature, [0, 0]))
      case .subscribe(Sensor.temperature): outputs += board.tell(.subscribed(Sensor.temperature))
      case .read(let id): outputs += board.tell(.missing(id, .read))
      case .subscribe(let id): outputs += board.tell(.missing(id, .subscribe))
      default: break
      }
    }
    #expect(outputs.orders == [])
    #expect(!outputs.hasFailed)
    #expect(outputs.isFinished)
    #expect(!outputs.contains { if case .log = $0 { true } else { false } })
  }

  @Test func `the maker and the model are read into the description`() throws {
    var board = Sensor(["services": ["device_information"]])
    let orders = board.talk.connect().orders
    #expect(orders.count == 4)
    var outputs: [Output] = []
    for case .read(let id) in orders {
      switch id.characteristic.short {
      case "2a29": outputs += board.tell(.value(id, Array("Acme\0".utf8)))
      case "2a24": outputs += board.tell(.value(id, Array("Thermo 3".utf8)))
      case "2a26": outputs += board.tell(.value(id, Array("1.2".utf8)))
      default: outputs += board.tell(.missing(id, .read))
      }
    }
    let described = outputs.compactMap {
      if case .describe(let description) = $0 { description } else { nil }
    }
    let description = try #require(described.last)
    #expect(described.count == 1)
    #expect(description.manufacturer == "Acme")
    #expect(description.model == "Thermo 3")
    #expect(description.softwareVersion == "1.2")
  }

  @Test func `get reads all again`() {
    var board = Sensor(["services": ["battery"]])
    board.settle([1])
    #expect(board.talk.feed(.refresh).orders == [.read(Sensor.battery)])
    #expect(board.talk.feed(.refresh).orders == [], "one read at a time")
  }

  @Test func `random inputs break no rule`() {
    let phrases: [AttributeNews] = [
      .value(Sensor.battery, [7]), .value(Sensor.switched, [1]), .subscribed(Sensor.battery),
      .written(number: 1), .missing(Sensor.switched, .read),
      .refused(Sensor.switched, .write(number: 2), "no"),
      .refused(Sensor.battery, .subscribe, "no"),
    ]
    var invariants = AdapterInvariants()
    for _ in 0..<60 {
      let board = Sensor([
        "services": ["battery", "device_information"], "characteristics": [.object(Sensor.led)],
      ])
      let inputs = RandomInputs(
        properties: board.talk.adapter.description.properties, phrases: phrases.map(\.bytes),
        values: [true, false, 3.5, "x", .unknown, [:]])
      invariants.check(board.talk.adapter, with: inputs, rounds: 100)
    }
    #expect(invariants.handled > 1000)
  }
}

/// A board with a battery and something that can be switched.
struct Sensor {
  var talk: Conversation

  static let battery = AttributeID(BluetoothUUID(assigned: 0x2A19), of: BluetoothUUID(assigned: 0x180F))
  static let temperature = AttributeID(
    BluetoothUUID(assigned: 0x2A6E), of: BluetoothUUID(assigned: 0x181A))
  static let switched = AttributeID(BluetoothUUID(assigned: 0xFF01))
  static let led: Value.Members = [
    "name": "LED", "characteristic": "FF01", "format": "bit", "writable": true,
  ]

  init(_ options: Value.Members) {
    var problems: [ConfigurationProblem] = []
    let checked = GATT.kind.options.check(
      LocatedValue(.object(options)), path: "options", problems: &problems)
    guard let adapter = GATT.kind.makeAdapter(checked, &problems), problems.isEmpty else {
      preconditionFailure("\(problems)")
    }
    talk = Conversation(adapter)
  }

  @discardableResult
  mutating func tell(_ news: AttributeNews) -> [Output] { talk.receive(news.bytes) }

  /// Connects, and answers every read with this, every subscription with no.
  mutating func settle(_ value: [UInt8]) {
    for order in talk.connect().orders {
      switch order {
      case .read(let id): tell(.value(id, value))
      case .subscribe(let id): tell(.refused(id, .subscribe, "no"))
      default: break
      }
    }
  }
}

extension [Output] {
  var orders: [AttributeOrder] { sent.compactMap { try? AttributeOrder(bytes: $0) } }
}
