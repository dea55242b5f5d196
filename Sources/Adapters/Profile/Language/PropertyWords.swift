/// The states that Home Assistant has words for.
enum PropertyWords {
  static let lock = ["LOCKED", "LOCKING", "UNLOCKED", "UNLOCKING", "JAMMED"]
  static let cover = ["open", "opening", "closed", "closing", "stopped"]
  static let tracker = ["home", "not_home"]
}
