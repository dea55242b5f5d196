/// A pattern's steps, made one after the other; refuses what would be too many before they are made.
struct PatternCompiler {
  private(set) var steps: [PatternStep] = []

  mutating func append(_ node: PatternNode) throws(PatternError) {
    switch node {
    case .empty: break
    case .character(let set): try emit(.character(set))
    case .sequence(let nodes): for node in nodes { try append(node) }
    case .group(let node, nil): try append(node)
    case .group(let node, let index?):
      try emit(.note(2 * index))
      try append(node)
      try emit(.note(2 * index + 1))
    case .alternatives(let nodes): try alternatives(nodes)
    case .repeated(let node, let least, let most, let isLazy):
      for _ in 0..<least { try append(node) }
      if let most {
        try optional(node, times: most - least, isLazy: isLazy)
      } else {
        try anyNumber(of: node, isLazy: isLazy)
      }
    }
  }

  mutating func end() throws(PatternError) { try emit(.accept) }

  private mutating func emit(_ step: PatternStep) throws(PatternError) {
    guard steps.count < Pattern.longestProgram else {
      throw PatternError(what: "the pattern is too large: repetitions of repetitions", place: 0)
    }
    steps.append(step)
  }

  private mutating func alternatives(_ nodes: [PatternNode]) throws(PatternError) {
    var exits: [Int] = []
    for (index, node) in nodes.enumerated() {
      guard index < nodes.count - 1 else {
        try append(node)
        break
      }
      let split = steps.count
      try emit(.split(split + 1, 0))
      try append(node)
      exits.append(steps.count)
      try emit(.jump(0))
      steps[split] = .split(split + 1, steps.count)
    }
    for exit in exits { steps[exit] = .jump(steps.count) }
  }

  private mutating func optional(
    _ node: PatternNode, times: Int, isLazy: Bool
  ) throws(PatternError) {
    var splits: [Int] = []
    for _ in 0..<max(0, times) {
      splits.append(steps.count)
      try emit(.split(0, 0))
      try append(node)
    }
    for split in splits { steps[split] = Self.split(to: split + 1, past: steps.count, isLazy) }
  }

  private mutating func anyNumber(of node: PatternNode, isLazy: Bool) throws(PatternError) {
    let split = steps.count
    try emit(.split(0, 0))
    try append(node)
    try emit(.jump(split))
    steps[split] = Self.split(to: split + 1, past: steps.count, isLazy)
  }

  private static func split(to inside: Int, past end: Int, _ isLazy: Bool) -> PatternStep {
    isLazy ? .split(end, inside) : .split(inside, end)
  }
}
