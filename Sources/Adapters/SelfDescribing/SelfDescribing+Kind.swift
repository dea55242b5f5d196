public import DeviceModel

extension SelfDescribing {
  public static let kind = Kind(
    name: "self_describing",
    summary: "A board that describes itself with the Arduino library: nothing to set up but its link.",
    options: OptionSchema([
      .boolean(
        "ask", default: true,
        summary:
          "Ask the board who it is when it says nothing by itself. With false nothing is written to it before it has said so."
      )
    ]),
    links: [LinkRequirement(transports: [.ble, .tcp, .serial])]
  ) { options, _ in SelfDescribing(mayAsk: options.boolean("ask") ?? true) }
}
