import DeviceModel
import Foundation
import JSON
import Testing

/// Files of vectors: bytes in hexadecimal, and the fields or the error that they mean.
enum Vectors {
  static func load(_ name: String) throws -> [Value.Members] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors/\(name)")
    let value = try JSON.parse(Data(contentsOf: file), limits: .init(size: 1_000_000))
    guard case .list(let elements) = value else { throw NotVectors(name: name) }
    try #require(!elements.isEmpty)
    return try elements.map {
      guard case .object(let members) = $0 else { throw NotVectors(name: name) }
      return members
    }
  }

  struct NotVectors: Error { var name: String }
}

extension Value.Members {
  func text(_ name: String) -> String? {
    guard case .text(let text)? = self[name] else { return nil }
    return text
  }

  func integer(_ name: String) -> Int? {
    guard case .integer(let integer)? = self[name] else { return nil }
    return integer
  }

  func isTrue(_ name: String) -> Bool? {
    guard case .boolean(let boolean)? = self[name] else { return nil }
    return boolean
  }

  func members(_ name: String) -> Value.Members? {
    guard case .object(let members)? = self[name] else { return nil }
    return members
  }

  func list(_ name: String) -> [Value]? {
    guard case .list(let elements)? = self[name] else { return nil }
    return elements
  }

  func bytes(_ name: String) throws -> [UInt8] { try [UInt8](hex: try #require(text(name))) }
}

extension [UInt8] {
  /// Pairs of hexadecimal digits.
  init(hex: String) throws {
    let digits = Array<Character>(hex)
    try #require(digits.count.isMultiple(of: 2), "\(hex)")
    self = try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...($0 + 1)]), radix: 16), "\(hex)")
    }
  }

  var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
