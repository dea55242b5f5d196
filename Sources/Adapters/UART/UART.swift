public import DeviceModel

/// Raw lines or packets of any board, both ways: `rx` and `tx` below the device's topic, nothing else.
public struct UART: Adapter {
  public let description = DeviceDescription(properties: [])

  private let framing: Framing
  private let encoding: ByteEncoding
  private var lines = LineFraming()
  private var pieces: [LineFraming.Piece] = []
  private var isUp = false
  private var maximumPacket: Int?
  /// When a byte last came or went; a session that is not held ends some time after.
  private var activeAt = Duration.zero
  private var isQuietAwaited = false

  enum Framing: String, Hashable, Sendable, CaseIterable {
    /// Ended by `\n` or `\r\n`; `\n` is appended to what is sent.
    case line
    /// As the link delivers it: a notification, a datagram, what one read gives.
    case packet
  }

  init(framing: Framing = .packet, encoding: ByteEncoding = .text) {
    self.framing = framing
    self.encoding = encoding
  }

  /// Nothing has come or gone for so long: a session that is not held is over.
  static let quiet = Duration.seconds(1)
  /// Of one message on `tx`, in bytes.
  static let longestPayload = 64 * 1024
  private static let timer = "quiet"
  private static let topic = "rx"

  public mutating func handle(_ input: Input, at now: Moment, into outputs: inout [Output]) {
    switch input {
    case .received(.board, let bytes): receive(bytes, at: now.uptime, into: &outputs)
    case .transmit(let number, let payload): transmit(payload, number, at: now.uptime, into: &outputs)
    case .notSent(let number, let why, let mayHaveArrived):
      outputs.append(.reject(number, nil, .unsent(why, mayHaveArrived: mayHaveArrived)))
    case .linkUp(.board, let maximumPacket):
      isUp = true
      self.maximumPacket = maximumPacket
      lines.reset()
      awaitQuiet(since: now.uptime, into: &outputs)
    case .linkDown(.board, _): end(into: &outputs)
    case .timerFired(Self.timer): becomeQuiet(at: now.uptime, into: &outputs)
    case .commands(let batch):
      let property = batch.commands.first?.property
      let words = "a uart has no properties; it takes bytes on tx"
      outputs.append(.reject(batch.number, property, Rejection(.unknownProperty, words)))
    default: break
    }
  }

  private mutating func receive(_ bytes: [UInt8], at now: Duration, into outputs: inout [Output]) {
    guard isUp, !bytes.isEmpty else { return }
    awaitQuiet(since: now, into: &outputs)
    outputs.append(.alive)
    guard framing == .line else {
      return outputs.append(.publish(Self.topic, encoding.encode(bytes)))
    }
    lines.receive(bytes, into: &pieces)
    for piece in pieces {
      switch piece {
      case .line(let line): outputs.append(.publish(Self.topic, encoding.encode(line)))
      case .tooLong(let count):
        outputs.append(
          .undecodable(bytes: count, "a line is longer than \(LineFraming.longestLine) bytes"))
      }
    }
    pieces.removeAll(keepingCapacity: true)
  }

  private mutating func transmit(
    _ payload: [UInt8], _ number: UInt64, at now: Duration, into outputs: inout [Output]
  ) {
    guard isUp else {
      return outputs.append(.reject(number, nil, Rejection(.away, "the board is not connected")))
    }
    guard payload.count <= Self.longestPayload else {
      let words = "\(payload.count) bytes; tx takes \(Self.longestPayload) at most"
      return outputs.append(.reject(number, nil, Rejection(.tooLarge, words)))
    }
    var bytes: [UInt8]
    do throws(ByteEncodingError) {
      bytes = try encoding.decode(payload)
    } catch {
      return outputs.append(
        .reject(number, nil, Rejection(.invalid, "tx takes \(encoding.rawValue): \(error)")))
    }
    if framing == .line, bytes.last != 0x0A { bytes.append(0x0A) }
    guard !bytes.isEmpty else {
      return outputs.append(.reject(number, nil, Rejection(.invalid, "tx got nothing to send")))
    }
    awaitQuiet(since: now, into: &outputs)
    send(bytes, number, into: &outputs)
  }

  /// A line may go in several packets; a packet is one.
  private func send(_ bytes: [UInt8], _ number: UInt64, into outputs: inout [Output]) {
    guard let maximumPacket, bytes.count > maximumPacket, maximumPacket > 0 else {
      return outputs.append(.send(Output.Send(bytes, number: number)))
    }
    guard framing == .line else {
      let words = "a packet of \(bytes.count) bytes; the link takes \(maximumPacket) at most"
      return outputs.append(.reject(number, nil, Rejection(.tooLarge, words)))
    }
    for start in stride(from: 0, to: bytes.count, by: maximumPacket) {
      let end = min(start + maximumPacket, bytes.count)
      outputs.append(
        .send(Output.Send(Array(bytes[start..<end]), number: end == bytes.count ? number : nil)))
    }
  }

  private mutating func end(into outputs: inout [Output]) {
    guard isUp else { return }
    isUp = false
    isQuietAwaited = false
    outputs.append(.cancelTimer(Self.timer))
    if lines.pending > 0 {
      outputs.append(.undecodable(bytes: lines.pending, "a line was not ended when the link was"))
    }
    lines.reset()
  }

  /// One timer for all that comes and goes: it is looked at again when it runs out.
  private mutating func awaitQuiet(since now: Duration, into outputs: inout [Output]) {
    activeAt = now
    guard !isQuietAwaited else { return }
    isQuietAwaited = true
    outputs.append(.setTimer(Self.timer, after: Self.quiet))
  }

  private mutating func becomeQuiet(at now: Duration, into outputs: inout [Output]) {
    guard isUp, isQuietAwaited else { return }
    let rest = activeAt + Self.quiet - now
    guard rest <= .zero else { return outputs.append(.setTimer(Self.timer, after: rest)) }
    isQuietAwaited = false
    outputs.append(.sessionFinished(.board))
  }
}
