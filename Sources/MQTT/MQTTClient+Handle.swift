import CMosquitto
import EventLoop
import Glibc

/// The library's object, made when it is needed and kept as long as it fits.
extension MQTTClient {
  /// A handle speaks TLS for good once it has done so; and its queue grows stale.
  func readyHandle(usesTLS: Bool) throws(SettingsProblem) -> MosquittoHandle {
    let isStale = lostAt.map { $0.duration(to: MonotonicTime.now) > settings.resendsWithin } ?? false
    if let handle, handleUsesTLS == usesTLS, !(isStale && outstanding.total > 0) { return handle }
    let fresh = try makeHandle(usesTLS: usesTLS)
    replaceHandle(with: fresh, usesTLS: usesTLS)
    return fresh
  }

  func replaceHandle(with fresh: MosquittoHandle?, usesTLS: Bool) {
    loseHandle()
    handle = fresh
    handleUsesTLS = usesTLS
  }

  func loseHandle() {
    handle = nil
    counters.dropped += outstanding.queueEnded()
    counters.queued = 0
  }

  private func makeHandle(usesTLS: Bool) throws(SettingsProblem) -> MosquittoHandle {
    guard let handle = MosquittoHandle(clientID: settings.clientID, payloadLimit: settings.payloadLimit)
    else {
      throw .noHandle(String(cString: strerror(errno)))
    }
    if let username = settings.username {
      let code = handle.setCredentials(username: username, password: settings.password)
      if code != 0 { throw .credentials(MosquittoLibrary.words(for: code)) }
    }
    if let will = settings.will {
      let code = handle.setWill(will)
      if code != 0 { throw .will(MosquittoLibrary.words(for: code)) }
    }
    if usesTLS {
      if let file = settings.tls.firstUnreadableFile { throw .tlsFile(file) }
      let code = handle.setTLS(settings.tls)
      if code != 0 { throw .tls(MosquittoLibrary.words(for: code)) }
    }
    handle.owner = self
    return handle
  }
}

/// What keeps the library from even trying.
enum SettingsProblem: Error {
  case noHandle(String)
  case credentials(String)
  case will(String)
  case tlsFile(String)
  case tls(String)

  var reason: DisconnectReason {
    switch self {
    case .noHandle(let words): .unreachable("no client: \(words)")
    case .credentials(let words): .unreachable("user name or password cannot be used: \(words)")
    case .will(let words): .unreachable("the will cannot be used: \(words)")
    case .tlsFile(let file): .tls("cannot read \(file)")
    case .tls(let words): .tls(words)
    }
  }
}

extension TLSSettings {
  /// The library names no file when one is missing.
  var firstUnreadableFile: String? {
    let files = [authorityFile, authorityDirectory, certificateFile, keyFile]
    return files.compactMap { $0 }.first { access($0, R_OK) != 0 }
  }
}
