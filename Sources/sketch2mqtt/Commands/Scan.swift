import DeviceModel

/// `scan`: who advertises near the running bridge.
enum Scan {
  static let usualSeconds = 5
  /// Of one request.
  static let longestSeconds = 60

  static func perform(_ options: Invocation.Scan) -> ExitStatus {
    let seconds = min(options.seconds ?? usualSeconds, longestSeconds)
    return BridgeQuestion.perform(
      configuration: options.configuration, "ble/scan", ["seconds": .integer(seconds)],
      within: .seconds(seconds + 10)
    ) { answer, isStyled in ScanReport(answer).lines(isStyled: isStyled) }
  }
}
