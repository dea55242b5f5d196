/// What a pattern is made of.
indirect enum PatternNode: Hashable, Sendable {
  case empty
  case character(PatternClass)
  case sequence([PatternNode])
  case alternatives([PatternNode])
  /// The number of a named group; nil for one that only holds together.
  case group(PatternNode, Int?)
  /// `most` nil: any number of times.
  case repeated(PatternNode, least: Int, most: Int?, isLazy: Bool)
}
