enum RoverDirection: String, Hashable, Sendable, CaseIterable {
  case forward, backward

  var letter: UInt8 { UInt8(ascii: self == .forward ? "F" : "B") }
}

/// What a rover shall do, what its board was told, and the commands that lead from the one to the other.
///
/// The classic board subtracts the steering, fixed when it was told, from a later throttle without a limit and in
/// eight bits: lowering the throttle beneath it makes a wheel race. So steering is taken away before, and told anew
/// after every throttle.
struct RoverDrive: Hashable, Sendable {
  // What is wanted.
  private(set) var direction = RoverDirection.forward
  /// 0…100, as the board is told.
  var power = 0
  /// −100…100; positive is right.
  var steering = 0

  /// The direction was asked for; otherwise the board learns it when it starts.
  private var isDirectionDue = false
  /// What the board was told; nil while that is not sure.
  private var told: Told?

  private struct Told: Hashable, Sendable {
    var direction: RoverDirection?
    var power = 0
    var steering = 0
  }

  static let stopCommand = Array("T=0".utf8)

  /// Whether the board is to drive, or may be driving for all that is known.
  var isMoving: Bool { power > 0 || told == nil || (told?.power ?? 0) > 0 }

  /// Throttle 0, which clears steering. The caller sends ``stopCommand``.
  ///
  /// - Parameter isCertain: All that was told before has left, or will.
  mutating func stop(isCertain: Bool) {
    power = 0
    steering = 0
    told = Told(direction: isCertain ? told?.direction : nil)
  }

  mutating func turn(to direction: RoverDirection) {
    self.direction = direction
    isDirectionDue = true
  }

  /// What the board does is not known any more.
  mutating func lose() { told = nil }

  /// The commands still to be sent, each a packet, in their order. They count as told.
  mutating func catchUp() -> [[UInt8]] {
    var commands: [[UInt8]] = []
    var told = self.told ?? Told()
    func stand() {
      commands.append(Self.stopCommand)
      told.power = 0
      told.steering = 0
    }
    func steer(_ steering: Int) {
      commands.append(Array((steering > 0 ? "R=\(steering)" : "L=\(-steering)").utf8))
      told.steering = steering
    }
    if self.told == nil { stand() }
    let isTurning = isDirectionDue && direction != told.direction
    if isTurning, told.power != 0 { stand() }
    if isTurning || power > 0 && told.power == 0 {
      commands.append([direction.letter])
      told.direction = direction
    }
    isDirectionDue = false
    if power != told.power {
      if power == 0 {
        stand()
      } else {
        if told.steering != 0, power < told.power || steering == 0 { steer(0) }
        commands.append(Array("T=\(power)".utf8))
        told.power = power
        if steering != 0 { steer(steering) }
      }
    }
    if steering != told.steering { steer(steering) }
    self.told = told
    return commands
  }
}
