import EventLoop
import Glibc

/// Simulated boards on their own, for whoever is not a Swift test.
///
/// The first line tells the bus on which a BlueZ with the boards' radio is: `bus ADDRESS`. Takes one command a line
/// on standard input, a pipe or a terminal, and ends with it:
///
///     add plug power_plug       a new board; what it is reached by is the answer
///     plug power off            what happens to a board: its name, then words of its kind
///
/// Writes what a board does and receives, a line each that starts with the board's name. After each command
/// follows `ok`, or `refused` and the reason.
@main struct Main {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    Task { @Loop in
      do {
        let radio = try await Radio.start()
        Console.write("bus \(radio.busAddress)")
        let boards = Boards(radio: radio)
        let console = Console { boards.perform($0) }
        await console.ended()
        boards.stop()
        await radio.stop()
        exit(0)
      } catch {
        Console.write("refused \(error)")
        exit(1)
      }
    }
    Loop.run()
  }
}
