/// One step of a compiled pattern.
enum PatternStep: Sendable, Hashable {
  case character(PatternClass)
  /// Both ways, the first preferred.
  case split(Int, Int)
  case jump(Int)
  /// Notes the place in a slot.
  case note(Int)
  case accept
}
