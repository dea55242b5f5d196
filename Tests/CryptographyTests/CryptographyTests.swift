import Cryptography
import DeviceModel
import Foundation
import JSON
import Testing

struct CryptographyTests {
  private static func vectors() throws -> [Value.Members] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors/hmac-sha-256.json")
    guard case .list(let list) = try JSON.parse(Data(contentsOf: file)) else { return [] }
    return list.compactMap { if case .object(let members) = $0 { members } else { nil } }
  }

  private static func bytes(_ value: Value?) throws -> [UInt8] {
    guard case .text(let text)? = value else { return [] }
    let digits = Array(text.utf8)
    return try stride(from: 0, to: digits.count, by: 2).map { place in
      try #require(UInt8(String(decoding: digits[place..<(place + 2)], as: UTF8.self), radix: 16))
    }
  }

  @Test func `tags are those of RFC 4231, and of messages at the edges of a block`() throws {
    let vectors = try Self.vectors()
    #expect(vectors.count >= 10)
    for vector in vectors {
      let key = try Self.bytes(vector["key"])
      let message = try Self.bytes(vector["message"])
      let tag = try Self.bytes(vector["tag"])
      #expect(try MessageAuthentication.tag(of: message, key: key) == tag)
    }
  }

  @Test func `an empty key is a key`() throws {
    #expect(try MessageAuthentication.tag(of: [1], key: []) != MessageAuthentication.tag(of: [1], key: [1]))
  }
}
