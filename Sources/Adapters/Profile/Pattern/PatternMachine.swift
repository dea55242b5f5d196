/// All ways through a pattern at once, in the order of preference (Pike).
struct PatternMachine {
  private struct Way {
    var step: Int
    var slots: [Int]
  }

  private let program: [PatternStep]
  private let groups: Int
  private var ways: [Way] = []
  /// Of the way of most preference that has reached the end at this place; those after it count for nothing when the
  /// first end is wanted, and still go on when the longest is.
  private(set) var accepted: [Int]?
  /// The round in which a step was last visited.
  private var visited: [Int]
  private var round = 0

  init(_ program: [PatternStep], groups: Int) {
    self.program = program
    self.groups = groups
    visited = Array(repeating: 0, count: program.count)
  }

  var isDead: Bool { ways.isEmpty }
  var canGoOn: Bool { !ways.isEmpty }

  mutating func begin(at place: Int) {
    round = 1
    add(0, Array(repeating: -1, count: 2 * groups), at: place)
  }

  mutating func step(_ scalar: UInt32, to place: Int) {
    let former = ways
    ways.removeAll(keepingCapacity: true)
    accepted = nil
    round += 1
    for way in former {
      guard case .character(let set) = program[way.step], set.contains(scalar) else { continue }
      add(way.step + 1, way.slots, at: place)
    }
  }

  /// Follows what needs no character; a stack of its own, so that no pattern is too deep.
  private mutating func add(_ first: Int, _ slots: [Int], at place: Int) {
    var stack = [Way(step: first, slots: slots)]
    while var way = stack.popLast() {
      guard visited[way.step] != round else { continue }
      visited[way.step] = round
      switch program[way.step] {
      case .character: ways.append(way)
      case .accept: if accepted == nil { accepted = way.slots }
      case .jump(let target):
        way.step = target
        stack.append(way)
      case .split(let preferred, let other):
        stack.append(Way(step: other, slots: way.slots))
        way.step = preferred
        stack.append(way)
      case .note(let slot):
        way.slots[slot] = place
        way.step += 1
        stack.append(way)
      }
    }
  }
}
