import DBus
import EventLoop

/// The scan of one adapter while it is powered on.
@Loop final class Scanner {
  private let peer: BlueZPeer
  private let adapter: ObjectPath
  /// What the scan has come to: on, off, or nil when it was refused.
  private let onChange: @Loop (Bool?) -> Void
  private var isCancelled = false

  init(_ adapter: ObjectPath, of peer: BlueZPeer, onChange: @escaping @Loop (Bool?) -> Void) {
    self.adapter = adapter
    self.peer = peer
    self.onChange = onChange
  }

  /// The adapter is gone or off: no answer is waited for any more.
  func cancel() { isCancelled = true }

  func start() {
    let filter: [String: DBusValue] = ["Transport": .string("le"), "DuplicateData": .boolean(true)]
    peer.call(adapter, Interface.adapter, "SetDiscoveryFilter", [.properties(filter)])
    peer.call(adapter, Interface.adapter, "StartDiscovery") { [weak self] result in
      switch result {
      // A scan of ours from before a lost answer is ours.
      case .success, .failure(.inProgress): self?.tell(true)
      case .failure: self?.tell(nil)
      }
    }
  }

  func stop() {
    // A refusal means that none was running.
    peer.call(adapter, Interface.adapter, "StopDiscovery") { [weak self] _ in self?.tell(false) }
  }

  private func tell(_ isOn: Bool?) {
    if !isCancelled { onChange(isOn) }
  }
}
