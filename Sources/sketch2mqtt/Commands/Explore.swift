import DeviceModel

/// `explore`: the services of one board near the running bridge.
enum Explore {
  /// The connection, the services, and each value in turn.
  static let limit = Duration.seconds(90)

  static func perform(_ options: Invocation.Explore) -> ExitStatus {
    let key = BluetoothAddress(options.board) == nil ? "name" : "address"
    return BridgeQuestion.perform(
      configuration: options.configuration, "ble/explore",
      [key: .text(options.board), "values": .boolean(options.readsValues)], within: limit
    ) { answer, isStyled in BoardReport(answer).lines(isStyled: isStyled) }
  }
}
