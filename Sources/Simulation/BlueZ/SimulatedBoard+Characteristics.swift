import DBus
import EventLoop

/// `org.bluez.GattCharacteristic1`.
extension SimulatedBoard {
  func answer(_ call: IncomingCall, to characteristic: SimulatedService.Characteristic) {
    calls[call.member, default: 0] += 1
    if let fault = nextFaults[call.member]?.first {
      nextFaults[call.member]?.removeFirst()
      return call.fail(fault)
    }
    if let fault = faults[call.member] { return call.fail(fault) }
    switch call.member {
    case "StartNotify": startNotify(call, characteristic)
    case "StopNotify": stopNotify(call, characteristic)
    case "AcquireNotify": acquireNotify(call, characteristic)
    case "AcquireWrite": acquireWrite(call, characteristic)
    case "WriteValue": writeValue(call, characteristic)
    case "ReadValue" where holdsReads: heldReads.append((call, characteristic))
    case "ReadValue": readValue(call, characteristic)
    default: call.fail(.unknownMethod)
    }
  }

  func releaseReads() {
    let reads = heldReads
    heldReads = []
    for (call, characteristic) in reads { readValue(call, characteristic) }
  }

  /// bluetoothd announces a value that it has read and that is another than the one before.
  private func readValue(_ call: IncomingCall, _ characteristic: SimulatedService.Characteristic) {
    guard isConnected else { return call.fail(.notConnected) }
    guard characteristic.flags.contains("read") else {
      return call.fail(BlueZFault("org.bluez.Error.NotPermitted", "Read not permitted"))
    }
    switch peripheral.read(characteristic.uuid) {
    case .failure(let fault): call.fail(fault)
    case .success(let bytes):
      if lastRead[characteristic.uuid] != bytes {
        lastRead[characteristic.uuid] = bytes
        bluez.changed(call.path, "org.bluez.GattCharacteristic1", ["Value": .bytes(bytes)])
      }
      // The board's answer takes a moment.
      _ = LoopTimer(after: bluez.timing.advertisingInterval / 10) { [weak self] in
        if self?.isConnected == true { call.reply([.bytes(bytes)]) } else { call.fail(.notConnected) }
      }
    }
  }

  func answerDescriptor(_ call: IncomingCall, _ value: [UInt8]) {
    guard call.member == "ReadValue" else { return call.fail(.notSupported) }
    if isConnected { call.reply([.bytes(value)]) } else { call.fail(.notConnected) }
  }

  private func startNotify(_ call: IncomingCall, _ characteristic: SimulatedService.Characteristic) {
    let session = sessions[characteristic.uuid] ?? NotificationSession()
    guard characteristic.canNotify else { return call.fail(.notSupported) }
    guard isConnected else {
      return call.fail(session.clients.contains(call.sender) ? .inProgress : .notConnected)
    }
    if session.socket != nil {
      return call.fail(BlueZFault("org.bluez.Error.NotPermitted", "Notify acquired"))
    }
    let isNew = !session.isOn
    sessions[characteristic.uuid, default: NotificationSession()].clients.insert(call.sender)
    call.reply()
    if isNew { bluez.changed(call.path, call.interface ?? "", ["Notifying": .boolean(true)]) }
  }

  private func stopNotify(_ call: IncomingCall, _ characteristic: SimulatedService.Characteristic) {
    guard sessions[characteristic.uuid]?.clients.remove(call.sender) != nil else {
      return call.fail(.failed("No notify session started"))
    }
    call.reply()
    if sessions[characteristic.uuid]?.isOn == false {
      bluez.changed(call.path, call.interface ?? "", ["Notifying": .boolean(false)])
    }
  }

  private func acquireNotify(_ call: IncomingCall, _ characteristic: SimulatedService.Characteristic) {
    guard characteristic.flags.contains("notify") else { return call.fail(.notSupported) }
    guard isConnected else { return call.fail(.notConnected) }
    if sessions[characteristic.uuid]?.isOn == true { return call.fail(.inProgress) }
    let uuid = characteristic.uuid
    let path = call.path
    let socket = SimulatedSocket { [mtu] descriptor in
      call.reply([.descriptor(descriptor), .uint16(UInt16(mtu))])
    } onPacket: { _ in
    } onEnd: { [weak self] in
      self?.sessions[uuid]?.socket = nil
      self?.bluez.changed(path, "org.bluez.GattCharacteristic1", ["NotifyAcquired": .boolean(false)])
    }
    guard let socket else { return call.fail(.failed("Too many open files")) }
    sessions[uuid, default: NotificationSession()].socket = socket
    bluez.changed(path, "org.bluez.GattCharacteristic1", ["NotifyAcquired": .boolean(true)])
    if endsNotificationsAndDrops {
      endNotificationDescriptor()
      after(bluez.timing.connect) { $0.drop() }
    }
  }

  private func acquireWrite(_ call: IncomingCall, _ characteristic: SimulatedService.Characteristic) {
    guard characteristic.flags.contains("write-without-response") else { return call.fail(.notSupported) }
    guard isConnected else { return call.fail(.notConnected) }
    let uuid = characteristic.uuid
    if writeSockets[uuid] != nil {
      return call.fail(BlueZFault("org.bluez.Error.NotPermitted", "Write acquired"))
    }
    let path = call.path
    writeSockets[uuid] = SimulatedSocket { [mtu] descriptor in
      call.reply([.descriptor(descriptor), .uint16(UInt16(mtu))])
    } onPacket: { [weak self] bytes in
      if let self, bytes.count <= self.mtu - 3 { self.take(bytes, for: uuid) }
    } onEnd: { [weak self] in
      self?.writeSockets[uuid] = nil
      self?.bluez.changed(path, "org.bluez.GattCharacteristic1", ["WriteAcquired": .boolean(false)])
    }
    if writeSockets[uuid] == nil { return call.fail(.failed("Too many open files")) }
    bluez.changed(path, "org.bluez.GattCharacteristic1", ["WriteAcquired": .boolean(true)])
  }

  private func writeValue(_ call: IncomingCall, _ characteristic: SimulatedService.Characteristic) {
    let uuid = characteristic.uuid
    guard isConnected else { return call.fail(.notConnected) }
    guard let bytes = call.arguments.first?.bytes else {
      return call.fail(BlueZFault("org.bluez.Error.InvalidArguments", "Invalid arguments in method call"))
    }
    if writeSockets[uuid] != nil {
      return call.fail(BlueZFault("org.bluez.Error.NotPermitted", "Write acquired"))
    }
    if writingCharacteristics.contains(uuid) { return call.fail(.inProgress) }
    if bytes.count > 512 {
      return call.fail(BlueZFault("org.bluez.Error.InvalidArguments", "Invalid Length"))
    }
    let type = call.arguments.last?.properties?["type"]?.string
    let isRequest = type.map { $0 == "request" } ?? characteristic.flags.contains("write")
    guard characteristic.flags.contains(isRequest ? "write" : "write-without-response") else {
      return call.fail(.notSupported)
    }
    if !isRequest {
      if bytes.count > mtu - 3 { return call.fail(.failed("Failed to initiate write")) }
      take(bytes, for: uuid)
      return call.reply()
    }
    // The board's answer takes a moment: until then the characteristic is busy.
    writingCharacteristics.insert(uuid)
    _ = LoopTimer(after: bluez.timing.advertisingInterval / 10) { [weak self] in
      guard let self, self.writingCharacteristics.remove(uuid) != nil else { return call.fail(.notConnected) }
      self.take(bytes, for: uuid)
      if nextAnswers.isEmpty { call.reply() } else { call.fail(nextAnswers.removeFirst()) }
    }
  }

  private func take(_ bytes: [UInt8], for uuid: String) {
    writes.append(bytes)
    if writes.count > 10_000 { writes.removeFirst(5_000) }
    peripheral.written(bytes, to: uuid)
    bluez.waits.lookAtTurnEnd()
  }
}
