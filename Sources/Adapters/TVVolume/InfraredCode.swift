import DeviceModel

/// A code of a remote control: light and darkness in turn, light first and last.
struct InfraredCode: Hashable, Sendable {
  /// Microseconds, an odd number of them.
  var timings: [Int]
  /// The carrier in Hz; nil when it is not known.
  var modulation: Int?

  static let usualModulation = 38_000
  static let modulations = 30_000...60_000
  /// As Home Assistant counts them.
  static let repeats = 0...100
  static let mostTimings = 512
  /// Of one timing, in microseconds: two periods of the carrier, and more than any pause within a code.
  static let durations = 50...130_000
  /// Of all timings, in microseconds. A board does nothing else meanwhile.
  static let longest = 1_500_000
}

extension InfraredCode {
  /// Reads `{"timings":[9000,-4500,…],"modulation":38000,"repeat_count":0}`, as Home Assistant writes it: microseconds,
  /// negative for darkness.
  ///
  /// The repeats are among the timings already, so their count changes nothing. Darkness before the first light and
  /// after the last counts for nothing; neighbours of one sign are one.
  init(_ value: Value) throws(Rejection) {
    guard case .object(let members) = value else {
      throw Rejection(.invalid, "infrared takes an object with timings, not \(value.briefly.excerpt)")
    }
    guard case .list(let list)? = members["timings"], !list.isEmpty else {
      throw Rejection(.invalid, "infrared takes timings, a list of microseconds that is not empty")
    }
    guard list.count <= Self.mostTimings * 2 else { throw Self.tooMany(list.count) }
    let modulation = try Self.member("modulation", of: members, in: Self.modulations, "Hz")
    _ = try Self.member("repeat_count", of: members, in: Self.repeats, "repeats")

    var timings: [Int] = []
    for (place, element) in list.enumerated() {
      guard let signed = Self.whole(element) else {
        throw Rejection(
          .invalid, "timing \(place) is a whole number of microseconds, not \(element.briefly.excerpt)")
      }
      guard Self.durations.contains(Int(clamping: signed.magnitude)) else {
        throw Rejection(
          .outOfRange,
          "timing \(place) is \(Self.words(Self.durations)) µs of light, or of darkness if negative, not \(signed)"
        )
      }
      let isLight = signed > 0
      let isBehindLight = !timings.count.isMultiple(of: 2)
      if timings.isEmpty || isLight != isBehindLight {
        if isLight || !timings.isEmpty { timings.append(Int(signed.magnitude)) }
      } else {
        timings[timings.count - 1] += Int(signed.magnitude)
      }
    }
    if timings.count.isMultiple(of: 2) { _ = timings.popLast() }
    guard !timings.isEmpty else { throw Rejection(.invalid, "no timing is of light") }
    try self.init(timings, modulation: modulation ?? Self.usualModulation)
  }

  private init(_ timings: [Int], modulation: Int) throws(Rejection) {
    guard timings.count <= Self.mostTimings else { throw Self.tooMany(timings.count) }
    if let longest = timings.max(), longest > Self.durations.upperBound {
      let words =
        "neighbours of one sign are one timing, of \(Self.durations.upperBound) µs at most, not \(longest)"
      throw Rejection(.outOfRange, words)
    }
    let total = timings.reduce(0, +)
    guard total <= Self.longest else {
      throw Rejection(.tooLarge, "a code lasts \(Self.longest / 1000) ms at most, not \(total / 1000)")
    }
    self.timings = timings
    self.modulation = modulation
  }

  /// As Home Assistant reads it, and as this is read from.
  var value: Value {
    let signed = timings.enumerated().map { place, timing in
      Value.integer(place.isMultiple(of: 2) ? timing : -timing)
    }
    return [
      "timings": .list(signed), "modulation": modulation.map { .integer($0) } ?? .unknown,
    ]
  }

  private static func tooMany(_ count: Int) -> Rejection {
    Rejection(.tooLarge, "a code has \(mostTimings) timings at most, not \(count)")
  }

  /// Nil when it is not there.
  private static func member(
    _ name: String, of members: Value.Members, in range: ClosedRange<Int>, _ unit: String
  ) throws(Rejection) -> Int? {
    guard let value = members[name], value != .unknown else { return nil }
    guard let number = whole(value) else {
      throw Rejection(.invalid, "\(name) is a whole number, not \(value.briefly.excerpt)")
    }
    guard range.contains(number) else {
      throw Rejection(.outOfRange, "\(name) is \(words(range)) \(unit), not \(number)")
    }
    return number
  }

  private static func whole(_ value: Value) -> Int? {
    switch value {
    case .integer(let integer): Int(exactly: integer)
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }

  private static func words(_ range: ClosedRange<Int>) -> String {
    "\(range.lowerBound) to \(range.upperBound)"
  }
}
