import Cryptography

/// What a newer board tells of its PINs: for each place from 1 on the four digits of its mark, or `----` for none.
struct PINPlaces: Hashable, Sendable {
  private(set) var text: String

  private static let none = "----"

  /// Nil for what is no such text.
  init?(_ text: String) {
    let digits = Array(text.utf8)
    guard !digits.isEmpty, digits.count.isMultiple(of: 4), digits.count / 4 < 255 else { return nil }
    self.text = text
    let areMarks = marks.allSatisfy { mark in mark == Self.none || mark.utf8.allSatisfy(Self.isDigit) }
    guard areMarks else { return nil }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }

  private var marks: [String] {
    stride(from: 0, to: text.utf8.count, by: 4).map { String(text.dropFirst($0).prefix(4)) }
  }

  /// Nil for a place that is free, or none.
  func mark(at place: Int) -> String? {
    guard marks.indices.contains(place - 1), marks[place - 1] != Self.none else { return nil }
    return marks[place - 1]
  }

  var used: [Int] { marks.indices.filter { marks[$0] != Self.none }.map { $0 + 1 } }
  var free: Int? { marks.firstIndex(of: Self.none).map { $0 + 1 } }

  func place(of pin: GaragePIN, key: GarageKey) throws(CryptographyError) -> Int? {
    for place in used {
      if try holds(pin, at: place, key: key) { return place }
    }
    return nil
  }

  func holds(_ pin: GaragePIN, at place: Int, key: GarageKey) throws(CryptographyError) -> Bool {
    guard marks.indices.contains(place - 1), let byte = UInt8(exactly: place) else { return false }
    return try GarageAuthentication.mark(of: pin, at: byte, key: key) == marks[place - 1]
  }

  /// What the board will tell when it has done so.
  mutating func put(_ pin: GaragePIN?, at place: Int, key: GarageKey) throws(CryptographyError) {
    guard marks.indices.contains(place - 1), let byte = UInt8(exactly: place) else { return }
    var marks = self.marks
    marks[place - 1] =
      try pin.map { pin throws(CryptographyError) in
        try GarageAuthentication.mark(of: pin, at: byte, key: key)
      } ?? Self.none
    text = marks.joined()
  }
}
