import DeviceModel

extension Subject {
  /// Text with a meaning of its own: what was read is written in a form that reads the same.
  static let words = Subject("words") { input throws(Violation) in
    let text = String(decoding: input, as: UTF8.self)
    if let slug = Slug(of: text) {
      try require(slug.text.utf8.count <= Slug.maximumLength, "a slug of \(slug.text.utf8.count) bytes")
      try require(Slug(exactly: slug.text) == slug && Slug(of: slug.text) == slug, "\(slug) is no slug")
    }
    if let time = Timestamp(iso8601: text) {
      let again = Timestamp(iso8601: time.iso8601)
      try require(text.utf8.count <= 64, "a time of \(text.utf8.count) bytes")
      let isYear = (-62_167_219_200..<253_402_300_800).contains(time.seconds)
      try require(!isYear || again?.seconds == time.seconds, "'\(text)' reads as \(time.iso8601)")
    }
    if let address = HostPort(text) {
      try require(HostPort(address.description) == address, "'\(text)' reads as \(address)")
    }
    if let address = BluetoothAddress(text) {
      try require(BluetoothAddress(address.description) == address, "'\(text)' reads as \(address)")
    }
    if let uuid = BluetoothUUID(text) {
      let again = [uuid.description, uuid.short].map { BluetoothUUID($0) }
      try require(again == [uuid, uuid], "'\(text)' reads as \(uuid) or \(uuid.short)")
    }
    if let duration = Duration(configurationText: text) {
      let written = duration.configurationText
      try require(duration >= .zero, "'\(text)' is negative")
      let again = Duration(configurationText: written)
      // Ten digits and more are written, and read no more.
      guard let again else { return try require(duration >= .seconds(1_000_000), "'\(written)' is not read") }
      try require(duration - again < .milliseconds(1) && again <= duration, "'\(text)' reads as \(written)")
    }
    let excerpts = [text.excerpt, ConfigurationProblem.excerpt(of: text)]
    for excerpt in excerpts {
      try require(excerpt.utf8.count <= 200, "an excerpt of \(excerpt.utf8.count) bytes")
      let isFit = excerpt.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
      try require(isFit, "a control character in '\(excerpt)'")
    }
  }
}
