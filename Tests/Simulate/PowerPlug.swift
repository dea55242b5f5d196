import EventLoop
import Simulation

/// A classic power plug that is automatic again when it is switched off.
///
///     slot INDEX NAME START LENGTH PERIOD    an activation as its owner stores it
///     clear INDEX
///     power off | on                         pulled out of its socket, and back
@Loop final class PowerPlug: Board {
  private let plug: SimulatedPowerPlug

  init(_ name: String) throws(Refused) {
    var options = PlugSketchOptions.classic
    options.offCommand = .returnsToAutomatic
    options.checkInterval = .milliseconds(200)
    do throws(SocketFailure) {
      plug = try SimulatedPowerPlug(options: options, clock: .startingNow())
    } catch {
      throw Refused(reason: "\(error)")
    }
    plug.onChange = { [weak plug] change in
      guard let plug, let line = Self.line(change, of: plug) else { return }
      Console.write("\(name) \(line)")
    }
  }

  var place: String { "port \(plug.port)" }

  func perform(_ words: [String]) throws(Refused) {
    switch words.first {
    case "slot" where words.count == 6:
      guard let index = Int(words[1]), let start = UInt32(words[3]), let length = UInt16(words[4]),
        let period = UInt16(words[5])
      else { throw Refused(reason: "slot INDEX NAME START LENGTH PERIOD") }
      plug.put(
        PlugSlot(name: words[2], start: start, lengthMinutes: length, periodMinutes: period), at: index)
    case "clear" where words.count == 2:
      guard let index = Int(words[1]) else { throw Refused(reason: "clear INDEX") }
      plug.put(.free, at: index)
    case "power" where words.last == "off": plug.cutPower()
    case "power" where words.last == "on": plug.returnPower()
    default: throw Refused(reason: "slot, clear or power, not \(words.joined(separator: " "))")
    }
  }

  func stop() { plug.stop() }

  private static func line(_ change: PlugChange, of plug: SimulatedPowerPlug) -> String? {
    switch change {
    case .appliance(let isOn): "appliance \(isOn ? "on" : "off")"
    case .mode(let isManual): "mode \(isManual ? "manual" : "automatic")"
    case .table: "table " + plug.slots.filter { !$0.isFree }.map(\.name).joined(separator: ",")
    case .command(let received): line(received.command)
    case .power, .clientAccepted, .clientGone, .bytesReceived: nil
    }
  }

  /// Reading the table is not told: it repeats with every poll.
  private static func line(_ command: PlugCommand) -> String? {
    switch command {
    case .table: nil
    case .state(let state): "received state \(state)"
    case .write(let slot, let content): "received write \(slot) \(content.name)"
    case .clear(let slot): "received clear \(slot)"
    case .unknown(let byte): "received unknown \(byte)"
    }
  }
}
