import DeviceModel
import EventLoop
import Glibc
import Links
import TestSupport
import Testing

/// The owner of a link: keeps what it is told, and may act from within.
@Loop final class Recorder {
  let events = Inbox<LinkEvent>("a link's events")
  /// All that was received so far, after each chunk: its text (of what is short), and its count of bytes.
  private let texts = Inbox<String>("the text received")
  private let counts = Inbox<Int>("the bytes received")
  private(set) var text = ""
  private(set) var bytesReceived = 0
  /// Called from within the link's call.
  var onEvent: (LinkEvent) -> Void = { _ in }
  private var isCalling = false

  /// Fails when the link calls from within a call of its owner.
  func call(_ body: () -> Void) {
    isCalling = true
    body()
    isCalling = false
  }

  var handler: LinkEvent.Handler {
    { event in
      #expect(!self.isCalling, "\(event) from within a call of the owner")
      self.events.append(event)
      self.count(event)
      self.onEvent(event)
    }
  }

  private func count(_ event: LinkEvent) {
    guard case .received(let bytes) = event else { return }
    bytesReceived += bytes.count
    counts.append(bytesReceived)
    if bytesReceived < 1000 {
      text += event.text
      texts.append(text)
    }
  }

  /// Events of one word each, received bytes as text joined.
  var words: [String] {
    var words: [String] = []
    for event in events.all {
      if event.word == "received", words.last?.hasPrefix("received") == true {
        words[words.count - 1] += event.detail
      } else {
        words.append(event.word + (event.detail.isEmpty ? "" : " " + event.detail))
      }
    }
    return words
  }

  @discardableResult
  func event(_ word: String, from: Int = 0, within limit: Duration = .seconds(60)) async throws -> LinkEvent {
    try await events.first(from: from, within: limit) { $0.word == word }
  }

  func down(from: Int = 0, within limit: Duration = .seconds(60)) async throws -> LinkFailure? {
    guard case .down(let failure) = try await event("down", from: from, within: limit) else { return nil }
    return failure
  }

  func received(_ text: String, within limit: Duration = .seconds(60)) async throws {
    try await texts.first(within: limit) { $0.contains(text) }
  }

  func received(bytes: Int, within limit: Duration = .seconds(60)) async throws {
    try await counts.first(within: limit) { $0 >= bytes }
  }

  var chunks: [[UInt8]] {
    events.all.compactMap { event in
      if case .received(let bytes) = event { bytes } else { nil }
    }
  }

  var allBytes: [UInt8] { Array(chunks.joined()) }

  /// How often each number was told as sent or not sent.
  var outcomes: [UInt64: Int] {
    events.all.reduce(into: [:]) { counts, event in
      switch event {
      case .sent(let number), .notSent(let number, _, _): counts[number, default: 0] += 1
      default: break
      }
    }
  }
}

extension LinkEvent {
  var word: String {
    switch self {
    case .up: "up"
    case .received: "received"
    case .sent: "sent"
    case .notSent: "notSent"
    case .down: "down"
    }
  }

  var detail: String {
    switch self {
    case .up(let maximumPacket): maximumPacket.map { "\($0)" } ?? ""
    case .received: text
    case .sent(let number): "\(number)"
    case .notSent(let number, let why, _): "\(number): \(why)"
    case .down(let failure): "\(failure)"
    }
  }

  var text: String {
    if case .received(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { "" }
  }
}

extension Output.Send {
  init(_ text: String, _ policy: Policy = .keep, number: UInt64? = nil) {
    self.init(Array(text.utf8), policy: policy, number: number)
  }
}

/// Waits until `descriptor` is ready, 10 s at most.
@Loop func ready(_ descriptor: Int32, _ readiness: Readiness) async throws {
  let inbox = Inbox<Bool>("readiness of descriptor \(descriptor)")
  let watch = DescriptorWatch(descriptor, for: readiness) { _ in inbox.append(true) }
  defer { watch.cancel() }
  try await inbox.first()
}

/// Waits until the loop has gone through `count` turns.
@Loop func turns(_ count: Int = 3) async {
  for _ in 0..<count {
    await withCheckedContinuation { continuation in Loop.atTurnEnd { continuation.resume() } }
  }
}

/// A link that is up, and the peer's end of it.
@Loop func connected() async throws -> (TCPLink, Recorder, PeerConnection) {
  let peer = try Peer()
  let recorder = Recorder()
  let link = TCPLink(host: "127.0.0.1", port: peer.port, handler: recorder.handler)
  recorder.call { link.connect() }
  let connection = try await peer.accept()
  try await recorder.event("up")
  return (link, recorder, connection)
}
