import EventLoop
import TestSupport

@testable import Simulation

/// Somebody within reach of a board's radio: hears what is said either way, may keep back what the central says, and may
/// say what he likes.
@Loop final class RadioTap: SimulatedPeripheral {
  let radio: FirmwareRadio
  let bridgeSaid = Inbox<String>("what the bridge said over the air")
  let boardSaid = Inbox<String>("what the board said over the air")
  /// What of the bridge's does not reach the board, as ``bridgeSaid`` has it.
  var keepsBack: (String) -> Bool = { _ in false }

  private var fromBridge: [UInt8] = []
  private var fromBoard: [UInt8] = []

  init(_ radio: FirmwareRadio) {
    self.radio = radio
    radio.onPacket = { [weak self] in self?.hear($0) }
  }

  let advertisedName: String? = "S2MTest"
  let services = [SimulatedService.nus]

  func connected(_ link: SimulatedLink) { radio.connected(link) }

  func disconnected() {
    fromBridge = []
    fromBoard = []
    radio.disconnected()
  }

  /// A packet outside of lines is told as it is, of a line its body.
  func written(_ bytes: [UInt8], to characteristic: String) {
    guard !fromBridge.isEmpty || bytes.first == UInt8(ascii: "~") else {
      let packet = String(decoding: bytes, as: UTF8.self)
      bridgeSaid.append(packet)
      if !keepsBack(packet) { radio.written(bytes, to: characteristic) }
      return
    }
    fromBridge += bytes
    for line in Self.takeLines(&fromBridge) {
      bridgeSaid.append(line)
      if !keepsBack(line) { say(line) }
    }
  }

  /// Says a line's body to the board, in order.
  func say(_ body: String) { radio.written(SketchLines.framed(body), to: "") }
  func say(packet: String) { radio.written(Array(packet.utf8), to: "") }

  private func hear(_ bytes: [UInt8]) {
    guard !fromBoard.isEmpty || bytes.first == UInt8(ascii: "~") else {
      return boardSaid.append(String(decoding: bytes, as: UTF8.self))
    }
    fromBoard += bytes
    for line in Self.takeLines(&fromBoard) { boardSaid.append(line) }
  }

  /// Bodies of the whole lines at the front of `bytes`; one that another interrupts is none.
  private static func takeLines(_ bytes: inout [UInt8]) -> [String] {
    var lines: [String] = []
    while let end = bytes.firstIndex(of: 0x0A) {
      let line = bytes[..<end].split(separator: UInt8(ascii: "~")).last ?? []
      lines.append(String(decoding: line.dropLast(4), as: UTF8.self))
      bytes.removeFirst(end + 1)
    }
    return lines
  }
}
