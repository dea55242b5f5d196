import DeviceModel
import EventLoop
import JSON
import MQTT

extension Bridge {
  /// A request that was read, and where its answer goes.
  struct Request {
    var name: String
    var members: Value.Members
    var transaction: Value?
    var properties: MessageProperties
  }

  /// `bridge/<bridge>/request/<name>`: always answered, by an error at worst.
  func answer(_ name: String, _ message: Message) {
    guard isLive(message, device: nil, property: nil) else { return }
    var request = Request(
      name: name, members: Value.Members(), transaction: nil, properties: message.properties)
    if !message.payload.isEmpty {
      do throws(JSONError) {
        guard case .object(let members) = try JSON.parse(message.payload) else {
          respond(to: request, error: "a request takes a JSON object, or nothing")
          return
        }
        request.members = members
        request.transaction = members["transaction"]
      } catch {
        respond(to: request, error: "\(error)")
        return
      }
    }
    carryOut(request)
  }

  private func carryOut(_ request: Request) {
    switch request.name {
    case "health": respond(to: request, data: health())
    case "accept": accept(request)
    case "discovered": respond(to: request, data: discovered)
    case "log_level": setLogLevel(request)
    case "reload":
      if let problems = reload() {
        respond(to: request, error: problems.lines.joined(separator: "\n"))
      } else {
        respond(to: request, data: .object(Value.Members()))
      }
    case "device/refresh": refreshDevice(request)
    case "capture": captureDevice(request)
    case let name where Self.beaconRequestNames.contains(name): askBeacons(request)
    case let name where Self.bluetoothRequestNames.contains(name): askBluetooth(request)
    default:
      let kinds = settings.kinds.filter { $0.requests.contains(request.name) }
      if kinds.isEmpty { refuseUnknown(request) } else { ask(deviceOf: kinds.map(\.name), request) }
    }
  }

  static let requestNames = [
    "health", "log_level", "reload", "accept", "discovered", "device/refresh", "capture",
  ]

  private func refuseUnknown(_ request: Request) {
    var names = Self.requestNames + Self.beaconRequestNames + Self.bluetoothRequestNames
    for name in settings.kinds.flatMap(\.requests) where !names.contains(name) { names.append(name) }
    let near = nearestName(to: request.name, among: names).map { "; did you mean '\($0)'?" } ?? ""
    respond(
      to: request,
      error: "no request '\(request.name.excerpt)'; there are \(names.joined(separator: ", "))\(near)")
  }

  private func setLogLevel(_ request: Request) {
    let words = LogLevel.allCases.map(\.rawValue)
    guard case .text(let word)? = request.members["level"], let level = LogLevel(rawValue: word.lowercased())
    else {
      respond(
        to: request, error: "'level' is missing or unknown: expected one of \(words.joined(separator: ", "))")
      return
    }
    log.level = level
    publishInfo()
    respond(to: request, data: .object(Value.Members([("level", .text(level.rawValue))])))
  }

  private func refreshDevice(_ request: Request) {
    guard let device = device(of: request) else { return }
    device.republish()
    device.submit(
      DeviceRequest(work: .refresh) { [weak self] rejection in
        if let rejection {
          self?.respond(to: request, error: rejection.explanation)
        } else {
          self?.respond(to: request, data: .object(Value.Members([("device", .text(device.id.text))])))
        }
      })
  }

  /// The device that `request` names by its id or name; nil when there is none, which is answered.
  func device(of request: Request) -> DeviceRuntime? {
    guard case .text(let word)? = request.members["device"] else {
      respond(to: request, error: "'device' is missing: the id or the name of a device is expected")
      return nil
    }
    if let device = devices[word] ?? devices.values.first(where: { $0.setup.name == word }) { return device }
    let near = nearestName(to: word, among: order.map(\.text)).map { "; did you mean '\($0)'?" } ?? ""
    respond(to: request, error: "no device '\(word.excerpt)'\(near)")
    return nil
  }

  func respond(to request: Request, data: Value) {
    respond(to: request, Value.Members([("status", "ok"), ("data", data)]))
  }

  func respond(to request: Request, error: String) {
    respond(to: request, Value.Members([("status", "error"), ("error", .text(error))]))
  }

  private func respond(to request: Request, _ answer: Value.Members) {
    var answer = answer
    if let transaction = request.transaction { answer["transaction"] = transaction }
    if TopicName.problem(with: topics.response(request.name)) == nil {
      publisher.publishEvent(.object(answer), to: topics.response(request.name))
    }
    guard let responseTopic = request.properties.responseTopic,
      responseTopic != topics.response(request.name)
    else { return }
    publisher.publishEvent(
      .object(answer), to: responseTopic,
      properties: MessageProperties(correlationData: request.properties.correlationData))
  }
}
