import DeviceModel

/// `scan`: who advertises near the running bridge.
enum Scan {
  static let usualSeconds = 5
  /// Of one request.
  static let longestSeconds = 60

  static func perform(_ options: Invocation.Scan) -> ExitStatus {
    let seconds = min(options.seconds ?? usualSeconds, longestSeconds)
    var request = Value.Members([("seconds", .integer(seconds))])
    request["services"] = options.service.map { [.text($0.short)] }
    request["name_prefix"] = options.namePrefix.map { .text($0) }
    request["rssi"] = options.leastRSSI.map { .integer($0) }
    return BridgeQuestion.perform(
      configuration: options.configuration, "ble/scan", request, within: .seconds(seconds + 10)
    ) { answer, isStyled in ScanReport(answer).lines(isStyled: isStyled) }
  }
}
