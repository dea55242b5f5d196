/// Units as Home Assistant writes them.
enum MeasurementUnit {
  /// The spelling that every version takes.
  ///
  /// There are two characters for micro. Up to 2025 Home Assistant's units had the micro sign U+00B5, since then the
  /// letter U+03BC; newer versions translate the old spelling, older ones do not know the new one. Units that came
  /// later have the letter only.
  static func published(_ unit: String) -> String {
    let withSign = String(
      String.UnicodeScalarView(unit.unicodeScalars.map { $0 == "\u{3BC}" ? "\u{B5}" : $0 }))
    return withLetter[withSign] ?? withSign
  }

  private static let withLetter = ["\u{B5}A": "\u{3BC}A"]
}
