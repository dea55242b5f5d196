import DeviceModel

/// Secrets that stand in the file itself.
enum ClearSecrets {
  /// Keys under which a secret is expected, in the general settings and in the options of any kind.
  private static let keys: Set<String> = [
    "password", "passphrase", "passwd", "pin", "master_pin", "secret", "token", "psk",
  ]

  /// For a file that every user of the machine can read.
  static func warnings(about value: LocatedValue) -> [ConfigurationProblem] {
    var places: [SourceLocation] = []
    collect(value, into: &places)
    guard let first = places.min() else { return [] }
    return [
      ConfigurationProblem(
        "every user of this machine can read the secret here", at: first,
        expectation: "!file, or a file only for its owner (chmod o-rwx)", severity: .warning)
    ]
  }

  /// A key of a board, which `key` alone does not say: that names a file elsewhere.
  private static func isKey(_ text: String) -> Bool {
    text.utf8.count == 64 && text.allSatisfy(\.isHexDigit)
  }

  private static func collect(_ value: LocatedValue, into places: inout [SourceLocation]) {
    switch value.content {
    case .null, .scalar: break
    case .sequence(let elements):
      for element in elements { collect(element, into: &places) }
    case .mapping(let entries):
      for entry in entries {
        if case .scalar(let scalar) = entry.value.content, !scalar.isSecret,
          keys.contains(entry.key.lowercased()) || isKey(scalar.text)
        {
          places.append(entry.value.location)
        }
        collect(entry.value, into: &places)
      }
    }
  }
}
