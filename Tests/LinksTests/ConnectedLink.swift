import EventLoop
import Links

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
