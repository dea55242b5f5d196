import CLinux
import Glibc
import Synchronization

/// A TCP server on 127.0.0.1 that answers as a test tells it. It ends with its last reference.
public final class ScriptedServer: Sendable {
  public let port: UInt16
  /// What arrived, one element for each read of any connection.
  public let received = Inbox<[UInt8]>("what the scripted server received")
  private let sockets: OpenSockets

  public enum Answer: Sendable {
    case send([UInt8])
    case sendAndClose([UInt8])
    case nothing
    case close
    /// Ends the connection by a TCP reset.
    case reset
  }

  /// `answer` is called with each chunk read.
  public init(port: UInt16 = FreePort.take(), answer: @escaping @Sendable ([UInt8]) -> Answer) throws {
    self.port = port
    let listener = try Self.listen(on: port)
    sockets = OpenSockets(listener)
    Thread.run { [sockets, received] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { break }
        sockets.insert(connection)
        Thread.run {
          let isReset = Self.serve(connection, received, answer)
          // A child started meanwhile may hold it too: closing alone would not be seen by the peer.
          if !isReset { shutdown(connection, Int32(SHUT_RDWR)) }
          sockets.close(connection)
        }
      }
      sockets.close(listener)
    }
  }

  /// Ends all connections and listens no longer. Safe to repeat.
  public func stop() { sockets.shutDown() }

  deinit { stop() }

  private static func listen(on port: UInt16) throws -> Int32 {
    guard let listener = Loopback.bound(to: port), Glibc.listen(listener, 8) == 0 else {
      throw SystemFailure("listen on port \(port)")
    }
    return listener
  }

  /// - Returns: whether closing is to reset the connection.
  private static func serve(
    _ connection: Int32, _ received: Inbox<[UInt8]>, _ answer: @Sendable ([UInt8]) -> Answer
  ) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return false }
      let chunk = Array(buffer.prefix(count))
      received.append(chunk)
      switch answer(chunk) {
      case .send(let bytes): send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      case .sendAndClose(let bytes):
        send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        return false
      case .nothing: break
      case .close: return false
      case .reset:
        // Told to give up at once what it has not sent, the kernel resets.
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        return true
      }
    }
  }
}

/// Sockets that are closed by the thread that uses them, and shut down by any other only while they are open.
private final class OpenSockets: Sendable {
  private let state: Mutex<(open: Set<Int32>, isShutDown: Bool)>

  init(_ first: Int32) { state = Mutex((open: [first], isShutDown: false)) }

  func insert(_ socket: Int32) {
    state.withLock { state in
      state.open.insert(socket)
      if state.isShutDown { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }

  func close(_ socket: Int32) {
    state.withLock { state in
      state.open.remove(socket)
      _ = Glibc.close(socket)
    }
  }

  func shutDown() {
    state.withLock { state in
      state.isShutDown = true
      for socket in state.open { shutdown(socket, Int32(SHUT_RDWR)) }
    }
  }
}
