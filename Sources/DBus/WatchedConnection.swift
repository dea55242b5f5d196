import CDBus
import EventLoop

/// What libdbus asks its main loop for: its socket watched, its timeouts kept.
@Loop final class WatchedConnection {
  private var socket: DescriptorWatch?
  private var watches: [OpaquePointer] = []
  private var timers: [OpaquePointer: LoopTimer] = [:]
  /// While set, nothing is read, so that what arrives meanwhile is handled together at its end.
  private var rest: LoopTimer?
  /// Called when libdbus has read or written, or a timeout of its ran out.
  private let onProgress: @Loop () -> Void

  init(onProgress: @escaping @Loop () -> Void) { self.onProgress = onProgress }

  /// Takes the place of `connection`'s main loop; `self` must live until ``detach(from:)``.
  func attach(to connection: OpaquePointer) -> Bool {
    let context = Unmanaged.passUnretained(self).toOpaque()
    return dbus_connection_set_watch_functions(
      connection, addWatch, removeWatch, toggleWatch, context, nil) != 0
      && dbus_connection_set_timeout_functions(
        connection, addTimeout, removeTimeout, toggleTimeout, context, nil) != 0
  }

  func detach(from connection: OpaquePointer) {
    _ = dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    _ = dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
    rest?.cancel()
    rest = nil
    socket?.cancel()
    socket = nil
    for timer in timers.values { timer.cancel() }
    timers = [:]
  }

  /// Leaves unread what arrives within `duration`, or until ``endRest()``; writing goes on.
  func rest(for duration: Duration) {
    guard rest == nil else { return }
    rest = LoopTimer(after: duration) { [unowned self] in self.endRest() }
    updateSocket()
  }

  var isResting: Bool { rest != nil }

  func endRest() {
    guard let rest else { return }
    rest.cancel()
    self.rest = nil
    updateSocket()
  }

  // libdbus has one watch for reading and one for writing, both on the one socket.

  fileprivate func add(_ watch: OpaquePointer) {
    watches.append(watch)
    updateSocket()
  }

  fileprivate func remove(_ watch: OpaquePointer) {
    watches.removeAll { $0 == watch }
    updateSocket()
  }

  fileprivate func updateSocket() {
    guard let first = watches.first else {
      socket?.cancel()
      socket = nil
      return
    }
    var interest: Readiness = []
    for watch in watches where dbus_watch_get_enabled(watch) != 0 {
      let flags = dbus_watch_get_flags(watch)
      if flags & DBUS_WATCH_READABLE.rawValue != 0, rest == nil { interest.insert(.readable) }
      if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
    }
    if let socket {
      socket.interest = interest
    } else {
      socket = DescriptorWatch(dbus_watch_get_unix_fd(first), for: interest) { [unowned self] readiness in
        self.handle(readiness)
      }
    }
  }

  private func handle(_ readiness: Readiness) {
    // A socket that hung up may still hold what was sent before: read, in the next turn, ahead of its end.
    if rest != nil, !readiness.isDisjoint(with: .hungUp) { return endRest() }
    var ready: UInt32 = 0
    if readiness.contains(.readable) { ready |= DBUS_WATCH_READABLE.rawValue }
    if readiness.contains(.writable) { ready |= DBUS_WATCH_WRITABLE.rawValue }
    if !readiness.isDisjoint(with: .hungUp) {
      ready |= DBUS_WATCH_HANGUP.rawValue | DBUS_WATCH_ERROR.rawValue
    }
    let always = DBUS_WATCH_HANGUP.rawValue | DBUS_WATCH_ERROR.rawValue
    for watch in watches where watches.contains(watch) && dbus_watch_get_enabled(watch) != 0 {
      let mine = ready & (dbus_watch_get_flags(watch) | always)
      if mine != 0 { _ = dbus_watch_handle(watch, mine) }
    }
    onProgress()
  }

  fileprivate func schedule(_ timeout: OpaquePointer) {
    timers.removeValue(forKey: timeout)?.cancel()
    guard dbus_timeout_get_enabled(timeout) != 0 else { return }
    let interval = Duration.milliseconds(Int(dbus_timeout_get_interval(timeout)))
    timers[timeout] = LoopTimer(after: interval) { [unowned self] in
      self.schedule(timeout)
      _ = dbus_timeout_handle(timeout)
      self.onProgress()
    }
  }

  fileprivate func remove(timeout: OpaquePointer) {
    timers.removeValue(forKey: timeout)?.cancel()
  }
}

// libdbus calls these on the loop's thread, from within calls that were made there. Pointers cross into the
// loop's isolation as numbers, which is what they are to us.

private func enter(
  _ object: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ body: @Loop (WatchedConnection, OpaquePointer) -> Void
) {
  let objectBits = UInt(bitPattern: object)
  let contextBits = UInt(bitPattern: context)
  Loop.assumeIsolated {
    guard let object = OpaquePointer(bitPattern: objectBits),
      let context = UnsafeRawPointer(bitPattern: contextBits)
    else { return }
    body(Unmanaged<WatchedConnection>.fromOpaque(context).takeUnretainedValue(), object)
  }
}

private func addWatch(_ watch: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> dbus_bool_t {
  enter(watch, context) { $0.add($1) }
  return 1
}

private func removeWatch(_ watch: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
  enter(watch, context) { $0.remove($1) }
}

private func toggleWatch(_ watch: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
  enter(watch, context) { connection, _ in connection.updateSocket() }
}

private func addTimeout(_ timeout: OpaquePointer?, _ context: UnsafeMutableRawPointer?) -> dbus_bool_t {
  enter(timeout, context) { $0.schedule($1) }
  return 1
}

private func removeTimeout(_ timeout: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
  enter(timeout, context) { $0.remove(timeout: $1) }
}

private func toggleTimeout(_ timeout: OpaquePointer?, _ context: UnsafeMutableRawPointer?) {
  enter(timeout, context) { $0.schedule($1) }
}
