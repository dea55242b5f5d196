import DeviceModel

/// What is written to the board, and what becomes of it.
extension GATT {
  /// All of a batch is made into bytes first. Two parts of one characteristic are one write.
  mutating func accept(_ batch: CommandBatch, into outputs: inout [Output]) {
    guard isUp else {
      return outputs.append(.reject(batch.number, nil, Rejection(.away, "the board is not connected")))
    }
    var orders: [Write] = []
    for command in batch.commands {
      do throws(Rejection) {
        let (place, entity) = try target(of: command)
        let earlier = orders.firstIndex { $0.place == place }
        let present = earlier.map { orders[$0].bytes } ?? characteristics[place].bytes
        let bytes = try entity.bytes(of: command.value, in: present)
        if let earlier {
          orders[earlier].bytes = bytes
        } else {
          orders.append(Write(batch: batch.number, place: place, key: command.property, bytes: bytes))
        }
      } catch {
        return outputs.append(.reject(batch.number, command.property, error))
      }
    }
    guard writes.count + orders.count <= Self.mostWrites else {
      return outputs.append(
        .reject(batch.number, nil, Rejection(.busy, "\(writes.count) writes have no answer yet")))
    }
    for write in orders {
      // 0 is what carries no number.
      writeNumber = writeNumber == .max ? 1 : writeNumber + 1
      writes[writeNumber] = write
      let id = characteristics[write.place].declared.id
      outputs.append(.send(.init(AttributeOrder.write(id, write.bytes, number: writeNumber).bytes)))
    }
  }

  func target(of command: Command) throws(Rejection) -> (Int, AttributeEntity) {
    for (place, characteristic) in characteristics.enumerated() {
      guard let entity = characteristic.declared.entities.first(where: { $0.key == command.property }) else {
        continue
      }
      guard entity.isWritable else { throw Rejection(.readOnly, "\(command.property) is only read") }
      guard command.verb == .set else {
        throw Rejection(.unsupported, "\(command.property) takes set only, not \(command.verb.rawValue)")
      }
      return (place, entity)
    }
    throw Rejection(.unknownProperty, "the device has no property \(command.property)")
  }

  /// The board's word counts, where it gives one; of a value that is only written what was written does.
  mutating func written(_ number: UInt32, into outputs: inout [Output]) {
    guard let write = writes.removeValue(forKey: number) else { return }
    characteristics[write.place].bytes = write.bytes
    characteristics[write.place].isWritten = true
    for entity in characteristics[write.place].declared.entities {
      if let value = try? entity.value(in: write.bytes) { outputs.append(.report(entity.key, value)) }
    }
    ask(write.place, into: &outputs)
  }

  mutating func refuse(_ number: UInt32, _ rejection: Rejection, into outputs: inout [Output]) {
    guard let write = writes.removeValue(forKey: number) else { return }
    outputs.append(.reject(write.batch, write.key, rejection))
  }
}
