import Cryptography
import DeviceModel

/// The PINs of a newer board, changed by the same exchange that opens its door: none is sent in clear.
extension GarageDoor {
  /// The board is to tell its challenge and its places first.
  mutating func awaitPlaces(at now: Moment, into outputs: inout [Output]) {
    outputs.append(.cancelTimer(Timer.linger))
    outputs.append(.setTimer(Timer.management, after: Timing.introduction))
    changePINs(at: now, into: &outputs)
  }

  mutating func placesOverdue(at now: Moment, into outputs: inout [Output]) {
    let words = "the board did not tell its challenge in time"
    finish(.failure(Rejection(.timeout, words)), at: now, into: &outputs)
  }

  /// Carries out the request that waits, or refuses it, when the board has told what that takes.
  mutating func changePINs(at now: Moment, into outputs: inout [Output]) {
    guard let task = management.current, task.phase == .reading, opening == nil,
      let newer, newer.isComplete, let challenge = newer.challenge,
      let master = settings.masterPIN, let key = settings.key
    else { return }
    guard let places = newer.places else {
      let words = "the board's sketch does not tell its PINs: it takes none in lines"
      return finish(.failure(Rejection(.unsupported, words)), at: now, into: &outputs)
    }
    management.look(at: places.mark)
    do {
      guard let change = try change(task, places, key) else {
        management.lockOut.right()
        return finish(.success(try list(places, key)), at: now, into: &outputs)
      }
      management.lockOut.right()
      let word = try GarageAuthentication.word(
        putting: change.pin, at: change.place, challenge: challenge, master: master, key: key)
      outputs.append(.cancelTimer(Timer.management))
      sends += 1
      management.current?.phase = .sealed(sends)
      management.current?.index = Int(change.place)
      let place = Int(change.place)
      if let pin = change.pin { expect(pin, at: place, for: task.name, before: places.mark(at: place)) }
      authorize(word, at: now, into: &outputs)
    } catch let rejection as Rejection {
      refuse(task.number, rejection, at: now, into: &outputs)
      next(at: now, into: &outputs)
    } catch {
      finish(.failure(Rejection(.linkError, "\(error)")), at: now, into: &outputs)
    }
  }

  private struct Change {
    var place: UInt8
    /// Nil for one that is taken away.
    var pin: GaragePIN?
  }

  /// Nil when the board has nothing to do.
  private func change(_ task: PINTask, _ places: PINPlaces, _ key: GarageKey) throws -> Change? {
    let place = try place(of: task, places, key)
    switch task.action {
    case .list: return nil
    case .add(let pin):
      guard place == nil else {
        throw Rejection(.invalid, "this name has a PIN already: it can be changed or deleted")
      }
      try refuseTaken(pin, places, exceptAt: nil, key)
      guard let free = places.free else { throw Rejection(.full, "the board has no room for another PIN") }
      return Change(place: UInt8(free), pin: pin)
    case .change(let pin):
      let place = try Self.checked(place)
      try refuseTaken(pin, places, exceptAt: place, key)
      return Change(place: UInt8(place), pin: pin)
    case .delete: return Change(place: UInt8(try Self.checked(place)))
    }
  }

  private func place(of task: PINTask, _ places: PINPlaces, _ key: GarageKey) throws -> Int? {
    if let person = residents.first(where: { $0.settings.name == task.name }),
      let place = try places.place(of: person.pin, key: key)
    {
      return place
    }
    return try management.place(of: task.name, isForNew: task.isForNew)
  }

  private func refuseTaken(
    _ pin: GaragePIN, _ places: PINPlaces, exceptAt place: Int?, _ key: GarageKey
  ) throws {
    let holder = try places.place(of: pin, key: key)
    if pin == settings.masterPIN || (holder != nil && holder != place) {
      throw Rejection(.invalid, "this PIN is taken")
    }
  }

  private func list(_ places: PINPlaces, _ key: GarageKey) throws(CryptographyError) -> Value {
    var entries: [Value] = []
    for place in places.used {
      var name = management.names.first { $0.value.place == place }?.key
      for resident in residents where try places.holds(resident.pin, at: place, key: key) {
        name = resident.settings.name
      }
      entries.append(PINManagement.entry(place, name))
    }
    return ["pins": .list(entries)]
  }

  /// The board has answered, or will not.
  mutating func changed(_ failure: Rejection?, at now: Moment, into outputs: inout [Output]) {
    guard let task = management.current else { return }
    switch failure?.reason {
    case nil:
      keep(task)
      succeed(task, at: task.index, now, into: &outputs)
    case .timeout?, .linkError?:
      let words = "\(failure?.explanation ?? ""); whether the change was made is not known"
      finish(.failure(Rejection(.linkError, words)), at: now, into: &outputs)
    case let reason?:
      let words = "the board refused it: \(failure?.explanation ?? "")"
      refuse(task.number, Rejection(reason, words), at: now, into: &outputs)
      next(at: now, into: &outputs)
    }
  }

  /// The next request may come before the board has told its places anew.
  private mutating func keep(_ task: PINTask) {
    guard let key = settings.key, let place = task.index, var places = newer?.places else { return }
    let pin: GaragePIN? =
      switch task.action {
      case .add(let pin), .change(let pin): pin
      case .delete, .list: nil
      }
    try? places.put(pin, at: place, key: key)
    newer?.places = places
  }
}
