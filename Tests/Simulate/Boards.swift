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
    let board: any Board
    switch words.first {
    case "power_plug": board = try PowerPlug(name)
    case "pet_door": board = PetDoor(name, radio: radio)
    case "uart": board = RawBoard(name, radio: radio)
    default: throw Refused(reason: "add NAME power_plug, pet_door or uart")
    }
    boards[name] = board
    Console.write("\(name) \(board.place)")
  }
}
