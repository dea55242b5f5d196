import DeviceModel
import Foundation
import JSON
import Testing

private struct GoodVector: Decodable {
  var text: String
  /// What is written for it, if not the text itself.
  var written: String?
}

private struct BadVector: Decodable {
  var why: String
  var text: String?
  var hex: String?
  var error: String

  var bytes: [UInt8] {
    if let text { return Array(text.utf8) }
    let digits = Array(hex ?? "")
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0..<$0 + 2]), radix: 16)
    }
  }
}

private func vectors<Vector: Decodable>(_ name: String, of type: Vector.Type) throws -> [Vector] {
  let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Vectors/\(name)")
  let vectors = try JSONDecoder().decode([Vector].self, from: Data(contentsOf: file))
  try #require(!vectors.isEmpty)
  return vectors
}

struct `Reading JSON` {
  @Test func `every good text is read and written as its vector says`() throws {
    for vector in try vectors("json-good.json", of: GoodVector.self) {
      let value = try JSON.parse(vector.text)
      #expect(JSON.text(of: value) == vector.written ?? vector.text, "\(vector.text)")
    }
  }

  @Test func `every bad text is refused with its reason and place`() throws {
    for vector in try vectors("json-bad.json", of: BadVector.self) {
      let error = #expect(throws: JSONError.self, "\(vector.why)") { try JSON.parse(vector.bytes) }
      #expect(error?.description == vector.error, "\(vector.why)")
    }
  }

  @Test func `types are kept apart`() throws {
    let text = #"{"unknown":null,"on":true,"count":3,"level":3.0,"text":"3","list":[1],"object":{"a":1}}"#
    #expect(
      try JSON.parse(text) == [
        "unknown": nil, "on": true, "count": 3, "level": .number(3), "text": "3", "list": [1],
        "object": ["a": 1],
      ])
  }

  @Test func `members keep their order`() throws {
    guard case .object(let members) = try JSON.parse(#"{"z":1,"a":2,"m":3,"b":4}"#) else {
      Issue.record("not an object")
      return
    }
    #expect(members.names == ["z", "a", "m", "b"])
  }

  @Test func `a text above the size limit is refused before it is parsed`() {
    let text = "\"" + String(repeating: "a", count: 64 * 1024) + "\""
    let error = #expect(throws: JSONError.self) { try JSON.parse(text) }
    #expect(error?.reason == .tooLarge(size: 65538, limit: 65536))
    #expect(throws: Never.self) { try JSON.parse(text, limits: .init(size: 65538)) }
  }

  @Test func `32 levels are accepted, and a limit of one's own is kept`() throws {
    let text = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    #expect(JSON.text(of: try JSON.parse(text)) == text)
    let error = #expect(throws: JSONError.self) { try JSON.parse("[\n [1]]", limits: .init(depth: 1)) }
    #expect(error == JSONError(.tooDeep(limit: 1), at: .init(line: 2, column: 2)))
    #expect(JSON.Limits(depth: 100_000).depth == 256)
  }

  @Test func `a slice and a lazy sequence are read like an array`() throws {
    let bytes = Array("xx[1]xx".utf8)
    #expect(try JSON.parse(bytes[2..<5]) == [1])
    #expect(try JSON.parse(bytes.lazy.filter { $0 != UInt8(ascii: "x") }) == [1])
  }

  @Test func `ten thousand members are read without quadratic work`() throws {
    let text = "{" + (0..<10_000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
    guard case .object(let members) = try JSON.parse(text, limits: .init(size: 1_000_000)) else {
      Issue.record("not an object")
      return
    }
    #expect(members.count == 10_000)
  }

  @Test func `random bytes and mutated texts are read or refused, and what is read reads back the same`()
    throws
  {
    var random = SystemRandomNumberGenerator()
    let seeds = try vectors("json-good.json", of: GoodVector.self).map { Array($0.text.utf8) }
    let alphabet = Array("{}[]\",:\\u0123456789eE+-. truefalsn\n\u{e9}".utf8) + [0, 0xFF, 0xC3, 0xED, 0xA0]
    for round in 0..<20_000 {
      var bytes: [UInt8]
      if round.isMultiple(of: 2), var seed = seeds.randomElement(using: &random) {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let place = Int.random(in: 0...seed.count, using: &random)
          if Bool.random(using: &random) || place == seed.count {
            seed.insert(alphabet.randomElement(using: &random) ?? 0, at: place)
          } else {
            seed.remove(at: place)
          }
        }
        bytes = seed
      } else {
        let size = Int.random(in: 0...40, using: &random)
        bytes = (0..<size).map { _ in alphabet.randomElement(using: &random) ?? 0 }
      }
      guard let value = try? JSON.parse(bytes) else { continue }
      let written = JSON.text(of: value)
      #expect(JSON.text(of: try JSON.parse(written)) == written, "\(bytes)")
    }
  }
}

struct `Writing JSON` {
  @Test func `what has no number is null`() {
    #expect(
      JSON.text(of: [.number(.nan), .number(.infinity), .number(-.infinity), .unknown])
        == "[null,null,null,null]")
  }

  @Test(arguments: [
    (0.1, "0.1"), (21.0, "21"), (-21.0, "-21"), (-0.0, "0"), (1e15, "1000000000000000"), (1e22, "1e+22"),
    (1e-7, "1e-07"), (0x1p53, "9007199254740992.0"), (.leastNonzeroMagnitude, "5e-324"),
    (.greatestFiniteMagnitude, "1.7976931348623157e+308"),
  ])
  func `a number is the shortest text that reads back`(number: Double, text: String) throws {
    #expect(JSON.text(of: .number(number)) == text)
    let data = Data(text.utf8)
    #expect(try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) as? Double == number)
  }

  @Test func `any double reads back as itself`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<10_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      switch try JSON.parse(JSON.text(of: .number(number))) {
      case .number(let back): #expect(back == number)
      case .integer(let back): #expect(Double(back) == number)
      default: Issue.record("\(number) is not read as a number")
      }
    }
  }

  @Test func `any text reads back as itself`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let scalars = (0..<Int.random(in: 0...20)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 1...(Bool.random() ? 0x7F : 0x10FFFF), using: &random))
      }
      let text = String(String.UnicodeScalarView(scalars))
      #expect(try JSON.parse(JSON.text(of: .text(text))) == .text(text))
    }
  }

  @Test func `a NUL is escaped`() {
    #expect(JSON.text(of: "a\0b") == #""a\u0000b""#)
  }

  @Test func `bytes are appended to what is there`() {
    var bytes = Array("state ".utf8)
    JSON.append(["on": true], to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == #"state {"on":true}"#)
  }
}
