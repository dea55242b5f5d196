import EventLoop
import Glibc
import TestSupport

@testable import Links

/// A second host: a network namespace with a cable to this one.
final class NetworkNamespace: Sendable {
  /// The other host's address.
  let address: String
  private let ownAddress: String
  private let name: String
  private let ownEnd: String

  /// Tried, since a container may be root and yet not let a namespace be made or entered.
  static let isPossible: Bool = {
    let name = "s2m-try-\(getpid())"
    let make = "\(tool) netns add \(name) && \(tool) -n \(name) link set lo up"
    return system("{ \(make); result=$?; \(tool) netns del \(name); exit $result; } >/dev/null 2>&1") == 0
  }()
  private static let tool = "/usr/sbin/ip"

  init() async throws {
    let number = Int.random(in: 0..<16_000)
    name = "s2m-\(getpid())-\(number)"
    ownEnd = "s2m\(number)"
    let network = "10.\(192 + number / 256).\(number % 256)"
    ownAddress = "\(network).1"
    address = "\(network).2"
    try await ip("netns add \(name)")
    try await ip("link add \(ownEnd) type veth peer name board netns \(name)")
    try await ip("addr add \(ownAddress)/30 dev \(ownEnd)")
    try await ip("link set \(ownEnd) up")
    try await inside("addr add \(address)/30 dev board")
    try await inside("link set board up")
  }

  /// Takes namespace and cable away.
  func remove() async throws { try await ip("netns del \(name)") }

  /// From now on the other host hears everything and says nothing, not even on the lowest level.
  func silence() async throws { try await inside("route add blackhole \(ownAddress)/32") }

  func cutCable() async throws { try await inside("link set board down") }

  /// A socket that listens on the other host.
  @Loop func peer() async throws -> Peer {
    let made = Inbox<Result<Peer, SystemFailure>>("a socket in the namespace")
    let path = "/run/netns/\(name)"
    let port = UInt16(2000)
    let address = address
    try DetachedThread.start {
      let result = Self.enter(path).flatMap { Peer.listener(host: address, port: port) }
      Loop.enqueue { made.append(result.map { Peer(listener: $0) }) }
    }
    return try await made.first().get()
  }

  /// Moves the calling thread into the namespace, and no other.
  private static func enter(_ path: String) -> Result<Void, SystemFailure> {
    typealias SetNamespace = @convention(c) (Int32, Int32) -> Int32
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let networks: Int32 = 0x4000_0000
    guard let symbol = dlsym(nil, "setns"),
      unsafeBitCast(symbol, to: SetNamespace.self)(descriptor, networks) == 0
    else { return .failure(SystemFailure("enter \(path)")) }
    return .success(())
  }

  private func inside(_ words: String) async throws { try await ip("-n \(name) \(words)") }

  private func ip(_ words: String) async throws {
    try await ChildProcess.run(Self.tool, words.split(separator: " ").map(String.init))
  }
}
