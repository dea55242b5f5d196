import DeviceModel
import Simulation
import Testing

@testable import Adapters

struct `The power plug's adapter and the simulated sketch` {
  /// Boards of which no document says that they do not exist.
  private static let boards: [PlugSketchOptions] = {
    var boards: [PlugSketchOptions] = [.classic, .newer]
    for greeting in [PlugSketchOptions.Greeting.onConnect, .onFirstByte] {
      for off in [PlugSketchOptions.OffCommand.switchesOffByHand, .returnsToAutomatic] {
        var board = PlugSketchOptions.classic
        board.greeting = greeting
        board.offCommand = off
        board.clearing = .zeroesFirstByte
        board.gluedCommands = .firstServed
        board.slots = greeting == .onConnect ? 4 : 16
        boards.append(board)
      }
    }
    return boards
  }()

  private static func put(_ activation: Activation) -> Command {
    Command("schedule", verb: .put, activation.command)
  }

  @Test(arguments: boards.indices)
  func `what is asked for is what the board does, and what is reported`(index: Int) {
    let options = Self.boards[index]
    var plug = PolledPlug(options)
    plug.segment = [1500, 7, 29, 1][index % 4]
    let morning = Activation.daily(start: "2026-12-01T06:00:00Z")
    let evening = Activation.daily("Evening", start: "2026-12-01T18:00:00Z")

    #expect(plug.carryOut(Command("power", true)).isEmpty)
    #expect(plug.sketch.status == [0x53, 1, 1])
    #expect(plug["power"] == true)
    #expect(plug["mode"] == "manual")
    #expect(plug.carryOut(Self.put(morning), Self.put(evening)).isEmpty)
    #expect(plug.activations == [morning, evening])
    #expect(plug.carryOut(Command("power", false)).isEmpty)
    #expect(plug["power"] == false)

    let reasons = plug.carryOut(Command("mode", "automatic"))
    if options.offCommand == .returnsToAutomatic {
      #expect(reasons.isEmpty)
      #expect(plug["mode"] == "automatic")
      #expect(plug.carryOut(Command("mode", "manual")) == [.unsupported])
      #expect(plug["mode"] == "automatic")
    } else {
      #expect(reasons == [.unsupported])
      #expect(plug["mode"] == "manual")
    }
    #expect(plug.carryOut(Command("schedule", verb: .delete, "Morning")).isEmpty)
    #expect(plug.activations == [evening])
    #expect(plug.carryOut(Command("schedule", [])).isEmpty)
    #expect(plug.activations.isEmpty)
    #expect(plug["schedule"] == [])
  }

  @Test func `a daily hour on a board that computes in 16 bits is on for that hour of each day`() {
    var plug = PolledPlug(at: "2026-11-30T00:00:00Z")
    plug.interval = .seconds(60)
    #expect(plug.carryOut(Self.put(.daily(start: "2026-11-30T06:00:00Z", period: 1440))).isEmpty)
    for minute in 0..<7 * 1440 {
      plug.run(for: .seconds(60))
      let ofDay = Int(plug.talk.now.wall.seconds / 60 % 1440)
      // A poll may come a minute late, and the sketch looks at its table every ten seconds.
      if (6 * 60 + 2..<7 * 60 - 2).contains(ofDay) {
        if !plug.sketch.isOn { Issue.record("off at \(minute)") }
      } else if !(6 * 60 - 2..<7 * 60 + 3).contains(ofDay), plug.sketch.isOn {
        Issue.record("on at \(minute)")
      }
    }
    #expect(plug["drift"] == false)
    #expect(plug.talk.changes.count { $0 == ("drift", true) } == 7)
  }

  @Test func `a board that has lost the time is reported until it knows it again`() {
    var options = PlugSketchOptions.classic
    options.clockAfterPowerCut = .startsFromZero
    var plug = PolledPlug(options)
    #expect(plug.carryOut(Self.put(.daily(start: "2026-11-30T08:00:00Z", period: 240))).isEmpty)
    plug.sketch.cutPower(at: plug.time)
    plug.sketch.returnPower(at: plug.time)
    plug.run(for: .seconds(3600))
    #expect(plug["drift"] == false)
    plug.run(for: .seconds(3600 + 180))
    #expect(plug["drift"] == true)
    plug.sketch.synchroniseClock(at: plug.time)
    plug.run(for: .seconds(60))
    #expect(plug["drift"] == false)
    #expect(plug["next_switch"] == "2026-11-30T12:00:00Z")
  }

  @Test func `an owner who edits at random has the table that the edits make`() {
    for options in Self.boards {
      var plug = PolledPlug(options, at: "2026-11-30T00:00:00Z")
      var names: Set<String> = []
      for _ in 0..<40 {
        let name = ["A", "B", "C", "D", "E", "F"].randomElement() ?? "A"
        if Bool.random() {
          let activation = Activation.daily(
            name, start: "2027-01-01T0\(Int.random(in: 0...9)):00:00Z", length: .random(in: 1...100))
          let isFull = !names.contains(name) && names.count == options.slots
          #expect(plug.carryOut(Self.put(activation)) == (isFull ? [.full] : []))
          if !isFull { names.insert(name) }
          #expect(plug.activations.contains(activation) != isFull)
        } else {
          #expect(
            plug.carryOut(Command("schedule", verb: .delete, .text(name)))
              == (names.contains(name) ? [] : [.invalid]))
          names.remove(name)
        }
        #expect(Set(plug.activations.map(\.name)) == names)
        #expect(plug.activations.count == names.count)
      }
    }
  }

  @Test(arguments: [PlugCommand.Kinds.table, .write, .clear, .state])
  func `a command that gets lost is refused, and nothing is reported that is not so`(
    lost: PlugCommand.Kinds
  ) {
    var plug = PolledPlug()
    let morning = Activation.daily(start: "2026-12-01T06:00:00Z")
    #expect(plug.carryOut(Self.put(morning)).isEmpty)
    plug.sketch.lostCommands = lost
    let reasons: [[Rejection.Reason]] = [
      plug.carryOut(Command("power", true)),
      plug.carryOut(Self.put(.daily("B", start: "2026-12-01T09:00:00Z"))),
      plug.carryOut(Command("schedule", verb: .delete, "Morning")),
    ]
    let expected: [[Rejection.Reason]] =
      switch lost {
      case .table: [[], [.timeout], [.timeout]]
      case .write: [[], [.timeout], []]
      case .clear: [[], [], [.timeout]]
      default: [[.timeout], [], []]
      }
    #expect(reasons == expected)
    plug.sketch.lostCommands = []
    plug.run(for: .seconds(20))
    #expect(plug["power"] == .boolean(plug.sketch.isOn))
    #expect(
      plug["schedule"]
        == .list(plug.activations.map { $0.value(at: plug.talk.now.wall.seconds) }))
  }
}
