import DeviceModel
import Testing

@testable import Adapters

struct `Values of characteristics` {
  @Test func `bytes are the value that their vector says`() throws {
    for vector in try Vectors.load("gatt-values.json") {
      let why = Comment(rawValue: vector.text("why") ?? "")
      let entity = try Self.entity(vector)
      let bytes = try vector.value()
      do throws(AttributeError) {
        let value = try entity.value(in: bytes)
        if let text = vector.text("text") {
          #expect(value == .text(text), why)
        } else if let isSet = vector.isTrue("bit_is") {
          #expect(value == .boolean(isSet), why)
        } else {
          #expect(value.number == vector["number"]?.number, why)
          #expect(vector.text("error") == nil, why)
        }
      } catch {
        #expect(vector.text("error") == "\(error)", why)
      }
    }
  }

  @Test func `what is written is read as it was`() throws {
    for vector in try Vectors.load("gatt-values.json") where vector.text("error") == nil {
      let why = Comment(rawValue: vector.text("why") ?? "")
      let entity = try Self.entity(vector)
      let bytes = try vector.value()
      let value = try entity.value(in: bytes)
      guard value != .unknown else { continue }
      let written = try entity.bytes(of: value, in: bytes)
      #expect(try entity.value(in: written) == value, why)
      #expect(written.prefix(entity.place) == bytes.prefix(entity.place), why)
    }
  }

  @Test func `what does not fit is refused, never cut`() throws {
    for (format, number) in [
      ("uint8", 256), ("uint8", -1), ("int8", 128), ("uint16", 65536), ("int16", -32769),
      ("uint24", 16_777_216),
      ("int32", 2_147_483_648), ("sfixed", 128), ("sfloat", 2.046e10), ("float32", 1e39),
    ] as [(String, Double)] {
      let entity = try Self.entity(["format": .text(format)])
      #expect(throws: Rejection.self, "\(format) \(number)") {
        try entity.bytes(of: .number(number), in: nil)
      }
    }
  }

  @Test func `a part of a value that was never read is not written`() throws {
    let part = try Self.entity(["format": "uint8", "at": 2])
    #expect(throws: Rejection(.notNow, "it is a part of a value that has not been read yet")) {
      try part.bytes(of: 7.0, in: nil)
    }
    #expect(try part.bytes(of: 7.0, in: [1, 2, 3, 4]) == [1, 2, 7, 4])
    let bit = try Self.entity(["format": "bit", "bit": 1])
    #expect(try bit.bytes(of: true, in: [0b1001]) == [0b1011])
    #expect(try bit.bytes(of: false, in: [0b1011]) == [0b1001])
    #expect(try bit.bytes(of: true, in: nil) == [0b10])
  }

  @Test func `a short float keeps as many digits as it has room for`() throws {
    for number in [0, 0.001, 1, 21.5, -76.9, 204.5, 1234, 20_450_000_000] as [Double] {
      let bytes = try #require(AttributeFormat.shortFloat.bytes(of: number))
      let read = try #require(AttributeFormat.shortFloat.number(in: bytes[...]))
      #expect(abs(read - number) <= number.magnitude / 400, "\(number) is read as \(read)")
    }
  }

  @Test func `any bytes are a value or a mistake`() {
    for (_, format) in AttributeFormat.words {
      for _ in 0..<500 {
        let entity = AttributeEntity(
          property: Property("it", name: nil, .sensor()), format: format, place: .random(in: 0...3),
          bit: .random(in: 0...20))
        let bytes = (0..<Int.random(in: 0...8)).map { _ in UInt8.random(in: 0...255) }
        if case .number(let number)? = try? entity.value(in: bytes) { #expect(number.isFinite) }
      }
    }
  }

  private static func entity(_ vector: Value.Members) throws -> AttributeEntity {
    AttributeEntity(
      property: Property("it", name: nil, .sensor()),
      format: try #require(vector.text("format").flatMap { AttributeFormat($0) }),
      place: vector.integer("at") ?? 0, bit: vector.integer("bit") ?? 0, scale: vector["scale"]?.number ?? 1,
      offset: vector["offset"]?.number ?? 0)
  }
}

extension Value {
  fileprivate var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number
    default: nil
    }
  }
}

extension Value.Members {
  fileprivate func value() throws -> [UInt8] { try bytes("value") }
}
