import DeviceModel

/// An activation as its owner writes and reads it.
extension Activation {
  /// Reads `{"name":…,"start":…,"length":…,"period":…}`. What is reported may be sent back: `next_on` and
  /// `next_off` are passed over.
  ///
  /// - Parameter place: What the value is called in an explanation.
  init(_ value: Value, at place: String) throws(Rejection) {
    guard case .object(let members) = value else {
      throw Rejection(
        .invalid, "\(place) takes an object with name, start, length and period, not \(value.briefly.excerpt)"
      )
    }
    let known = ["name", "start", "length", "period", "next_on", "next_off"]
    if let name = members.names.first(where: { !known.contains($0) }) {
      throw Rejection(
        .invalid, "\(place) has no member '\(name.excerpt)'; it has name, start, length, period")
    }
    func member(_ name: String) throws(Rejection) -> Value {
      guard let value = members[name] else { throw Rejection(.invalid, "\(place) lacks '\(name)'") }
      return value
    }
    self.init(
      name: try Self.name(try member("name"), at: place),
      start: try Self.start(try member("start"), at: place),
      lengthMinutes: try Self.minutes(try member("length"), from: 1, at: "\(place).length"),
      periodMinutes: try Self.minutes(try member("period"), from: 0, at: "\(place).period"))
    guard periodMinutes == 0 || lengthMinutes < periodMinutes else {
      throw Rejection(
        .outOfRange,
        "\(place).length takes less than the period of \(periodMinutes) minutes, not \(lengthMinutes)")
    }
  }

  /// As it is reported, with its switching times after `now`.
  func value(at now: Int64) -> Value {
    func text(_ seconds: Int64?) -> Value {
      seconds.map { .text(Timestamp(seconds: $0).iso8601) } ?? .unknown
    }
    return [
      "name": .text(name), "start": text(startSeconds), "length": .integer(Int(lengthMinutes)),
      "period": .integer(Int(periodMinutes)), "next_on": text(nextOn(after: now)),
      "next_off": text(nextOff(after: now)),
    ]
  }

  private static func name(_ value: Value, at place: String) throws(Rejection) -> String {
    guard case .text(let name) = value else {
      throw Rejection(.invalid, "\(place).name takes a text, not \(value.briefly.excerpt)")
    }
    guard !name.isEmpty else { throw Rejection(.invalid, "\(place).name is empty") }
    guard name.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw Rejection(.invalid, "\(place).name takes printable ASCII only, not '\(name.excerpt)'")
    }
    guard name.utf8.count <= longestName else {
      throw Rejection(
        .invalid, "\(place).name takes at most \(longestName) characters, not \(name.utf8.count)")
    }
    return name
  }

  /// Fractions of a second are cut off: the board has none.
  private static func start(_ value: Value, at place: String) throws(Rejection) -> UInt32 {
    guard case .text(let text) = value, let time = Timestamp(iso8601: text) else {
      throw Rejection(
        .invalid,
        "\(place).start takes a time with its zone such as 2026-11-30T07:21:00Z, not '\(value.briefly.excerpt)'"
      )
    }
    guard let start = UInt32(exactly: time.seconds) else {
      let last = Timestamp(seconds: Int64(UInt32.max)).iso8601
      throw Rejection(
        .outOfRange, "\(place).start takes 1970-01-01T00:00:00Z to \(last), not \(text.excerpt)")
    }
    return start
  }

  private static func minutes(
    _ value: Value, from least: Int, at place: String
  ) throws(Rejection) -> UInt16 {
    let number: Int? =
      switch value {
      case .integer(let integer): integer
      case .number(let double): Int(exactly: double)
      default: nil
      }
    guard let number else {
      throw Rejection(.invalid, "\(place) takes whole minutes, not \(value.briefly.excerpt)")
    }
    guard number >= least, let minutes = UInt16(exactly: number) else {
      throw Rejection(.outOfRange, "\(place) takes \(least) to \(UInt16.max) minutes, not \(number)")
    }
    return minutes
  }
}
