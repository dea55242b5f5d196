import DeviceModel

extension LineForm.Session {
  /// Commands for a board, one at a time.
  struct CommandQueue: Hashable, Sendable {
    /// Asked for and not begun.
    private var waiting: [CommandBatch] = []
    /// Of the batch that is under way, what is still to be sent.
    private var orders: [Order] = []
    private(set) var present: Order?
    private var attempts = 0
    private var sequence = UInt8(ascii: "z")

    /// Batches that may wait.
    static let most = 32

    struct Order: Hashable, Sendable {
      var batch: UInt64
      var property: PropertyKey
      var index: Int
      var argument: LineForm.BridgeLine.Argument
    }

    var isIdle: Bool { waiting.isEmpty && orders.isEmpty && present == nil }
    var isWaiting: Bool { !waiting.isEmpty }

    func isAwaited(_ sequence: UInt8) -> Bool { present != nil && sequence == self.sequence }

    mutating func add(_ batch: CommandBatch, into outputs: inout [Output]) {
      guard waiting.count < Self.most else {
        let rejection = Rejection(.busy, "\(waiting.count) commands wait already")
        return outputs.append(.reject(batch.number, batch.commands.first?.property, rejection))
      }
      waiting.append(batch)
    }

    /// Something goes before all that waits and what is unanswered, and takes its place.
    mutating func overtake() {
      waiting = []
      orders = []
      present = nil
    }

    /// Nobody wants this batch any more: what of it is not sent never is, and no answer to the rest is awaited.
    mutating func withdraw(_ batch: UInt64) {
      waiting.removeAll { $0.number == batch }
      guard present?.batch == batch else { return }
      present = nil
      orders = []
    }

    /// A new greeting: the board has forgotten what was under way.
    mutating func begin(into outputs: inout [Output]) {
      failPresent(Rejection(.linkError, "the board has started anew"), into: &outputs)
    }

    /// What is to be sent next, when nothing is awaited.
    mutating func next(
      for board: LineForm.Board, tables: [Int: LineForm.Table], into outputs: inout [Output]
    ) -> LineForm.BridgeLine? {
      guard present == nil else { return nil }
      while orders.isEmpty, !waiting.isEmpty {
        plan(waiting.removeFirst(), for: board, tables: tables, into: &outputs)
      }
      guard !orders.isEmpty else { return nil }
      present = orders.removeFirst()
      attempts = 0
      sequence = Self.sequence(after: sequence)
      return again()
    }

    /// The command that is awaited, once more; nil when it was said often enough.
    mutating func again() -> LineForm.BridgeLine? {
      guard let present, attempts < Timing.attempts else { return nil }
      attempts += 1
      return .command(sequence: sequence, index: present.index, present.argument)
    }

    mutating func accepted() { present = nil }

    mutating func refused(_ refusal: LineForm.Refusal, words: String?, into outputs: inout [Output]) {
      let rejection =
        switch refusal {
        case .noSession: Rejection(.linkError, "the board has started anew")
        case .rejection(let reason):
          Rejection(reason, "the board refuses: \(words.map(\.excerpt) ?? reason.rawValue)")
        }
      failPresent(rejection, into: &outputs)
    }

    /// What is under way fails, and what of its batch was to follow is not done.
    mutating func failPresent(_ rejection: Rejection, into outputs: inout [Output]) {
      guard let failed = present else { return }
      present = nil
      var rejection = rejection
      var others: [String] = []
      for order in orders where order.property != failed.property && others.last != order.property.text {
        others.append(order.property.text)
      }
      if !others.isEmpty {
        rejection.explanation += "; not sent for that reason: \(others.joined(separator: ", "))"
      }
      orders = []
      outputs.append(.reject(failed.batch, failed.property, rejection))
    }

    mutating func failWaiting(_ rejection: Rejection, into outputs: inout [Output]) {
      for batch in waiting {
        outputs.append(.reject(batch.number, batch.commands.first?.property, rejection))
      }
      waiting = []
    }

    mutating func failAll(_ rejection: Rejection, into outputs: inout [Output]) {
      failPresent(rejection, into: &outputs)
      failWaiting(rejection, into: &outputs)
    }

    /// All of a batch is checked before anything of it is sent.
    private mutating func plan(
      _ batch: CommandBatch, for board: LineForm.Board, tables: [Int: LineForm.Table],
      into outputs: inout [Output]
    ) {
      var planned: [Order] = []
      for command in batch.commands {
        do throws(Rejection) {
          planned += try Self.orders(for: command, of: batch.number, board, tables)
        } catch {
          return outputs.append(.reject(batch.number, command.property, error))
        }
      }
      orders = planned
    }

    private static func orders(
      for command: Command, of batch: UInt64, _ board: LineForm.Board, _ tables: [Int: LineForm.Table]
    ) throws(Rejection) -> [Order] {
      let key = command.property
      guard let entity = board.entity(key), let property = board.description[key] else {
        throw Rejection(.unknownProperty, "the board has no entity \(key)")
      }
      guard !property.verbs.isEmpty else { throw Rejection(.readOnly, "\(key) is only read") }
      guard property.verbs.contains(command.verb) else {
        let verbs = property.verbs.map(\.rawValue).joined(separator: ", ")
        throw Rejection(.unsupported, "\(key) takes \(verbs), not \(command.verb.rawValue)")
      }
      var orders: [Order] = []
      let arguments =
        entity.kind == .table
        ? try entity.arguments(command, for: tables[entity.index]) : [try entity.argument(command.value)]
      for argument in arguments {
        let line = LineForm.BridgeLine.command(sequence: 0x30, index: entity.index, argument)
        let size = line.body.count + 4
        guard size <= board.hello.limit else {
          let words = "\(key): a line of \(size) bytes; the board takes \(board.hello.limit) at most"
          throw Rejection(.tooLarge, words)
        }
        orders.append(Order(batch: batch, property: key, index: entity.index, argument: argument))
      }
      return orders
    }

    private static func sequence(after last: UInt8) -> UInt8 {
      switch last {
      case UInt8(ascii: "9"): UInt8(ascii: "a")
      case UInt8(ascii: "z"): UInt8(ascii: "0")
      default: last + 1
      }
    }
  }
}
