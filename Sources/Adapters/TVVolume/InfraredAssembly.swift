import DeviceModel

/// Joins the parts of a code that a board tells; see ``InfraredParts``.
///
/// What is lost on its way makes the code incomplete, and the next begins anew.
struct InfraredAssembly: Hashable, Sendable {
  private var count = 0
  private var modulation: Int?
  private var durations: [Int] = []
  private var timings: [Int] = []

  enum Fault: Error, Hashable, Sendable {
    case unknownPart(String)
    /// A part that belongs to no code that was begun, or does not follow the one before.
    case outOfPlace(String)
  }

  /// The code that is whole by this text.
  mutating func take(_ text: String) throws(Fault) -> InfraredCode? {
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      do throws(Fault) {
        try take(part: part)
      } catch {
        self = InfraredAssembly()
        throw error
      }
    }
    guard count > 0, timings.count == count else { return nil }
    defer { self = InfraredAssembly() }
    return InfraredCode(timings: timings, modulation: modulation)
  }

  private mutating func take(part: Substring) throws(Fault) {
    let rest = part.dropFirst()
    let wrong = Fault.unknownPart(String(part).excerpt)
    switch part.first {
    case "b":
      let numbers = rest.split(separator: ",").compactMap { Int($0) }
      guard numbers.count == 2, (1...InfraredCode.mostTimings).contains(numbers[0]),
        numbers[1] == 0 || InfraredCode.modulations.contains(numbers[1])
      else { throw wrong }
      self = InfraredAssembly()
      count = numbers[0]
      modulation = numbers[1] == 0 ? nil : numbers[1]
    case "d":
      let numbers = rest.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      guard count > 0, durations.count + numbers.count <= InfraredPalette.most else {
        throw .outOfPlace(String(part).excerpt)
      }
      for number in numbers {
        guard let number, (1...InfraredCode.durations.upperBound).contains(number) else { throw wrong }
        durations.append(number)
      }
    case "t":
      guard rest.utf8.count > 3, let place = Int(rest.prefix(3), radix: 16) else { throw wrong }
      let digits = rest.dropFirst(3)
      guard place == timings.count, place + digits.count <= count else {
        throw .outOfPlace(String(part).excerpt)
      }
      for digit in digits {
        guard let place = digit.hexDigitValue, durations.indices.contains(place) else { throw wrong }
        timings.append(durations[place])
      }
    default: throw wrong
    }
  }
}
