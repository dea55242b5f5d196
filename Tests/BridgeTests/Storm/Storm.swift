import DeviceModel
import EventLoop
import Glibc
import Simulation
import TestSupport
import Testing

/// Lets a schedule happen to a house, and keeps the ledger.
@Loop final class Storm {
  let house: House
  let radio: Radio
  let drone: SimulatedDrone
  private let schedule: StormSchedule
  private let disk: StormDisk
  var ledger = StormLedger()
  /// Switchings, locks and take-offs asked for; the boards see only how many there were.
  var switchingsSent: [Int]
  var locksSent = 0
  var takeOffsSent = 0
  private(set) var takeOffs = 0

  /// Nil while there is no broker.
  private var client: MQTTRecorder?
  private var isBridgeRunning = false
  private var bridgeLives = 0
  private var spell: OpenSpell?
  private var isBrokerFrozen = false
  private var publishing: [Task<Void, Never>] = []
  private(set) var retained: Set<String> = []

  private struct OpenSpell {
    let client: MQTTRecorder
    let from: Int
    let transaction: String
  }

  init(
    _ schedule: StormSchedule, _ house: House, _ radio: Radio, _ drone: SimulatedDrone, disk: StormDisk
  ) {
    self.schedule = schedule
    self.disk = disk
    self.house = house
    self.radio = radio
    self.drone = drone
    switchingsSent = house.plugs.map { _ in 0 }
    for plug in house.plugs {
      plug.onChange = { [weak self] change in
        guard case .command(let received) = change, case .write(_, let slot) = received.command else {
          return
        }
        self?.ledger.executed.append(StormCommand.number(start: slot.start))
      }
    }
    radio.board.onPacket = { [weak self] packet in
      self?.ledger.executed.append(
        StormCommand.number(text: String(decoding: packet, as: UTF8.self)) ?? -1)
    }
    var stage = drone.body.stage
    drone.onStep = { [weak self] drone in
      if drone.body.stage == .takingOff, stage == .landed { self?.takeOffs += 1 }
      stage = drone.body.stage
    }
  }

  /// Starts the bridge, before the first fault.
  func begin() async throws {
    client = try await MQTTRecorder(port: house.broker.port)
    try startBridge()
  }

  func run() async throws {
    let start = ContinuousClock.now
    for step in schedule.steps {
      try await Task.sleep(until: start.advanced(by: step.at), clock: .continuous)
      switch step.action {
      case .begin(let fault): try await begin(fault)
      case .end(let fault): try await end(fault)
      case .command(let command, let isRetained): publish(command, retain: isRetained)
      }
    }
    for task in publishing { await task.value }
    endSpell()
  }

  // MARK: commands

  /// Nobody can ask for anything without a broker.
  func publish(_ command: StormCommand, retain: Bool = false) {
    guard let client else { return }
    let topic = "sketch2mqtt/\(command.topic)"
    if retain { retained.insert(topic) }
    if let number = command.number {
      ledger.sent.insert(number)
      if retain { ledger.forbidden[number] = "it was retained" }
    } else if !retain {
      switch command {
      case .power(let plug, _): switchingsSent[plug] += 1
      case .lock: locksSent += 1
      case .takeOff: takeOffsSent += 1
      case .land, .activation, .text: break
      }
    }
    let (lives, isUnheard) = (bridgeLives, !isBridgeRunning)
    publishing.append(
      Task { @Loop in
        guard (try? await client.publish(command.payload, to: topic, retain: retain)) != nil else { return }
        if isUnheard, !isBridgeRunning, lives == bridgeLives, let number = command.number {
          ledger.forbidden[number] = "there was no bridge when it was sent"
        }
      })
  }

  // MARK: the bridge

  private func startBridge() throws {
    bridgeLives += 1
    isBridgeRunning = true
    if let client, !isBrokerFrozen {
      let (from, transaction) = (client.messages.count, "life \(bridgeLives)")
      spell = OpenSpell(client: client, from: from, transaction: transaction)
      publishing.append(
        Task { @Loop in
          let state = "sketch2mqtt/bridge/main/state"
          guard (try? await client.message(on: state, from: from, where: { $0.text == "online" })) != nil
          else { return }
          try? await client.publish(
            "{\"transaction\":\"\(transaction)\"}", to: "sketch2mqtt/bridge/main/request/health")
        })
    }
    try house.start()
  }

  private func endSpell() {
    guard let spell else { return }
    self.spell = nil
    let messages = spell.client.messages.all[spell.from...]
    ledger.spells.append(StormLedger.Spell(messages, transaction: spell.transaction))
  }

  // MARK: faults

  private func begin(_ fault: StormFault) async throws {
    switch fault {
    case .broker(.killed):
      endSpell()
      client?.disconnect()
      client = nil
      try await house.broker.kill()
    case .broker(.frozen):
      isBrokerFrozen = true
      house.broker.freeze()
    case .bridge(.killed):
      endSpell()
      try await house.bridge.kill9()
      isBridgeRunning = false
    case .bridge(.frozen): try house.bridge.send(SIGSTOP)
    case .radio(let fault): fault.begin(radio)
    case .plug(let index, let fault): fault.begin(house.plugs[index])
    case .disk(let fault): try disk.begin(fault)
    case .drone(let fault): fault.begin(drone)
    }
  }

  private func end(_ fault: StormFault) async throws {
    switch fault {
    case .broker(.killed):
      try await house.broker.start()
      client = try await MQTTRecorder(port: house.broker.port)
    case .broker(.frozen):
      isBrokerFrozen = false
      house.broker.thaw()
    case .bridge(.killed): try startBridge()
    case .bridge(.frozen): try house.bridge.send(SIGCONT)
    case .radio(let fault): try await fault.end(radio)
    case .plug(let index, _): BoardFault.silent.end(house.plugs[index])
    case .disk(let fault): disk.end(fault)
    case .drone(let fault): fault.end(drone)
    }
  }
}

extension StormFault.DroneFault {
  @Loop func begin(_ drone: SimulatedDrone) {
    switch self {
    case .lossy: drone.loss = 0.5
    case .mute: drone.isMute = true
    case .powerless: drone.cutPower()
    }
  }

  @Loop func end(_ drone: SimulatedDrone) {
    drone.loss = 0
    drone.isMute = false
    drone.returnPower()
  }
}

extension StormFault.PlugFault {
  @Loop func begin(_ plug: SimulatedPowerPlug) {
    switch self {
    case .board(let fault): fault.begin(plug)
    case .resets: plug.faults.resetsAfterBytes = 100
    case .babbles: plug.faults.garbage = PlugFaults.Garbage([0xFF, 0x00])
    case .cutsTable: plug.faults.tableLength = 100
    }
  }
}
