import EventLoop
import Synchronization

/// What arrived, in its order, from whichever thread; a test awaits what it needs, past or to come.
public final class Inbox<Element: Sendable>: Sendable {
  private let state = Mutex(State())
  private let name: String

  private struct State {
    var elements: [Element] = []
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
  }

  private struct Waiter {
    let from: Int
    let matches: @Sendable (Element) -> Bool
    let continuation: CheckedContinuation<Element?, Never>
  }

  /// `name` appears in the error of a wait that ends in vain.
  public init(_ name: String) { self.name = name }

  public var all: [Element] { state.withLock { $0.elements } }
  /// Pass it as `from` to await only what comes later.
  public var count: Int { state.withLock { $0.elements.count } }

  public func append(_ element: Element) {
    let woken = state.withLock { state in
      state.elements.append(element)
      let woken = state.waiters.filter { $0.value.from < state.elements.count && $0.value.matches(element) }
      for id in woken.keys { state.waiters[id] = nil }
      return woken.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume(returning: element) }
  }

  /// The first element from index `from` on that matches, as soon as there is one.
  @discardableResult
  public func first(
    from: Int = 0, within limit: Duration = .seconds(60),
    where matches: @escaping @Sendable (Element) -> Bool = { _ in true }
  ) async throws -> Element {
    let wait = { (continuation: CheckedContinuation<Element?, Never>) in
      self.wait(from: from, limit: limit, matches, continuation)
    }
    // A test on the loop continues there at once, however busy the runtime's pool is with other tests.
    let found =
      Loop.isCurrent ? await Loop.suspend { wait($0) } : await withCheckedContinuation { wait($0) }
    guard let found else { throw WaitedInVain(name: name, limit: limit, present: all.map { "\($0)" }) }
    return found
  }

  private func wait(
    from: Int, limit: Duration, _ matches: @escaping @Sendable (Element) -> Bool,
    _ continuation: CheckedContinuation<Element?, Never>
  ) {
    let (present, id) = state.withLock { state -> (Element?, Int) in
      if let present = state.elements.dropFirst(from).first(where: matches) { return (present, 0) }
      state.lastWaiter += 1
      state.waiters[state.lastWaiter] = Waiter(from: from, matches: matches, continuation: continuation)
      return (nil, state.lastWaiter)
    }
    if let present { return continuation.resume(returning: present) }
    Task {
      try? await Task.sleep(for: limit)
      let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
      waiter?.continuation.resume(returning: nil)
    }
  }
}

/// A wait for something that did not happen in time.
public struct WaitedInVain: Error, CustomStringConvertible {
  public let name: String
  public let limit: Duration
  public let present: [String]

  public var description: String {
    "nothing that fits within \(limit) in \(name); there: \(present.suffix(20).joined(separator: "\n  "))"
  }
}
