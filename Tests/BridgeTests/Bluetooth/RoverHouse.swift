import EventLoop
import Simulation
import TestSupport
import Testing

/// A simulated BlueZ on a bus of its own with a rover behind it.
@Loop final class Track {
  nonisolated static let address = "C0:DE:00:00:00:03"

  nonisolated let bus: PrivateBus
  let bluez: SimulatedBlueZ
  let rover = RoverBoard()
  let radio: SimulatedBoard
  private var waits: [Wait] = []

  init() async throws {
    bus = try await PrivateBus.start()
    bluez = SimulatedBlueZ(busAddress: bus.address, timing: SimulatedBlueZTiming().faster(by: 4))
    radio = bluez.add(rover, at: Self.address)
    try await bluez.start()
    rover.onPacket = { [weak self] _ in self?.look() }
  }

  /// Commands that the board got, from index `seen` on.
  func commands(from seen: Int = 0) -> [String] { Array(rover.commands.dropFirst(seen)) }
  var count: Int { rover.received.count }

  /// Waits until the board got what `matches`, from index `seen` on.
  func commands(
    from seen: Int, are matches: @escaping ([String]) -> Bool,
    at location: Testing.SourceLocation = #_sourceLocation
  ) async {
    let isThere = await withCheckedContinuation { done in
      let wait = Wait(done) { [weak self] in self.map { matches($0.commands(from: seen)) } ?? false }
      waits.append(wait)
      look()
    }
    if !isThere { Issue.record("the board got \(commands(from: seen))", sourceLocation: location) }
  }

  private func look() {
    for wait in waits where wait.matches() { wait.end(true) }
    waits.removeAll(where: \.isOver)
  }

  @Loop private final class Wait {
    let matches: () -> Bool
    private var done: CheckedContinuation<Bool, Never>?
    private var deadline: LoopTimer?

    init(_ done: CheckedContinuation<Bool, Never>, matches: @escaping () -> Bool) {
      self.done = done
      self.matches = matches
      deadline = LoopTimer(after: .patience) { [weak self] in self?.end(false) }
    }

    var isOver: Bool { done == nil }

    func end(_ isThere: Bool) {
      deadline?.cancel()
      done?.resume(returning: isThere)
      done = nil
    }
  }

  func close() async {
    rover.powerOff()
    bluez.stop()
    await bus.stop()
  }
}

/// Runs a test in a house whose only board is `rover`, on the track. By default nothing stops it for want of commands.
func withTrack(
  options: String = "command_timeout: 1h", _ body: @escaping @Sendable (House, Track) async throws -> Void
) async throws {
  #expect(LoopThread.started)
  let track = try await Track()
  do {
    try await withHouse(
      House.Options(plugs: 0),
      configured: { text in
        text.top = ["bluetooth: { bus: \"\(track.bus.address)\" }"]
        text.devices = [
          "{ name: Rover, kind: rover, link: { ble: \"\(Track.address)\" }, options: { \(options) } }"
        ]
      },
      { house in
        let seen = house.recorder.messages.count
        try house.start()
        try await house.message(on: "bridge/main/state", from: seen) { $0.text == "online" }
        try await house.message(on: "rover/availability", from: seen) { $0.text == "online" }
        try await body(house, track)
      })
    await track.close()
  } catch {
    await track.close()
    throw error
  }
}

extension House {
  /// The rover drives at 40, and its wheels turn.
  func drive(_ track: Track) async throws {
    let seen = await track.count
    try await publish("40", to: "rover/throttle/set")
    await track.commands(from: seen) { $0.last == "T=40" }
    #expect(await !track.rover.wheels.isStanding)
  }
}
