import DeviceModel

/// Codes in texts that a line of the board can carry, parted by `;`:
///
/// - `b<timings>,<modulation>` begins a code; the modulation is 0 when it is not known.
/// - `d<µs>,<µs>,…` are the durations that it is made of, 16 at most.
/// - `t<place><digits>` are timings from that place on, which has three hexadecimal digits; a timing is one, the place
///   of its duration.
///
/// With the last timing the code is whole.
enum InfraredParts {
  /// The shortest text in which each part has room.
  static let shortest = 16

  /// - Parameter longest: Of a text, in bytes; ``shortest`` at least.
  static func texts(of code: InfraredCode, longest: Int) throws(Rejection) -> [String] {
    guard let palette = InfraredPalette(code.timings) else {
      let words = "a code is made of \(InfraredPalette.most) different durations at most"
      throw Rejection(.unsupported, words)
    }
    var texts = ["b\(code.timings.count),\(code.modulation ?? 0)"]
    var durations = palette.durations.map(String.init)[...]
    while let first = durations.popFirst() {
      var part = "d\(first)"
      let room = room(behind: texts, longest)
      if part.utf8.count > room { texts.append("") }
      while let next = durations.first,
        part.utf8.count + 1 + next.utf8.count <= self.room(behind: texts, longest)
      {
        part += ",\(next)"
        durations.removeFirst()
      }
      append(part, to: &texts)
    }
    let digits = palette.places.map { String($0, radix: 16) }
    var place = 0
    while place < digits.count {
      var count = room(behind: texts, longest) - 4
      if count < 1 {
        texts.append("")
        count = longest - 4
      }
      let part = digits[place..<min(place + count, digits.count)]
      append("t\(threeDigits(place))\(part.joined())", to: &texts)
      place += part.count
    }
    return texts
  }

  private static func room(behind texts: [String], _ longest: Int) -> Int {
    let last = texts[texts.count - 1].utf8.count
    return longest - last - (last == 0 ? 0 : 1)
  }

  private static func append(_ part: String, to texts: inout [String]) {
    texts[texts.count - 1] += texts[texts.count - 1].isEmpty ? part : ";\(part)"
  }

  private static func threeDigits(_ place: Int) -> String {
    let digits = String(place, radix: 16)
    return String(repeating: "0", count: max(0, 3 - digits.count)) + digits
  }
}
