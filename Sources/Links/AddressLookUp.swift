import EventLoop
import Glibc

/// A socket address of any family.
struct SocketAddress: Sendable {
  private let storage: sockaddr_storage
  private let length: socklen_t

  var family: Int32 { Int32(storage.ss_family) }

  init(_ information: addrinfo) {
    var storage = sockaddr_storage()
    length = min(information.ai_addrlen, socklen_t(MemoryLayout<sockaddr_storage>.size))
    memcpy(&storage, information.ai_addr, Int(length))
    self.storage = storage
  }

  func withPointer<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}

/// Names to addresses. The C library blocks in it for as long as the name servers are silent, so a name is looked
/// up on a thread of its own; an address in digits is not.
enum AddressLookUp {
  typealias Answer = Result<[SocketAddress], LinkFailure>

  /// Calls `answer` on the loop, not from within this call.
  @Loop static func resolve(host: String, port: UInt16, answer: @escaping @Loop (Answer) -> Void) {
    if let addresses = try? look(host: host, port: port, flags: AI_NUMERICHOST).get() {
      Loop.atTurnEnd { answer(.success(addresses)) }
      return
    }
    let question = Question(host: host, port: port, answer: answer)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(question)
    let result = pthread_create(&thread, nil, lookUpThread, context.toOpaque())
    guard result == 0 else {
      context.release()
      Loop.atTurnEnd { answer(.failure(.unavailable("no thread for a name look-up"))) }
      return
    }
    pthread_detach(thread)
  }

  final class Question: Sendable {
    let host: String
    let port: UInt16
    let answer: @Loop (Answer) -> Void

    init(host: String, port: UInt16, answer: @escaping @Loop (Answer) -> Void) {
      self.host = host
      self.port = port
      self.answer = answer
    }
  }

  static func look(host: String, port: UInt16, flags: Int32) -> Answer {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      return .failure(.nameNotFound(host: host, why: String(cString: gai_strerror(code))))
    }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let information = next {
      addresses.append(SocketAddress(information.pointee))
      next = information.pointee.ai_next
    }
    return .success(addresses)
  }
}

private func lookUpThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  let question = Unmanaged<AddressLookUp.Question>.fromOpaque(context).takeRetainedValue()
  let answer = AddressLookUp.look(host: question.host, port: question.port, flags: 0)
  Loop.enqueue { question.answer(answer) }
  return nil
}
