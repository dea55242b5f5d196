import EventLoop

/// The clean end.
extension MQTTClient {
  /// Publishes the last words, waits for their acknowledgement, and leaves so that the broker forgets the will.
  ///
  /// - Parameters:
  ///   - last: in this order, beyond any limit; ignored when there is no connection.
  ///   - limit: for all of it; a broker that takes longer is left without a goodbye.
  /// - Returns: whether the broker acknowledged all of `last`.
  @discardableResult
  public func stop(saying last: [Publication] = [], within limit: Duration = .seconds(2)) async -> Bool {
    guard isConnected, let handle else {
      end()
      return last.isEmpty
    }
    state = .leaving
    var awaited: Set<Int32> = []
    for publication in last {
      let sent = publication.payload.withUnsafeBytes {
        send(
          $0, to: publication.topic, qos: publication.qos, retain: publication.retain, properties: nil,
          through: handle)
      }
      if let id = sent.awaited { awaited.insert(id) }
    }
    let farewell = Stopping(awaited: awaited)
    stopping = farewell
    let deadline = LoopTimer(after: limit) { farewell.giveUp() }
    let isAcknowledged = await farewell.acknowledged()
    if isAcknowledged {
      handle.disconnect()
      await farewell.left()
    }
    deadline.cancel()
    end()
    return isAcknowledged
  }

  private func end() {
    switch state {
    case .stopped: return
    case .waiting(let timer), .connecting(let timer): timer.cancel()
    case .connected, .leaving: break
    }
    state = .stopped
    stopping = nil
    connectedSince = nil
    slowAttempts = [:]
    loseHandle()
    handler?.mqttDisconnected(.stopped, retry: nil)
  }
}

/// What a stop waits for, one after the other.
@Loop final class Stopping {
  private var awaited: Set<Int32>
  private var isOver = false
  private var isClosed = false
  private var continuation: CheckedContinuation<Void, Never>?

  init(awaited: Set<Int32>) { self.awaited = awaited }

  /// - Returns: false when the connection or the time ended before.
  func acknowledged() async -> Bool {
    await wait { awaited.isEmpty || isOver }
    return awaited.isEmpty
  }

  func left() async {
    await wait { isClosed || isOver }
  }

  func finished(_ id: Int32) {
    if awaited.remove(id) != nil, awaited.isEmpty { resume() }
  }

  func closed() {
    isClosed = true
    isOver = true
    resume()
  }

  func giveUp() {
    isOver = true
    resume()
  }

  private func wait(until isDone: () -> Bool) async {
    await Loop.suspend { if isDone() { $0.resume() } else { continuation = $0 } }
  }

  private func resume() {
    continuation?.resume()
    continuation = nil
  }
}
