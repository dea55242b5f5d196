import DeviceModel
import EventLoop
import Links

extension DeviceRuntime {
  func take(_ event: LinkRuntime.Event, from link: LinkRuntime) {
    switch event {
    case .received(let bytes): feed(.received(link.role, bytes))
    case .sent(let number): feed(.sent(number))
    case .notSent(let number, let why, let mayHaveArrived):
      feed(.notSent(number, why, mayHaveArrived: mayHaveArrived))
    case .up(let maximumPacket):
      log.debug("\(id): \(link.role) connected")
      if link === primary { hasSpoken = false }
      awaited.remove(link.role)
      feed(.linkUp(link.role, maximumPacket: maximumPacket))
      if link === primary, setup.links.first?.speaks == false { setAvailable(true) }
    case .down(let failure):
      log.debug("\(id): \(link.role) disconnected: \(failure)")
      feed(.linkDown(link.role, failure.description))
    case .deliver: if link === primary { deliverWaiting() }
    case .refuse(let failure):
      if awaited.remove(link.role) != nil { feed(.linkDown(link.role, failure.description)) }
      if link === primary { refuseWaiting(Rejection(failure.rejectionReason, "\(id): \(failure)")) }
    case .unavailable(let failure, let inSession):
      owner?.device(self, .linkFailed(link, failure))
      // A board that begins each session well and spoils it later is there, and would come and go at each poll.
      if link === primary, link.isHeld || !inSession || !hasSpoken { setAvailable(false) }
    }
  }
}
