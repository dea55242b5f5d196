/// Text as boards write it: UTF-8, and where it is not, Latin-1; a degree sign is often one byte.
enum LenientText {
  static func scalars(of bytes: ArraySlice<UInt8>) -> [UInt32] {
    var scalars: [UInt32] = []
    scalars.reserveCapacity(bytes.count)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      if byte < 0x80 {
        scalars.append(UInt32(byte))
        index += 1
        continue
      }
      var decoder = UTF8()
      var iterator = bytes[index..<min(index + 4, bytes.endIndex)].makeIterator()
      if case .scalarValue(let scalar) = decoder.decode(&iterator) {
        scalars.append(scalar.value)
        index += UTF8.width(scalar)
      } else {
        scalars.append(UInt32(byte))
        index += 1
      }
    }
    return scalars
  }

  static func string(of scalars: some Sequence<UInt32>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in scalars { text.append(Unicode.Scalar(scalar) ?? "\u{FFFD}") }
    return String(text)
  }

  static func string(of bytes: ArraySlice<UInt8>) -> String {
    String(validating: bytes, as: UTF8.self) ?? string(of: scalars(of: bytes))
  }
}

extension UTF8 {
  fileprivate static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case ..<0x80: 1
    case ..<0x800: 2
    case ..<0x10000: 3
    default: 4
    }
  }
}

extension String {
  /// Without spaces, tabs and line ends at either end.
  func trimmed() -> String {
    let view = unicodeScalars
    let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || ("\t"..."\r").contains($0) }
    guard let start = view.firstIndex(where: { !isSpace($0) }),
      let end = view.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(view[start...end])
  }
}
