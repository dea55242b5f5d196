public import EventLoop

/// A bus that may come and go: one connection after another, with growing pauses between attempts.
@Loop public final class Bus {
  public enum State {
    /// Not started, or stopped.
    case off
    case connecting
    case up(DBusConnection)
    /// The last attempt failed or the connection ended; the next attempt comes by itself.
    case down(DBusError)
  }

  public private(set) var state = State.off
  public var onChange: (@Loop (State) -> Void)?

  private let address: Result<BusAddress, DBusError>
  private var backOff: BackOff
  private var attempt: DBusConnection?
  private var retry: LoopTimer?
  private var upSince: MonotonicTime?

  /// - Parameter address: nil for the system bus. One that is none of a bus is reported as ``State/down(_:)``.
  public init(address: String?, backOff: BackOff = BackOff(longest: .seconds(30))) {
    self.backOff = backOff
    self.address = Result { () throws(DBusError) in
      if let address { try BusAddress(address) } else { try BusAddress.system() }
    }
  }

  public func start() {
    guard case .off = state else { return }
    connect()
  }

  /// Closes the connection; ``onChange`` hears ``State/off`` before this returns.
  public func stop() {
    if case .off = state { return }
    retry?.cancel()
    retry = nil
    let attempt = attempt
    self.attempt = nil
    attempt?.close()
    if case .up(let connection) = state { connection.close() }
    change(to: .off)
  }

  private func connect() {
    retry = nil
    change(to: .connecting)
    do throws(DBusError) {
      let connection = try DBusConnection(socketAt: address.get())
      attempt = connection
      connection.greet(deadline: .seconds(5)) { [weak self] result in
        guard let self, self.attempt === connection else { return connection.close() }
        self.attempt = nil
        switch result {
        case .success: self.up(connection)
        case .failure(let error): self.down(error)
        }
      }
    } catch {
      down(error)
    }
  }

  private func up(_ connection: DBusConnection) {
    upSince = .now
    connection.onLost = { [weak self] in self?.down(.disconnected) }
    change(to: .up(connection))
  }

  private func down(_ error: DBusError) {
    if let upSince { backOff.connectionHeld(for: upSince.duration(to: .now)) }
    upSince = nil
    let pause = backOff.pauseAfterFailure(random: .random(in: 0..<1))
    retry = LoopTimer(after: pause) { [weak self] in self?.connect() }
    change(to: .down(error))
  }

  private func change(to new: State) {
    state = new
    onChange?(new)
  }
}
