import EventLoop
import Simulation
import Synchronization
import TestSupport
import Testing

/// Runs a test in a house of its own, a few of them at a time, and shows what the bridge said when it fails.
func withHouse(
  _ options: House.Options = House.Options(),
  configured configure: (inout ConfigurationText) -> Void = { _ in },
  _ body: (House) async throws -> Void
) async throws {
  await Turnstile.shared.enter()
  defer { Turnstile.shared.leave() }
  let house = try await House(options)
  try house.configure(configure)
  do {
    try await body(house)
    await house.close()
  } catch {
    await house.close()
    throw HouseFailure(cause: error, log: house.log)
  }
}

struct HouseFailure: Error, CustomStringConvertible {
  let cause: any Error
  let log: [String]
  var description: String {
    "\(cause)\nThe bridge said:\n  \(log.suffix(30).joined(separator: "\n  "))"
  }
}

/// Lets a few tests in at a time: each has three processes, and all share the machine.
final class Turnstile: Sendable {
  static let shared = Turnstile(places: 10)

  private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  init(places: Int) { state = Mutex((places, [])) }

  func enter() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        if state.free > 0 {
          state.free -= 1
          return true
        }
        state.waiting.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

extension Duration {
  /// For what comes at once on an idle machine.
  static let patience = Duration.seconds(60)
}
