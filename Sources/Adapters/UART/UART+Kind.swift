public import DeviceModel

extension UART {
  public static let kind = Kind(
    name: "uart",
    summary: "Any board that speaks in lines or packets: raw, both ways, on the topics rx and tx.",
    options: OptionSchema([
      .choice(
        "framing", Framing.allCases.map(\.rawValue), default: Framing.packet.rawValue,
        summary: "line: ended by a line feed, which is appended to tx; packet: as the link delivers it."),
      .choice(
        "encoding", ByteEncoding.allCases.map(\.rawValue), default: ByteEncoding.text.rawValue,
        summary: "How bytes stand in rx and tx: text as they are, hex in pairs of digits, or base64."),
    ]),
    links: [LinkRequirement(transports: LinkRequirement.Transport.allCases, speaks: false)],
    isRaw: true
  ) { options, _ in
    UART(
      framing: options.text("framing").flatMap(Framing.init) ?? .packet,
      encoding: options.text("encoding").flatMap(ByteEncoding.init) ?? .text)
  }
}
