/// What a newer garage door knows when a word comes that answers its challenge.
struct GarageJudgement: Sendable {
  let key: [UInt8]
  let challenge: String
  let master: String
  let pins: [String]
  let isClosed: Bool

  /// With what it is refused; nil when it is right.
  func refusal(of word: String) -> String? {
    guard isRight(word) else { return "i|not the answer to the challenge" }
    return word.first == "O" && !isClosed ? "n|the door is not closed" : nil
  }

  private func isRight(_ word: String) -> Bool {
    guard let nonce = Self.bytes(challenge), let command = word.utf8.first else { return false }
    let front = Array("garage-1".utf8) + nonce + [command]
    switch word.first {
    case "O", "C":
      guard let tag = Self.bytes(String(word.dropFirst())), tag.count == 32 else { return false }
      return pins.contains { NewerGarageBoard.tag(of: front + [0, 0] + Array($0.utf8), key) == tag }
    case "P", "D":
      guard let change = Self.change(in: word, key), (1...NewerGarageBoard.places).contains(change.place)
      else { return false }
      let message = front + [UInt8(change.place), 0] + Array(master.utf8) + change.pin
      return NewerGarageBoard.tag(of: message, key) == change.tag
    default: return false
    }
  }

  /// What a word about a PIN holds, uncovered.
  static func change(in word: String, _ key: [UInt8]) -> (place: Int, pin: [UInt8], tag: [UInt8])? {
    guard let content = bytes(String(word.dropFirst())), content.count == 38 else { return nil }
    let tag = Array(content[6...])
    let cover = NewerGarageBoard.tag(of: Array("garage-s".utf8) + tag, key)
    return (Int(content[0]), zip(content[1..<6], cover).map { $0 ^ $1 }, tag)
  }

  /// Of lower-case digits, two a byte.
  private static func bytes(_ digits: String) -> [UInt8]? {
    let digits = Array(digits.utf8)
    guard digits.count.isMultiple(of: 2), !digits.contains(where: { (0x41...0x5A).contains($0) }) else {
      return nil
    }
    var bytes: [UInt8] = []
    for at in stride(from: 0, to: digits.count, by: 2) {
      guard let byte = UInt8(String(decoding: digits[at..<(at + 2)], as: UTF8.self), radix: 16) else {
        return nil
      }
      bytes.append(byte)
    }
    return bytes
  }
}
