/// The classic garage door's program with its EEPROM, its relay and the door behind it, in the time that it is given.
public struct GarageSketch: Sendable {
  public enum Door: Hashable, Sendable {
    case closed, opening, open, closing
  }

  /// How long after the pulse that opens comes the one that closes.
  public var closingInterval: Duration
  /// From closed to open.
  public var travelTime: Duration
  /// When the relay pulsed.
  public private(set) var pulses: [Duration] = []
  /// Slots of six bytes: a flag, and five characters. The first is the master's.
  public private(set) var memory: [UInt8]

  /// 0 closed, 1 open.
  private var place = 0.0
  /// Of the drive: 1 opens, −1 closes, 0 stands.
  private var direction = 0.0
  private var now = Duration.zero
  private var closesAt: Duration?

  public static let slotLength = 6
  private static let used: UInt8 = 1

  /// - Parameter pins: Behind the master's, in their order; of five bytes each.
  public init(
    master: String, pins: [String], slots: Int = 10, closingInterval: Duration = .seconds(30),
    travelTime: Duration = .seconds(15)
  ) {
    self.closingInterval = closingInterval
    self.travelTime = travelTime
    memory = [UInt8](repeating: 0xFF, count: slots * Self.slotLength)
    for (index, pin) in ([master] + pins).prefix(slots).enumerated() { store(Array(pin.utf8), at: index) }
  }

  public var door: Door {
    if direction > 0 { return .opening }
    if direction < 0 { return .closing }
    return place > 0 ? .open : .closed
  }

  public var pins: [String] {
    (1..<memory.count / Self.slotLength).compactMap {
      pin(at: $0).map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// When ``pass(to:)`` has something to do by itself; nil while it has not.
  public var nextTurn: Duration? { closesAt }

  /// Time passes; the closing pulse comes when it is due.
  public mutating func pass(to time: Duration) {
    while let due = closesAt, due <= time {
      closesAt = nil
      move(to: due)
      pulse()
    }
    move(to: time)
  }

  /// A packet from the central, at the present time; what is notified in answer.
  public mutating func take(_ packet: [UInt8]) -> [[UInt8]] {
    guard packet.count > 5, let sender = index(of: Array(packet.prefix(5))) else { return [] }
    let command = Array(packet.dropFirst(5))
    if command == Array("O=1".utf8) {
      pulse()
      closesAt = now + closingInterval
      return []
    }
    guard sender == 0 else { return [] }
    return manage(command)
  }

  private mutating func manage(_ command: [UInt8]) -> [[UInt8]] {
    let slots = memory.count / Self.slotLength
    switch (command[0], command.count) {
    case (UInt8(ascii: "P"), 1):
      return (1..<slots).compactMap { index in pin(at: index).map { [UInt8(index)] + $0 } } + [[0xFF]]
    case (UInt8(ascii: "A"), 6):
      if let free = (1..<slots).first(where: { pin(at: $0) == nil }) { store(Array(command[1...]), at: free) }
    case (UInt8(ascii: "E"), 7):
      // It does not look whether the place is the master's.
      if Int(command[1]) < slots { store(Array(command[2...]), at: Int(command[1])) }
    case (UInt8(ascii: "D"), 2):
      if Int(command[1]) < slots { memory[Int(command[1]) * Self.slotLength] = 0 }
    default: break
    }
    return []
  }

  private mutating func store(_ pin: [UInt8], at index: Int) {
    let start = index * Self.slotLength
    memory.replaceSubrange(start..<(start + Self.slotLength), with: [Self.used] + pin)
  }

  private func pin(at index: Int) -> [UInt8]? {
    let start = index * Self.slotLength
    return memory[start] == Self.used ? Array(memory[(start + 1)..<(start + Self.slotLength)]) : nil
  }

  private func index(of pin: [UInt8]) -> Int? {
    (0..<memory.count / Self.slotLength).first { self.pin(at: $0) == pin }
  }

  /// The opener's button: it starts the drive, or turns it around.
  private mutating func pulse() {
    pulses.append(now)
    direction = direction != 0 ? -direction : place > 0 ? -1 : 1
  }

  private mutating func move(to time: Duration) {
    let step = (time - now) / travelTime
    now = max(now, time)
    place = min(1, max(0, place + direction * step))
    if (direction > 0 && place >= 1) || (direction < 0 && place <= 0) { direction = 0 }
  }
}
