public import DeviceModel

extension PowerPlug {
  /// Polled unless the owner says that the board can be held: the classic one stops its own schedule while a
  /// client is connected.
  public static let kind = Kind(
    name: "power_plug",
    summary: "A mains plug on Wi-Fi that keeps a table of on/off cycles and switches by it on its own.",
    options: OptionSchema([
      .integer(
        "slots", 1...PlugSlot.most,
        summary: "Activations that the board's table has room for; learnt from the board when left out."),
      NewerForm.option,
    ]),
    links: [LinkRequirement(transports: [.tcp, .ble, .serial], session: .polled(every: .seconds(10)))]
  ) { options, _ in
    TwoForms(
      PowerPlug(slots: options.integer("slots")), .powerPlug, choice: NewerForm.choice(in: options))
  }
}
