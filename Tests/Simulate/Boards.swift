import EventLoop

/// The boards by their names, and the commands that reach them.
@Loop final class Boards {
  private let radio: Radio
  private var boards: [String: any Board] = [:]

  init(radio: Radio) { self.radio = radio }

  func perform(_ line: String) {
    do throws(Refused) {
      try perform(line.split(separator: " ").map(String.init))
      Console.write("ok")
    } catch {
      Console.write("refused \(error.reason)")
    }
  }

  func stop() {
    for board in boards.values { board.stop() }
  }

  private func perform(_ words: [String]) throws(Refused) {
    guard words.count >= 2 else { throw Refused(reason: "a board and what happens to it") }
    if words[0] == "add" { return try add(words[1], Array(words.dropFirst(2))) }
    guard let board = boards[words[0]] else { throw Refused(reason: "there is no board \(words[0])") }
    try board.perform(Array(words.dropFirst()))
  }

  private func add(_ name: String, _ words: [String]) throws(Refused) {
    guard boards[name] == nil else { throw Refused(reason: "there is a board \(name)") }
    guard let kind = words.first, let make = Kinds.all[kind] else {
      throw Refused(reason: "add NAME \(Kinds.all.keys.sorted().joined(separator: " | "))")
    }
    let board = try make(name, radio)
    boards[name] = board
    Console.write("\(name) \(board.place)")
  }
}
