import Testing

struct `The schedule of a storm` {
  @Test func `follows from its seed`() {
    let one = StormSchedule(seed: 7, length: .seconds(20), plugs: 3)
    #expect(one == StormSchedule(seed: 7, length: .seconds(20), plugs: 3))
    #expect(one.steps != StormSchedule(seed: 8, length: .seconds(20), plugs: 3).steps)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `ends each fault before the party's next, and all within its length`(seed: UInt64) {
    let schedule = StormSchedule(seed: seed, length: .seconds(20), plugs: 3)
    var open: Set<StormFault> = []
    for step in schedule.steps {
      #expect(step.at <= .seconds(20))
      switch step.action {
      case .begin(let fault): #expect(open.insert(fault).inserted)
      case .end(let fault): #expect(open.remove(fault) != nil)
      case .command: break
      }
    }
    #expect(open.isEmpty)
    #expect(schedule.steps.map(\.at) == schedule.steps.map(\.at).sorted())
    let isBridgeKilled = schedule.steps.contains { $0.action == .begin(.bridge(.killed)) }
    #expect(!isBridgeKilled || !seed.isMultiple(of: 2))
  }
}

struct `The ledger of a storm` {
  private let lane = StormLedger.Lane(device: "plug", property: "schedule")

  private func ledger(refused: Int = 0, executed: [Int]) -> StormLedger {
    StormLedger(
      sent: [1, 2, 3], forbidden: [3: "it was retained"], executed: executed,
      spells: [StormLedger.Spell(sent: [lane: [1, 2]], refused: [lane: refused])])
  }

  @Test func `has nothing against commands that ran once or were refused`() {
    #expect(ledger(executed: [1, 2]).violations == [])
    #expect(ledger(refused: 1, executed: [2]).violations == [])
    #expect(ledger(refused: 2, executed: []).violations == [])
  }

  @Test func `finds what ran twice, unsent, forbidden or after it was refused`() {
    #expect(ledger(executed: [1, 1]).violations == ["command 1 ran 2 times"])
    #expect(ledger(executed: [4]).violations == ["command 4 ran and was never sent"])
    #expect(ledger(executed: [3]).violations == ["command 3 ran: it was retained"])
    #expect(ledger(refused: 1, executed: [1, 2]).violations.count == 1)
  }
}
